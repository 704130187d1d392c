#include "support/json_tree.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace recmeter::support {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<JsonValue> whole() {
    JsonValue value;
    skip_space();
    if (!read_value(value, 0)) return std::nullopt;
    skip_space();
    if (at_ != text_.size()) return std::nullopt;
    return value;
  }

 private:
  [[nodiscard]] bool ended() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return ended() ? '\0' : text_[at_]; }

  bool take(char c) {
    if (ended() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void skip_space() {
    while (!ended() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }

  bool read_value(JsonValue& out, std::size_t depth) {
    if (ended() || depth > json_depth_max) return false;
    switch (peek()) {
      case 'n': return take_word("null");
      case 't': return read_boolean(out, "true");
      case 'f': return read_boolean(out, "false");
      case '"': out.kind = JsonValue::Kind::string; return read_string(out.text);
      case '[': return read_array(out, depth);
      case '{': return read_object(out, depth);
      default: break;
    }
    for (const char* token : {"NaN", "Infinity", "-Infinity"}) {
      if (read_token(out, token)) return true;
    }
    return read_number(out);
  }

  bool read_boolean(JsonValue& out, std::string_view word) {
    out.kind = JsonValue::Kind::boolean;
    out.text = word;
    return take_word(word);
  }

  bool read_token(JsonValue& out, std::string_view word) {
    if (!take_word(word)) return false;
    out.kind = JsonValue::Kind::number;
    out.text = word;
    return true;
  }

  bool read_array(JsonValue& out, std::size_t depth) {
    out.kind = JsonValue::Kind::array;
    take('[');
    skip_space();
    if (take(']')) return true;
    do {
      skip_space();
      if (!read_value(out.entries.emplace_back(), depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take(']');
  }

  bool read_object(JsonValue& out, std::size_t depth) {
    out.kind = JsonValue::Kind::object;
    take('{');
    skip_space();
    if (take('}')) return true;
    do {
      auto& [key, value] = out.members.emplace_back();
      skip_space();
      if (!read_string(key)) return false;
      skip_space();
      if (!take(':')) return false;
      skip_space();
      if (!read_value(value, depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take('}');
  }

  bool take_digits() {
    const std::size_t first = at_;
    while (!ended() && peek() >= '0' && peek() <= '9') ++at_;
    return at_ > first;
  }

  bool read_number(JsonValue& out) {
    const std::size_t first = at_;
    take('-');
    if (!take('0') && !take_digits()) return false;
    if (take('.') && !take_digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!take_digits()) return false;
    }
    out.text = text_.substr(first, at_ - first);
    out.kind = has_64_bits(out.text) ? JsonValue::Kind::number : JsonValue::Kind::string;
    return true;
  }

  // [S2.19]. Or it is no integer.
  static bool has_64_bits(const std::string& number) {
    if (number.find_first_of(".eE") != std::string::npos) return true;
    errno = 0;
    if (number[0] == '-') {
      static_cast<void>(std::strtoll(number.c_str(), nullptr, 10));
    } else {
      static_cast<void>(std::strtoull(number.c_str(), nullptr, 10));
    }
    return errno == 0;
  }

  bool read_string(std::string& out) {
    if (!take('"')) return false;
    while (!ended()) {
      const auto c = static_cast<unsigned char>(peek());
      if (c == '"') return take('"');
      if (c < 0x20) return false;
      if (c == '\\') {
        if (!read_escape(out)) return false;
      } else if (c < 0x80) {
        out += text_[at_++];
      } else if (!read_multibyte(out)) {
        return false;
      }
    }
    return false;
  }

  bool read_escape(std::string& out) {
    take('\\');
    if (ended()) return false;
    const char c = text_[at_++];
    switch (c) {
      case '"':
      case '\\':
      case '/': out += c; return true;
      case 'b': out += '\b'; return true;
      case 'f': out += '\f'; return true;
      case 'n': out += '\n'; return true;
      case 'r': out += '\r'; return true;
      case 't': out += '\t'; return true;
      case 'u': return read_code_point(out);
      default: return false;
    }
  }

  bool read_code_point(std::string& out) {
    std::uint32_t code = 0;
    if (!read_hex(code)) return false;
    if (code >= 0xDC00 && code < 0xE000) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      if (!take_word("\\u") || !read_hex(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, code);
    return true;
  }

  bool read_hex(std::uint32_t& code) {
    for (int i = 0; i < 4; ++i) {
      if (ended()) return false;
      const char c = text_[at_++];
      std::uint32_t digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<std::uint32_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<std::uint32_t>(c - 'a') + 10;
      } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<std::uint32_t>(c - 'A') + 10;
      } else {
        return false;
      }
      code = code * 16 + digit;
    }
    return true;
  }

  static void append_utf8(std::string& out, std::uint32_t code) {
    const auto byte = [&out](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | (code >> 6));
      byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      byte(0xE0 | (code >> 12));
      byte(0x80 | ((code >> 6) & 0x3F));
      byte(0x80 | (code & 0x3F));
    } else {
      byte(0xF0 | (code >> 18));
      byte(0x80 | ((code >> 12) & 0x3F));
      byte(0x80 | ((code >> 6) & 0x3F));
      byte(0x80 | (code & 0x3F));
    }
  }

  // One UTF-8 sequence of two to four bytes: decoded, checked to be the shortest form of a scalar value, copied.
  bool read_multibyte(std::string& out) {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at_ + size > text_.size()) return false;
    std::uint32_t code = lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      const auto next = static_cast<unsigned char>(text_[at_ + i]);
      if ((next & 0xC0) != 0x80) return false;
      code = (code << 6) | (next & 0x3FU);
    }
    const std::uint32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : 0x80;
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    out.append(text_.substr(at_, size));
    at_ += size;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool JsonValue::is_integer() const {
  return kind == Kind::number && text.find_first_not_of("-0123456789") == std::string::npos;
}

std::optional<JsonValue> parse_json(std::string_view text) {
  return Reader(text).whole();
}

}  // namespace recmeter::support
