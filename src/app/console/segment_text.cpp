#include "app/console/segment_text.h"

namespace recmeter {

namespace {

void append_escaped(std::string& to, std::string_view text) {
  for (const char c : text) {
    if (c == ',' || c == ':' || c == '\\') to.push_back('\\');
    to.push_back(c);
  }
}

}  // namespace

std::optional<SegmentPairs> parse_segment(std::string_view text) {
  SegmentPairs pairs;
  if (text.empty()) return pairs;
  std::optional<std::string> key;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == ',') {
      if (!key || key->empty()) return std::nullopt;
      pairs.emplace_back(std::move(*key), std::move(word));
      key.reset();
      word.clear();
    } else if (text[i] == ':') {
      if (key) return std::nullopt;
      key = std::move(word);
      word.clear();
    } else if (text[i] == '\\') {
      if (++i == text.size()) return std::nullopt;
      word.push_back(text[i]);
    } else {
      word.push_back(text[i]);
    }
  }
  return pairs;
}

std::string segment_text(const SegmentPairs& segment) {
  std::string text;
  for (const auto& [key, value] : segment) {
    if (!text.empty()) text.push_back(',');
    append_escaped(text, key);
    text.push_back(':');
    append_escaped(text, value);
  }
  return text;
}

}  // namespace recmeter
