// WideNumbers: a JSON text in which numbers stand that JSON or our types do not have, written anew as one that every parser
// reads. NaN, Infinity, -Infinity and numbers beyond a double become a number that only holds their place; an integer of more
// than 64 bits becomes the text of its digits, which as an id is the same. Whatever else is no JSON stays none.
// Thread safety: none; it keeps a buffer between calls.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

class WideNumbers {
 public:
  // A number that text() holds the place of.
  struct Special {
    std::size_t number = 0;  // its place among the numbers of the text, from 0
    double value = 0;        // not finite
  };

  // Returns false where nothing was to be written anew. `padding`: bytes that may be read behind text().
  [[nodiscard]] bool write_anew(std::string_view json, std::size_t padding);
  [[nodiscard]] std::string_view text() const { return text_; }
  // In their order.
  [[nodiscard]] std::span<const Special> specials() const { return specials_; }

 private:
  // Each takes what begins at `at`, and returns where it ends.
  std::size_t take_string(std::string_view json, std::size_t at);
  std::size_t take_number(std::string_view json, std::size_t at);
  void put_special(double value);

  std::string text_;
  std::vector<Special> specials_;
  std::size_t numbers_ = 0;  // written so far
  bool is_anew_ = false;
};

}  // namespace recmeter
