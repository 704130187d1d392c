#include "recmeter/evaluation/item_numbers.h"

#include <algorithm>
#include <string>

namespace recmeter {

void ItemNumbers::write_new(ByteWriter& to, const SegmentPanes<Exposure>& pane, const Interner& items) {
  number_of_.resize(items.capacity(), Interner::none);
  std::vector<std::pair<std::string_view, Interner::Id>> found;
  const auto see = [&](Interner::Id item) {
    if (number_of_[item] != Interner::none) return;
    number_of_[item] = 0;
    found.emplace_back(items.text(item), item);
  };
  for (const SegmentCells<Exposure>& cells : pane.combinations) {
    cells.for_each([&](const Exposure& cell) { cell.for_each_item(see); });
  }
  std::sort(found.begin(), found.end());
  to.add(found.size());
  std::string_view before;
  for (const auto& [text, item] : found) {
    const auto shared = std::mismatch(before.begin(), before.end(), text.begin(), text.end()).second - text.begin();
    to.add(static_cast<std::uint64_t>(shared));
    to.add_text(text.substr(static_cast<std::size_t>(shared)));
    before = text;
    number_of_[item] = count_++;
  }
}

bool read_new_items(ByteReader& from, std::size_t id_bytes_max, Interner& items) {
  std::string before;
  std::string text;
  const std::uint64_t count = from.number();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t shared = from.number();
    const std::string_view rest = from.text();
    if (from.has_failed() || shared > before.size() || rest.size() > id_bytes_max - std::min(shared, id_bytes_max))
      return false;
    text.assign(before, 0, shared).append(rest);
    if (i > 0 && text <= before) return false;
    const std::size_t number = items.size();
    if (items.intern(text, EventTime{0}) != number) return false;
    before.swap(text);
  }
  return true;
}

}  // namespace recmeter
