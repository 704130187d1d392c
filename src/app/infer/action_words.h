// ActionWord: what a log's word for a kind of event stands for ("Product Clicked", "add_to_cart", "not_interested").
//
// A text is cut into words, at capitals, digits and marks, and where words are written together ("addtocart") into the
// longest that are known. A word within another is none: `dislike` is no `like`. Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recmeter {

struct ActionWord {
  enum class Sense : std::uint8_t {
    done,      // somebody did it to an item
    seen,      // the item was only seen, or may have been: of gain 0
    rejected,  // somebody wants less of it, or takes back what was done: of gain 0
    unknown,   // nothing is known of the word; the action is called as it is
  };
  std::string action;  // as a configuration names it
  int gain = 1;
  Sense sense = Sense::done;

  [[nodiscard]] bool is_known() const { return sense != Sense::unknown; }
};

[[nodiscard]] ActionWord action_word(std::string_view word);

}  // namespace recmeter
