// WordTable: which of a few fixed words a string is. Built once, asked for every key of every record.
//
// Words are spread over buckets by length, first and last byte; a bucket's candidates are compared in full, so the answer
// does not depend on the spread. No word is faster than another by its place: the native names have no head start.
// Thread safety: immutable after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

class WordTable {
 public:
  static constexpr int none = -1;

  // Requires: words are distinct, at most 32,767.
  explicit WordTable(std::vector<std::string> words);

  // The index of `word` among the words, or `none`.
  [[nodiscard]] int find(std::string_view word) const noexcept {
    for (int i = first_[bucket(word)]; i != none; i = next_[static_cast<std::size_t>(i)]) {
      if (words_[static_cast<std::size_t>(i)] == word) return i;
    }
    return none;
  }

 private:
  static constexpr std::size_t bucket_count = 128;

  [[nodiscard]] static std::size_t bucket(std::string_view word) noexcept {
    if (word.empty()) return 0;
    const auto first = static_cast<unsigned char>(word.front());
    const auto last = static_cast<unsigned char>(word.back());
    return (word.size() + 5U * first + 11U * last) % bucket_count;
  }

  std::vector<std::string> words_;
  std::vector<std::int16_t> next_;  // per word: the next of its bucket
  std::array<std::int16_t, bucket_count> first_;
};

}  // namespace recmeter
