// Kept rows of state format 1 in the form of today. Keys keep all but their first byte: 'r' becomes 'v', 'q' becomes 'u'.
//
// There the value of 'r' was the row's JSON as one text, that of 'q' the number of metrics and then these without lengths,
// and the first release had no index of series.
#include <bit>

#include "recmeter/base/byte_code.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

namespace {

constexpr std::size_t batch_bytes_max = std::size_t{4} << 20;

// Where the object that begins at `at` ends; braces within strings are none of its own (ids of definitions have some).
std::size_t end_of_object(std::string_view json, std::size_t at) {
  bool is_text = false;
  std::size_t depth = 0;
  for (; at < json.size(); ++at) {
    const char c = json[at];
    if (is_text && c == '\\') {
      ++at;
    } else if (c == '"') {
      is_text = !is_text;
    } else if (!is_text && c == '{') {
      ++depth;
    } else if (!is_text && c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return json.size();
}

// "": the text is no row.
std::string pieces_of(std::string_view json) {
  constexpr std::string_view before = R"("metrics":{)";
  const std::size_t metrics = json.rfind(before);
  if (metrics == std::string_view::npos || !json.ends_with("}}")) return {};
  std::size_t at = metrics + before.size();
  const std::size_t end = json.size() - 2;
  ByteWriter to;
  to.add_text(json.substr(0, at));
  while (at < end) {
    const std::size_t next = end_of_object(json, at);
    if (next > end) return {};
    to.add_text(json.substr(at, next - at));
    at = next + 1;
  }
  return to.take();
}

// "": the bytes are not what rows are compared by.
std::string comparables_of(std::string_view bytes) {
  ByteReader from(bytes);
  ByteWriter to;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    ByteWriter one;
    one.add_text(from.text());
    const std::uint64_t has_value = from.number();
    one.add(has_value);
    if (has_value != 0) {
      one.add_double(from.number_double());
      one.add(from.number());
      const std::uint64_t groups = from.number();
      one.add(groups);
      for (int distances = std::popcount(groups); distances > 0; --distances) one.add(from.number());
    }
    to.add_text(one.bytes());
  }
  return from.is_done() ? to.take() : std::string();
}

// Scans go by start: the last of a series on a day is its newest.
void index(StateBatch& batch, std::string_view key) {
  constexpr std::size_t start_bytes = sizeof(std::uint64_t);
  constexpr std::size_t tail_bytes = start_bytes + 1;
  const std::string series = "s" + std::string(key.substr(1, key.size() - 1 - tail_bytes));
  const bool is_final = key.back() == '\xFF';
  batch.put(series + (is_final ? 'f' : 'p'), is_final ? std::string(key.substr(key.size() - tail_bytes, start_bytes)) : "");
}

Result<void> upgrade_kind(StateStore& store, char old_kind, char new_kind, std::string (*value_of)(std::string_view)) {
  const std::string end(1, static_cast<char>(old_kind + 1));
  for (std::string next(1, old_kind); next != end;) {
    StateBatch batch;
    std::string at = std::exchange(next, end);
    std::size_t bytes = 0;
    bool is_sound = true;
    auto scanned = store.scan(at, end, [&](std::string_view key, std::string_view value) {
      if (bytes > batch_bytes_max) {
        next = key;
        return false;
      }
      std::string upgraded = value_of(value);
      is_sound = !upgraded.empty() && key.size() > 2 * sizeof(std::uint64_t) + 1;
      if (!is_sound) return false;
      if (new_kind == 'v') index(batch, key);
      batch.put(new_kind + std::string(key.substr(1)), std::move(upgraded));
      bytes += key.size() + value.size();
      return true;
    });
    if (!scanned) return scanned;
    if (!is_sound) return failure(Errc::state_unusable, "the state is damaged: rows kept for queries cannot be read");
    if (bytes == 0) return {};
    batch.erase_range(std::move(at), next);
    if (auto written = store.write(batch, StateStore::Durability::machine); !written) return written;
  }
  return {};
}

}  // namespace

Result<void> upgrade_row_archive(StateStore& store) {
  if (auto done = upgrade_kind(store, 'q', 'u', comparables_of); !done) return done;
  return upgrade_kind(store, 'r', 'v', pieces_of);
}

}  // namespace recmeter
