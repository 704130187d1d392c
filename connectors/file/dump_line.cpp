#include "file/dump_line.h"

#include <algorithm>
#include <charconv>

namespace recmeter::file {

namespace {

constexpr std::string_view spaces = " \t\r\n";

void append_utf8(std::string& to, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { to.push_back(static_cast<char>(bits)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

// The four hexadecimal digits at the front of `text`.
std::optional<std::uint32_t> hex4(std::string_view text) {
  std::uint32_t value = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc{} || end != text.data() + 4) return std::nullopt;
  return value;
}

// Takes one escape, without its backslash, from the front of `raw`.
bool unescape_one(std::string_view& raw, std::string& to) {
  constexpr std::string_view names = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  if (raw.empty()) return false;
  if (const std::size_t at = names.find(raw.front()); at != std::string_view::npos) {
    to.push_back(meant[at]);
    raw.remove_prefix(1);
    return true;
  }
  const auto unit = raw.front() == 'u' ? hex4(raw.substr(1)) : std::nullopt;
  if (!unit) return false;
  raw.remove_prefix(5);
  std::uint32_t code = *unit;
  // Half a pair alone stays half a pair, which no decoder of UTF-8 takes.
  if (code >= 0xD800 && code < 0xDC00 && raw.starts_with("\\u")) {
    const auto low = hex4(raw.substr(2));
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
      raw.remove_prefix(6);
    }
  }
  append_utf8(to, code);
  return true;
}

// Up to `size_max` + 1 bytes.
bool unescape(std::string_view raw, std::size_t size_max, std::string& to) {
  to.clear();
  while (!raw.empty() && to.size() <= size_max) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    to.append(raw.substr(0, std::min(plain, size_max + 1 - to.size())));
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    raw.remove_prefix(1);
    if (!unescape_one(raw, to)) return false;
  }
  if (to.size() > size_max) to.resize(size_max + 1);
  return true;
}

// Walks over JSON values without looking at what they mean.
class Walker {
 public:
  explicit Walker(std::string_view text) : rest_(text) {}

  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // The string's content, still escaped.
  bool take_string(std::string_view& content) {
    if (!take('"')) return false;
    std::size_t at = 0;
    while (true) {
      at = rest_.find_first_of("\"\\", at);
      if (at == std::string_view::npos) return false;
      if (rest_[at] == '"') break;
      at += 2;
    }
    content = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return true;
  }
  // The text of any value.
  bool take_value(std::string_view& value) {
    skip_spaces();
    const std::string_view start = rest_;
    std::size_t depth = 0;
    do {
      skip_spaces();
      if (rest_.empty()) return false;
      const char first = rest_.front();
      std::string_view content;
      if (first == '"') {
        if (!take_string(content)) return false;
        continue;
      }
      if (first == '{' || first == '[') ++depth;
      if ((first == '}' || first == ']') && depth-- == 0) return false;
      const bool is_mark = std::string_view("{}[],:").find(first) != std::string_view::npos;
      if (is_mark && depth == 0 && (first == ',' || first == ':')) return false;
      rest_.remove_prefix(is_mark ? 1 : std::min(rest_.find_first_of("{}[],:\" \t\r\n"), rest_.size()));
    } while (depth > 0);
    value = start.substr(0, start.size() - rest_.size());
    return true;
  }
  bool is_at_end() {
    skip_spaces();
    return rest_.empty();
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(spaces), rest_.size())); }

  std::string_view rest_;
};

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string_view content_of(std::string_view string) {
  return string.substr(1, string.size() - 2);
}

struct Members {
  std::string_view topic, partition, offset, kind_of_time, time, payload;  // empty when absent
};

bool find_members(std::string_view line, Members& members) {
  Walker walker(line);
  if (!walker.take('{')) return false;
  do {
    std::string_view name;
    std::string_view value;
    if (!walker.take_string(name) || !walker.take(':') || !walker.take_value(value)) return false;
    if (name == "topic") members.topic = value;
    if (name == "partition") members.partition = value;
    if (name == "offset") members.offset = value;
    if (name == "tstype") members.kind_of_time = value;
    if (name == "ts") members.time = value;
    if (name == "payload") members.payload = value;
  } while (walker.take(','));
  return walker.take('}') && walker.is_at_end();
}

}  // namespace

std::string_view read_dump_line(std::string_view line, std::size_t payload_max, DumpLine& into) {
  Members members;
  if (!find_members(line, members)) return "it is no JSON object";
  if (!members.topic.starts_with('"') || !unescape(content_of(members.topic), members.topic.size(), into.topic)) {
    return "it has no `topic`";
  }
  if (!read_number(members.partition, into.partition) || into.partition < 0) return "it has no `partition`";
  if (!read_number(members.offset, into.offset) || into.offset < 0) return "it has no `offset`";
  into.broker_time.reset();
  if (!members.time.empty() && members.kind_of_time != "\"unknown\"") {
    EventTime time;
    if (!read_number(members.time, time.ms)) return "its `ts` is no integer";
    if (time.ms >= 0) into.broker_time = time;
  }
  if (members.payload.empty()) return "it has no `payload`";
  into.tombstone = members.payload == "null";
  into.payload.clear();
  if (members.payload.starts_with('"')) {
    if (!unescape(content_of(members.payload), payload_max, into.payload)) return "its `payload` has an unknown escape";
  } else if (!into.tombstone) {
    into.payload = members.payload.substr(0, payload_max + 1);
  }
  return "";
}

}  // namespace recmeter::file
