#include "config/document.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "config/variables.h"

namespace recmeter::config {

namespace {

// The text by lines. The library counts columns in bytes; people count characters.
class SourceText {
 public:
  explicit SourceText(std::string_view text) : text_(text), starts_{0} {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') starts_.push_back(at + 1);
    }
  }

  [[nodiscard]] std::size_t offset_of(const YAML::Mark& mark) const {
    if (mark.is_null() || mark.line < 0 || mark.column < 0) return 0;
    const std::size_t line = std::min(static_cast<std::size_t>(mark.line), starts_.size() - 1);
    return std::min(starts_[line] + static_cast<std::size_t>(mark.column), text_.size());
  }

  [[nodiscard]] Place place_of(const YAML::Mark& mark) const {
    const std::size_t offset = offset_of(mark);
    const auto after = std::ranges::upper_bound(starts_, offset);
    const std::size_t start = *std::prev(after);
    const auto characters = std::ranges::count_if(text_.substr(start, offset - start),
                                                  [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80U; });
    return {static_cast<int>(after - starts_.begin()), static_cast<int>(characters) + 1};
  }

  [[nodiscard]] bool is_quote(std::size_t offset) const {
    return offset < text_.size() && (text_[offset] == '"' || text_[offset] == '\'');
  }

  // Whether the quoted scalar that begins at `offset` ends before the text does.
  [[nodiscard]] bool is_closed(std::size_t offset) const {
    const char quote = text_[offset];
    for (std::size_t at = offset + 1; at < text_.size(); ++at) {
      if (quote == '"' && text_[at] == '\\') {
        ++at;
      } else if (text_[at] == quote) {
        if (quote == '"' || at + 1 == text_.size() || text_[at + 1] != quote) return true;
        ++at;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;  // of each line
};

// Builds the tree from the parser's events. After the first structural fault it only ignores.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, Faults& faults) : source_(source), faults_(faults) {}

  [[nodiscard]] bool is_refused() const { return is_refused_; }
  [[nodiscard]] Node take_root() { return std::move(root_); }

  // The library takes the end of the text for a closing quote, and so the rest of the file for a value.
  void refuse_open_quote() {
    if (last_quote_ && !source_.is_closed(source_.offset_of(*last_quote_)))
      refuse(*last_quote_, "a quote is not closed", "close it");
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (refuses_extras(mark, {}, anchor)) return;
    Node node;
    node.place = source_.place_of(mark);
    accept(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (`*name`) are not read", "write the value out");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    if (refuses_extras(mark, tag, anchor)) return;
    Node node;
    if (source_.is_quote(source_.offset_of(mark))) last_quote_ = mark;
    node.kind = Node::Kind::scalar;
    node.place = source_.place_of(mark);
    node.written = value;
    accept(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    std::optional<std::string> key;  // of a mapping: read, and its value is not
    Place key_place;
    bool is_duplicate = false;
  };

  void refuse(const YAML::Mark& mark, std::string message, std::string remedy) {
    if (is_refused_) return;
    is_refused_ = true;
    faults_.add(source_.place_of(mark), {}, std::move(message), std::move(remedy));
  }

  bool refuses_extras(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) refuse(mark, "anchors (`&name`) are not read", "write the value out where it is needed");
    // "?" and "!" are the parser's names for a plain and a quoted scalar.
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, "tags (`!name`) are not read", "remove the tag");
    return is_refused_;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (refuses_extras(mark, tag, anchor)) return;
    if (open_.size() == depth_max) {
      refuse(mark, fmt::format("is nested deeper than {} levels", depth_max),
             "no key needs that: check brackets and indentation");
      return;
    }
    if (!open_.empty() && open_.back().node.kind == Node::Kind::mapping && !open_.back().key) {
      refuse(mark, "a key is a list or a mapping",
             "write a plain name, quote values that begin with `{` or `[`, and close every bracket");
      return;
    }
    Open opened;
    opened.node.kind = kind;
    opened.node.place = source_.place_of(mark);
    open_.push_back(std::move(opened));
  }

  void close() {
    if (is_refused_ || open_.empty()) return;
    Node node = std::move(open_.back().node);
    open_.pop_back();
    accept(std::move(node));
  }

  void accept(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      accept_key(parent, node);
    } else {
      if (!parent.is_duplicate) {
        parent.node.keys.push_back(std::move(*parent.key));
        parent.node.key_places.push_back(parent.key_place);
        parent.node.items.push_back(std::move(node));
      }
      parent.key.reset();
    }
  }

  void accept_key(Open& parent, const Node& key) {
    parent.key = key.kind == Node::Kind::null ? std::string("~") : key.written;
    parent.key_place = key.place;
    const std::vector<std::string>& keys = parent.node.keys;
    const auto first = std::ranges::find(keys, *parent.key);
    parent.is_duplicate = first != keys.end();
    if (!parent.is_duplicate) return;
    const Place before = parent.node.key_places[static_cast<std::size_t>(first - keys.begin())];
    faults_.add(key.place, path_of_open(*parent.key), "is there twice",
                fmt::format("keep one; the other is in line {}", before.line));
  }

  // The path of a key of the innermost open mapping.
  [[nodiscard]] std::string path_of_open(const std::string& key) const {
    std::string path;
    for (const Open& open : open_) {
      if (&open == &open_.back()) return joined(path, shortened(key));
      if (open.node.kind == Node::Kind::list) {
        path += fmt::format("[{}]", open.node.items.size());
      } else {
        path = joined(path, shortened(open.key.value_or("")));
      }
    }
    return path;
  }

  const SourceText& source_;
  Faults& faults_;
  std::vector<Open> open_;
  Node root_;
  std::optional<YAML::Mark> last_quote_;
  bool is_refused_ = false;
};

// Length of the valid UTF-8 character at `at`; 0 when there is none.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(4, text.size() - at); ++bytes) {
    if (simdjson::validate_utf8(text.data() + at, bytes)) return bytes;
  }
  return 0;
}

