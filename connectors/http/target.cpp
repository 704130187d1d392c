#include "http/target.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "recmeter/base/utf8.h"

namespace recmeter::http {

namespace {

enum class Part : std::uint8_t { path, query };

std::optional<unsigned> hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a') + 10;
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A') + 10;
  return std::nullopt;
}

Judged<std::string> decoded(std::string_view text, Part part) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && part == Part::query) {
      out.push_back(' ');
    } else if (text[at] != '%') {
      out.push_back(text[at]);
    } else {
      const auto high = at + 2 < text.size() ? hex_digit(text[at + 1]) : std::nullopt;
      const auto low = at + 2 < text.size() ? hex_digit(text[at + 2]) : std::nullopt;
      if (!high || !low) return refused(400, "A percent sign in the target is not followed by two hexadecimal digits.");
      out.push_back(static_cast<char>(*high << 4U | *low));
      at += 2;
    }
  }
  // A value of the query may hold one: it may be asked for data that does.
  if (part == Part::path && out.find('\0') != std::string::npos) return refused(400, "The path holds a NUL.");
  if (!is_utf8(out)) return refused(400, "The target is not UTF-8 when its percent signs are decoded.");
  return out;
}

// Repeated slashes are one; who writes dots or encoded slashes is up to something, or has not resolved its own links.
Judged<std::string> parse_path(std::string_view text) {
  std::string path = "/";
  bool has_segment = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    if (end > begin) {
      auto segment = decoded(text.substr(begin, end - begin), Part::path);
      if (!segment) return segment;
      if (*segment == "." || *segment == "..") return refused(400, "The path has a \".\" or \"..\" in it; resolve it first.");
      if (segment->find_first_of("/\\") != std::string::npos) {
        return refused(400, "The path has an encoded slash or a backslash.");
      }
      if (has_segment && path.back() != '/') path.push_back('/');
      path += *segment;
      has_segment = true;
    }
    begin = end + 1;
  }
  if (has_segment && text.back() == '/') path.push_back('/');
  return path;
}

Judged<Query> parse_query(std::string_view text) {
  std::vector<Query::Parameter> parameters;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('&', begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    begin = end + 1;
    if (piece.empty()) continue;
    if (parameters.size() == query_parameters_max) {
      return refused(400, "The query has more parameters than this server reads.");
    }
    const std::size_t equals = std::min(piece.find('='), piece.size());
    auto name = decoded(piece.substr(0, equals), Part::query);
    if (!name) return tl::unexpected(name.error());
    if (name->empty()) return refused(400, "A parameter of the query has no name.");
    auto value = decoded(piece.substr(std::min(equals + 1, piece.size())), Part::query);
    if (!value) return tl::unexpected(value.error());
    parameters.push_back({std::move(*name), std::move(*value)});
  }
  return Query(std::move(parameters));
}

// What follows the authority of an absolute form, if it is one.
std::optional<std::string_view> after_authority(std::string_view text) {
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (!boost::beast::iequals(text.substr(0, scheme.size()), scheme)) continue;
    return text.substr(std::min(text.find_first_of("/?", scheme.size()), text.size()));
  }
  return std::nullopt;
}

}  // namespace

Judged<Target> parse_target(std::string_view text) {
  const bool is_visible = std::all_of(text.begin(), text.end(), [](char byte) { return byte > 0x20 && byte < 0x7f; });
  if (!is_visible || text.find('#') != std::string_view::npos) {
    return refused(400, "The target has a character that has to be percent-encoded there.");
  }
  const auto rest = text.starts_with('/') ? std::optional(text) : after_authority(text);
  if (!rest) return refused(400, "The target is neither a path nor a URL.");
  const std::size_t question = std::min(rest->find('?'), rest->size());
  auto path = parse_path(rest->substr(0, question));
  if (!path) return tl::unexpected(path.error());
  auto query = parse_query(rest->substr(std::min(question + 1, rest->size())));
  if (!query) return tl::unexpected(query.error());
  return Target{std::move(*path), std::move(*query)};
}

std::size_t Query::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(parameters_.begin(), parameters_.end(), [&](const Parameter& one) { return one.name == name; }));
}

std::optional<std::string_view> Query::first(std::string_view name) const {
  const auto found =
      std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& one) { return one.name == name; });
  if (found == parameters_.end()) return std::nullopt;
  return found->value;
}

}  // namespace recmeter::http
