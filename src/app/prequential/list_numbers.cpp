#include "app/prequential/list_numbers.h"

#include <optional>

namespace recmeter {

namespace {

constexpr double score_max = 1e8;  // as of logged lists

bool read_numbers(simdjson::dom::element list, const char* name, double least, double most,
                  std::optional<double> RankedItem::* number, std::span<RankedItem> items) {
  const auto member = list[name];
  if (member.error() == simdjson::NO_SUCH_FIELD) return true;
  simdjson::dom::array values;
  if (member.get(values) != simdjson::SUCCESS || values.size() != items.size()) return false;
  auto item = items.begin();
  for (const simdjson::dom::element value : values) {
    double read = 0;
    if (value.get(read) != simdjson::SUCCESS || !(read >= least && read <= most)) return false;
    (*item++).*number = read;
  }
  return true;
}

}  // namespace

bool read_list_numbers(simdjson::dom::element list, std::span<RankedItem> items) {
  return read_numbers(list, "scores", -score_max, score_max, &RankedItem::score, items) &&
         read_numbers(list, "confidence", 0, 1, &RankedItem::confidence, items);
}

}  // namespace recmeter
