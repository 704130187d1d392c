#include "app/config/catalog_file.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/config/file_text.h"
#include "app/config/scalar.h"

namespace recmeter {

namespace {

// The id of a JSON line; nullopt when it has none.
std::optional<std::string> id_of_object(simdjson::dom::parser& parser, std::string_view line) {
  simdjson::dom::object object;
  simdjson::dom::element id;
  if (parser.parse(line.data(), line.size()).get_object().get(object) != simdjson::SUCCESS) return std::nullopt;
  if (object["item_id"].get(id) != simdjson::SUCCESS) return std::nullopt;
  std::string_view text;
  if (id.get_string().get(text) == simdjson::SUCCESS) return std::string(text);
  if (std::int64_t number = 0; id.get_int64().get(number) == simdjson::SUCCESS) return std::to_string(number);
  if (std::uint64_t number = 0; id.get_uint64().get(number) == simdjson::SUCCESS) return std::to_string(number);
  return std::nullopt;
}

std::uint64_t hash_of(const std::unordered_set<std::string>& items) {
  std::vector<std::string_view> sorted(items.begin(), items.end());
  std::ranges::sort(sorted);
  std::string text;
  for (const std::string_view id : sorted) {
    text += id;
    text += '\n';
  }
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace

Result<Catalog> parse_catalog(std::string_view text, const std::string& name, std::size_t id_bytes_max) {
  const auto wrong = [&](std::size_t line, std::string_view what) {
    return failure(Errc::config_invalid, fmt::format("line {} of {} {}", line, config::quoted(name), what));
  };
  if (text.starts_with("\x1F\x8B") || text.starts_with("\x28\xB5\x2F\xFD")) {
    return failure(Errc::config_invalid, fmt::format("{} is compressed; unpack it", config::quoted(name)));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  simdjson::dom::parser parser;
  Catalog catalog;
  std::optional<bool> has_objects;  // decided by the first line that is not blank
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (!has_objects) has_objects = line[line.find_first_not_of(" \t")] == '{';
    const std::optional<std::string> id = *has_objects ? id_of_object(parser, line) : std::optional(std::string(line));
    if (!id) return wrong(number, "is not a JSON object with an `item_id`");
    if (id->empty()) return wrong(number, "has an empty id");
    if (id->size() > id_bytes_max) return wrong(number, fmt::format("has an id of more than {} bytes", id_bytes_max));
    if (!simdjson::validate_utf8(*id)) return wrong(number, "is not UTF-8");
    if (!catalog.items.insert(*id).second)
      return wrong(number, fmt::format("has an item that was there: {}", config::quoted(*id)));
  }
  if (catalog.items.empty()) return failure(Errc::config_invalid, fmt::format("{} names no item", config::quoted(name)));
  catalog.size = catalog.items.size();
  catalog.content_hash = hash_of(catalog.items);
  return catalog;
}

Result<Catalog> load_catalog(const std::string& path, std::size_t id_bytes_max) {
  constexpr std::size_t file_bytes_max = std::size_t{1} << 34;
  const Result<std::string> text = config::read_file(path, file_bytes_max);
  if (!text) {
    return failure(text.error().code, fmt::format("{} cannot be read: {}", config::quoted(path), text.error().context));
  }
  return parse_catalog(*text, path, id_bytes_max);
}

}  // namespace recmeter