// The parser guesses UTF-16 and UTF-32 from zero bytes and replaces what is malformed; here only text comes to it.
bool is_text(std::string_view yaml, Faults& faults) {
  Place place;
  for (std::size_t at = 0; at < yaml.size();) {
    const std::size_t bytes = character_bytes(yaml, at);
    const auto c = static_cast<unsigned char>(yaml[at]);
    if (bytes == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) {
      faults.add(place, {}, bytes == 0 ? "is not UTF-8" : fmt::format("holds the control character {:#04x}", c),
                 "save it as plain text in UTF-8");
      return false;
    }
    if (c == '\n') {
      place = {place.line + 1, 1};
    } else {
      ++place.column;
    }
    at += bytes;
  }
  return true;
}

// The parser's messages are obscure; what usually causes them stands in the line.
std::string remedy_for_syntax(std::string_view yaml, std::size_t offset) {
  const std::size_t before = yaml.substr(0, offset).rfind('\n');
  std::string_view line = yaml.substr(before == std::string_view::npos ? 0 : before + 1);
  line = line.substr(0, line.find('\n'));
  const std::size_t first = line.find_first_not_of(' ');
  if (first != std::string_view::npos && line[first] == '\t') return "indent with spaces, not with tabs";
  if (line.find("${") != std::string_view::npos) return "within { } and [ ], write variables in quotes: \"${NAME}\"";
  return "check indentation, quotes and brackets here and just before";
}

void replace_in(Node& node, const std::string& path, const Environment& environment, std::size_t& bytes_left,
                Faults& faults) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string below =
        node.kind == Node::Kind::list ? fmt::format("{}[{}]", path, i) : joined(path, shortened(node.keys[i]));
    replace_in(node.items[i], below, environment, bytes_left, faults);
  }
  if (node.kind != Node::Kind::scalar) return;
  Parsed<std::string> text = replace_variables(node.written, environment, bytes_left);
  if (!text) {
    node.is_broken = true;
    faults.add(node.place, path, text.error().message, text.error().remedy);
    return;
  }
  bytes_left -= std::min(bytes_left, text->size());
  node.text = std::move(*text);
}

std::optional<Node> parse_tree(std::string_view yaml, Faults& faults) {
  const SourceText source(yaml);
  TreeBuilder builder(source, faults);
  Node root;
  try {
    std::istringstream stream{std::string(yaml)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return root;
    builder.refuse_open_quote();
    root = builder.take_root();
    if (!builder.is_refused() && parser.HandleNextDocument(builder)) {
      faults.add({}, {}, "holds more than one YAML document", "remove the lines from the second `---` on");
      return std::nullopt;
    }
  } catch (const YAML::Exception& error) {
    builder.refuse_open_quote();
    if (builder.is_refused()) return std::nullopt;
    faults.add(source.place_of(error.mark), {}, fmt::format("is not valid YAML: {}", error.msg),
               remedy_for_syntax(yaml, source.offset_of(error.mark)));
    return std::nullopt;
  }
  if (builder.is_refused()) return std::nullopt;
  return root;
}

}  // namespace

std::optional<Node> parse_document(std::string_view yaml, const Environment& environment, Faults& faults) {
  if (yaml.starts_with("\xEF\xBB\xBF")) yaml.remove_prefix(3);
  if (yaml.size() > document_bytes_max) {
    faults.add({}, {}, "is longer than 1 MiB", "a configuration has a few hundred lines: check that this is the right file");
    return std::nullopt;
  }
  if (!is_text(yaml, faults)) return std::nullopt;
  std::optional<Node> root = parse_tree(yaml, faults);
  if (!root) return std::nullopt;
  if (root->kind != Node::Kind::mapping && root->kind != Node::Kind::null) {
    faults.add(root->place, {}, root->kind == Node::Kind::list ? "is a list, not keys with values" : "holds no keys",
               "write `key: value` lines; `recmeter init` prints an example");
    return std::nullopt;
  }
  std::size_t bytes_left = document_bytes_max;
  replace_in(*root, {}, environment, bytes_left, faults);
  return root;
}

}  // namespace recmeter::config
