#include "http/head_scanner.h"

namespace recmeter::http {

namespace {

constexpr Refusal bare_line_feed{400, "Lines of a request end in CR LF; a bare line feed or carriage return is refused."};
constexpr Refusal folded{400, "A header field continues on the next line, which HTTP/1.1 no longer allows (RFC 9112, 5.2)."};
constexpr Refusal no_colon{400, "A header field is a name, a colon right after it, and a value."};
constexpr Refusal control{400, "The request's head holds a control character, or a byte beyond ASCII outside of a value."};

bool is_token(char byte) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         marks.find(byte) != std::string_view::npos;
}

bool is_visible(char byte) {
  return byte >= 0x20 && byte < 0x7f;
}

// What a value may hold besides: tabs, and bytes beyond ASCII, which nobody here reads.
bool is_in_value(char byte) {
  return is_visible(byte) || byte == '\t' || static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace

Judged<std::optional<std::size_t>> HeadScanner::scan(std::string_view bytes) {
  while (at_ < bytes.size()) {
    if (at_ == bytes_max_) return tl::unexpected(too_long());
    const auto is_end = look_at(bytes[at_++]);
    if (!is_end) return tl::unexpected(is_end.error());
    if (*is_end) return at_;
  }
  if (at_ == bytes_max_) return tl::unexpected(too_long());
  return std::optional<std::size_t>();
}

Refusal HeadScanner::too_long() const {
  if (place_ == Place::request_line) return {414, "The request's target is longer than this server reads."};
  return {431, "The request's header fields are longer than this server reads."};
}

Judged<bool> HeadScanner::look_at(char byte) {
  switch (place_) {
    case Place::line_begin: return begin_line(byte);
    case Place::request_line:
      if (byte == '\r') break;
      if (!is_visible(byte)) return tl::unexpected(byte == '\n' ? bare_line_feed : control);
      return false;
    case Place::name:
      if (byte == ':') {
        place_ = Place::value;
      } else if (!is_token(byte)) {
        return tl::unexpected(no_colon);
      }
      return false;
    case Place::value:
      if (byte == '\r') break;
      if (!is_in_value(byte)) return tl::unexpected(byte == '\n' ? bare_line_feed : control);
      return false;
    case Place::line_feed:
      if (byte != '\n') return tl::unexpected(bare_line_feed);
      place_ = Place::line_begin;
      if (!is_empty_) return false;
      if (lines_ > 0) return true;
      if (skipped_) return tl::unexpected(Refusal{400, "A request begins with its request line."});
      skipped_ = true;
      return false;
  }
  place_ = Place::line_feed;
  return false;
}

Judged<bool> HeadScanner::begin_line(char byte) {
  is_empty_ = byte == '\r';
  if (is_empty_) {
    place_ = Place::line_feed;
    return false;
  }
  if (byte == '\n') return tl::unexpected(bare_line_feed);
  if (lines_ > 0 && (byte == ' ' || byte == '\t')) return tl::unexpected(folded);
  if (!is_token(byte)) return tl::unexpected(lines_ == 0 ? Refusal{400, "A request begins with a method."} : no_colon);
  // The request line is not a field.
  if (lines_ > fields_max_) return refused(431, "The request has more header fields than this server reads.");
  place_ = lines_ == 0 ? Place::request_line : Place::name;
  ++lines_;
  return false;
}

}  // namespace recmeter::http
