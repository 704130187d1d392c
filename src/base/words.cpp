#include "recmeter/base/words.h"

namespace recmeter {

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_capital(c)) c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char lower = is_capital(text[i]) ? static_cast<char>(text[i] + ('a' - 'A')) : text[i];
    const bool is_after_small = i > 0 && is_capital(text[i]) && is_small(text[i - 1]);
    if (!is_small(lower)) {
      begins = true;
      continue;
    }
    if (begins || is_after_small) words.emplace_back();
    words.back() += lower;
    begins = false;
  }
  return words;
}

}  // namespace recmeter
