#include "recmeter/evaluation/kept_pane.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/pane_bytes.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/evaluation/item_numbers.h"

namespace recmeter {

bool KeptPaneReader::read(const KeptPane::Key& key, std::string_view bytes) {
  if (!is_pane_of(plan_, key)) return false;
  const CellShape shape = cell_shape(plan_);
  make_room(output_, plan_);
  ByteReader from(bytes);
  if (key.horizon == 0) {
    Interner of_pane;
    if (!read_new_items(from, plan_.spec->limits.id_bytes, of_pane)) return false;
    std::vector<std::uint32_t> ids;
    for (Interner::Id number = 0; number < of_pane.size(); ++number) {
      ids.push_back(items_.intern(of_pane.text(number), EventTime{0}));
    }
    const auto read_cell = [&](std::string_view cell) -> std::optional<Exposure> {
      const auto exposure = exposure_from_bytes(cell, shape, ids.size());
      return exposure ? std::optional(exposure->translated(ids)) : std::nullopt;
    };
    return read_cells(from, plan_, output_.exposure[key.grid][key.start], read_cell);
  }
  return read_cells(from, plan_, output_.sums[key.grid][key.horizon - 1][key.start],
                    [&](std::string_view cell) { return sums_from_bytes(cell, shape); });
}

ShardOutput KeptPaneReader::take() {
  for (const Interner::Id id : items_.take_new()) output_.new_items.push_back({id, std::string(items_.text(id))});
  return std::exchange(output_, {});
}

}  // namespace recmeter
