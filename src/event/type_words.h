// TypeWords: what the words an input has for `type` mean: an impression, an action, or nothing to us.
//
// A word in the table's `types` means what the table says, even one that is ours; any other word stands for itself.
// Thread safety: immutable after construction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/word_table.h"
#include "recmeter/event/field_table.h"

namespace recmeter {

class TypeWords {
 public:
  static constexpr int impression = -1;
  static constexpr int ignored = -2;
  static constexpr int candidate = -3;
  static constexpr int policy = -4;

  // Requires: `actions` are distinct and none is "impression", nor "candidate" or "policy" where there are such records.
  TypeWords(const FieldTable& fields, const std::vector<std::string>& actions, bool has_candidates, bool has_policies);

  // The index of an action, or one of the above.
  [[nodiscard]] int meaning(std::string_view word) const noexcept {
    const int index = words_.find(word);
    return index == WordTable::none ? ignored : meanings_[static_cast<std::size_t>(index)];
  }

 private:
  using Meanings = std::vector<std::pair<std::string, int>>;
  explicit TypeWords(const Meanings& meanings);

  WordTable words_;
  std::vector<int> meanings_;  // by index of the word
};

}  // namespace recmeter
