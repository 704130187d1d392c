// ItemNumbers: the numbers by which cells of a sequence of panes name items. An item has one from the first pane on in which
// it occurs; those that a pane brings stand in it, in byte order. So a number is a matter of the panes alone. Thread safety:
// none.
//
//   how many are new; of each how many bytes it shares with the one before, and the rest
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/base/interner.h"
#include "recmeter/window/exposure.h"
#include "recmeter/window/segment_panes.h"

namespace recmeter {

class ItemNumbers {
 public:
  // Writes the items of `pane` that have no number yet, and gives them theirs. `items`: those by whose ids cells know them.
  void write_new(ByteWriter& to, const SegmentPanes<Exposure>& pane, const Interner& items);
  // By id. Of the items of what was written.
  [[nodiscard]] std::span<const std::uint32_t> by_id() const { return number_of_; }

 private:
  std::vector<std::uint32_t> number_of_;  // Interner::none: it has none yet
  std::uint32_t count_ = 0;
};

// Reads what write_new() wrote: ids in `items`, which knows no others, are the numbers. False where the bytes are none of it.
[[nodiscard]] bool read_new_items(ByteReader& from, std::size_t id_bytes_max, Interner& items);

}  // namespace recmeter
