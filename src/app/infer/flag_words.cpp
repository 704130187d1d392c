#include "app/infer/flag_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/infer/name_words.h"

namespace recmeter {
namespace {

struct FlagWords {
  std::string_view unset;
  std::string_view set;
};
// Those with a point are doubles of pandas and numpy.
constexpr auto yes_and_no = std::to_array<FlagWords>({{"0", "1"},
                                                      {"0.0", "1.0"},
                                                      {"0.", "1."},
                                                      {"false", "true"},
                                                      {"f", "t"},
                                                      {"no", "yes"},
                                                      {"n", "y"},
                                                      {"nein", "ja"},
                                                      {"nee", "ja"},
                                                      {"nej", "ja"},
                                                      {"n", "j"},
                                                      {"non", "oui"},
                                                      {"n", "o"},
                                                      {"no", "si"},
                                                      {"nie", "tak"}});
constexpr std::size_t word_bytes_max = 5;

// False: there is one that is no flag, or there are too many of them.
bool add_value(Cell cell, std::set<std::string>& values) {
  if (cell.size() > word_bytes_max || values.size() > 2) return false;
  if (!cell.empty()) values.insert(in_lower_case(cell));
  return true;
}

}  // namespace

bool is_set(Cell flag) {
  return flag.size() <= word_bytes_max &&
         std::ranges::find(yes_and_no, in_lower_case(flag), &FlagWords::set) != yes_and_no.end();
}

bool are_flags(const std::set<std::string>& values) {
  return std::ranges::any_of(yes_and_no, [&](const FlagWords& words) {
    return values == std::set<std::string>{std::string(words.unset), std::string(words.set)};
  });
}

bool is_flag(const Column& column) {
  std::set<std::string> values;
  return std::ranges::all_of(column.cells, [&](Cell cell) { return add_value(cell, values); }) && are_flags(values);
}

bool is_flag(const ListColumn& list) {
  std::set<std::string> values;
  return std::ranges::all_of(list.cells,
                             [&](const auto& cells) {
                               return std::ranges::all_of(cells, [&](Cell cell) { return add_value(cell, values); });
                             }) &&
         are_flags(values);
}

}  // namespace recmeter
