#include "app/top/styled_line.h"

#include "app/console/messages.h"
#include "recmeter/base/utf8.h"

namespace recmeter::top {

namespace {

std::string_view sequence_of(Look look) {
  switch (look) {
    case Look::strong: return "\x1b[1m";
    case Look::faint: return "\x1b[2m";
    case Look::alarm: return "\x1b[1;31m";
    case Look::plain: break;
  }
  return {};
}

}  // namespace

std::string_view beginning_of(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const CodePoint character = code_point_at(text, bytes);
    const std::size_t wants = display_width(character.value);
    if (wants > columns) break;
    columns -= wants;
    bytes += character.bytes;
  }
  return text.substr(0, bytes);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint character = code_point_at(text, at);
    columns += display_width(character.value);
    at += character.bytes;
  }
  return columns;
}

StyledLine& StyledLine::add(std::string_view text, Look look) {
  pieces_.emplace_back(harmless(text), look);
  columns_ += columns_of(pieces_.back().first);
  return *this;
}

StyledLine& StyledLine::to_column(std::size_t column) {
  const std::size_t blanks = column > columns_ ? column - columns_ : (columns_ > 0 ? 1 : 0);
  return add(std::string(blanks, ' '));
}

std::string StyledLine::render(std::size_t columns_max, bool color) const {
  const bool is_cut = columns_max > 0 && columns_ > columns_max;
  std::size_t room = is_cut ? columns_max - 1 : columns_;
  std::string out;
  for (const auto& [text, look] : pieces_) {
    const std::string_view shown = beginning_of(text, room);
    const bool has_look = color && look != Look::plain && !shown.empty();
    if (has_look) out += sequence_of(look);
    out += shown;
    if (has_look) out += "\x1b[0m";
    room -= columns_of(shown);
    if (shown.size() < text.size()) break;
  }
  if (is_cut) out += "\xe2\x80\xa6";
  while (!color && out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace recmeter::top
