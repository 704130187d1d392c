#include "event/word_table.h"

#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

WordTable::WordTable(std::vector<std::string> words) : words_(std::move(words)), next_(words_.size(), none) {
  RECMETER_CHECK(words_.size() <= 32767, "word indices are 16 bits wide");
  first_.fill(none);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    RECMETER_CHECK(find(words_[i]) == none, "a word stands in a table once");
    std::int16_t& head = first_[bucket(words_[i])];
    next_[i] = head;
    head = static_cast<std::int16_t>(i);
  }
}

}  // namespace recmeter
