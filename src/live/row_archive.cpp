#include "recmeter/live/row_archive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "live/comparable_code.h"
#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

constexpr char has_final = 'f';
constexpr char has_provisional = 'p';
constexpr char final_stage = '\xFF';

// Event times are positive.
std::int64_t day_of(EventTime start) {
  return std::max<std::int64_t>(start.ms, 0) / one_day.ms;
}

std::string day_key(char kind, std::int64_t day) {
  return state_key::numbered(kind, static_cast<std::uint64_t>(day));
}

std::string key_of(char kind, std::int64_t day, const std::string& series, EventTime start) {
  std::string key = day_key(kind, day) + series;
  append_big_endian(
      key, static_cast<std::uint64_t>(std::clamp<std::int64_t>(start.ms, 0, std::numeric_limits<std::int64_t>::max())));
  return key;
}

std::string bytes_of(const RowParts& parts) {
  ByteWriter to;
  to.add_text(parts.head);
  for (const std::string_view metric : parts.metrics) to.add_text(metric);
  return to.take();
}

std::optional<RowParts> parts_from(std::string_view bytes) {
  ByteReader from(bytes);
  RowParts parts{.head = from.text(), .metrics = {}};
  while (!from.has_failed() && !from.is_done()) parts.metrics.push_back(from.text());
  return from.is_done() ? std::optional(std::move(parts)) : std::nullopt;
}

std::optional<RowSeries> series_from(std::string_view bytes) {
  ByteReader from(bytes);
  RowSeries series;
  series.window = from.text();
  series.horizon = Duration{from.signed_number()};
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    std::string key(from.text());
    series.segment.emplace_back(std::move(key), from.text());
  }
  return from.is_done() ? std::optional(std::move(series)) : std::nullopt;
}

tl::unexpected<Error> damaged() {
  return failure(Errc::state_unusable, "the state is damaged: rows kept for queries cannot be read");
}

// visit(start, what follows the start in the key, value) for what is kept of a series, day after day.
using VisitKept = std::function<bool(EventTime start, std::string_view rest, std::string_view value)>;
Result<void> scan_series(const StateStore& store, char kind, const RowArchive::Query& query, const VisitKept& visit) {
  const std::string series = state_key::series_bytes(query.series);
  const std::string end_of_kind(1, static_cast<char>(kind + 1));
  const std::int64_t last_day = query.to == plus_infinity ? std::numeric_limits<std::int64_t>::max() : day_of(query.to);
  std::string next_day = day_key(kind, day_of(query.from));
  while (true) {
    std::optional<std::int64_t> day;
    auto found = store.scan(next_day, end_of_kind, [&](std::string_view key, std::string_view) {
      day = static_cast<std::int64_t>(big_endian(key.substr(1)));
      return false;
    });
    if (!found) return found;
    if (!day || *day > last_day) return {};
    bool goes_on = true;
    bool is_sound = true;
    auto scanned = store.scan(key_of(kind, *day, series, query.from), key_of(kind, *day, series, query.to),
                              [&](std::string_view key, std::string_view value) {
                                key.remove_prefix(std::min(key.size(), 1 + sizeof(std::uint64_t) + series.size()));
                                is_sound = key.size() >= sizeof(std::uint64_t);
                                if (!is_sound) return false;
                                const EventTime start{static_cast<std::int64_t>(big_endian(key))};
                                goes_on = visit(start, key.substr(sizeof(std::uint64_t)), value);
                                return goes_on;
                              });
    if (!scanned) return scanned;
    if (!is_sound) return damaged();
    if (!goes_on) return {};
    next_day = day_key(kind, *day + 1);
  }
}

// Days that have a series, in order.
Result<std::vector<std::int64_t>> indexed_days(const StateStore& store) {
  std::vector<std::int64_t> days;
  const std::string end(1, static_cast<char>(state_key::kept_series + 1));
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    auto scanned = store.scan(day_key(state_key::kept_series, days.empty() ? 0 : days.back() + 1), end,
                              [&](std::string_view key, std::string_view) {
                                goes_on = key.size() > sizeof(std::uint64_t);
                                if (goes_on) days.push_back(static_cast<std::int64_t>(big_endian(key.substr(1))));
                                return false;
                              });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
  }
  return days;
}

}  // namespace

int matured_tenths(const Row& row) {
  return static_cast<int>(std::floor(row.matured * 10 + 1e-9));
}

std::optional<Comparable> comparable_of(const Row& row, std::string_view metric) {
  for (const MetricValue& of : row.metrics) {
    if (of.key == metric && of.left_out) return Comparable{of.value, *of.left_out};
  }
  return std::nullopt;
}

std::string RowArchive::note(const RenderedRow& rendered) {
  if (keep_.ms == 0) return {};
  const Row& row = rendered.row;
  const std::string series = state_key::series_bytes(row);
  const Place place(series, row.start.ms);
  std::string key = key_of(state_key::kept_row, day_of(row.start), series, row.start);
  if (row.stage == Stage::provisional) {
    const int tenth = matured_tenths(row);
    int& last = tenths_[place];
    if (tenth <= last) return {};
    last = tenth;
    noted_.emplace_back(key + static_cast<char>(tenth), bytes_of(rendered.parts()));
    noted_.emplace_back(day_key(state_key::kept_series, day_of(row.start)) + series + has_provisional, "");
    return {};
  }
  tenths_.erase(place);
  if (row.stage != Stage::final) return {};
  std::string kept_under = key + final_stage;
  noted_.emplace_back(kept_under, bytes_of(rendered.parts()));
  std::string newest;
  append_big_endian(newest, static_cast<std::uint64_t>(std::max<std::int64_t>(row.start.ms, 0)));
  noted_.emplace_back(day_key(state_key::kept_series, day_of(row.start)) + series + has_final, std::move(newest));
  ByteWriter comparables;
  for (const MetricValue& metric : row.metrics) {
    if (!metric.left_out) continue;
    ByteWriter one;
    one.add_text(metric.key);
    add_comparable({metric.value, *metric.left_out}, one);
    comparables.add_text(one.bytes());
  }
  if (comparables.bytes().empty()) return kept_under;
  key.front() = state_key::comparable;
  noted_.emplace_back(std::move(key), comparables.take());
  return kept_under;
}

void RowArchive::save(StateBatch& batch, EventTime watermark) {
  for (auto& [key, value] : std::exchange(noted_, {})) batch.put(std::move(key), std::move(value));
  if (watermark == minus_infinity || watermark == plus_infinity) return;
  const std::int64_t first_kept = day_of(watermark - keep_ - longest_window_);
  if (first_kept <= dropped_to_) return;
  dropped_to_ = first_kept;
  for (const char kind : {state_key::kept_row, state_key::comparable, state_key::kept_series}) {
    batch.erase_range(day_key(kind, 0), day_key(kind, first_kept));
  }
  // Windows that lost all their lists never become final.
  std::erase_if(tenths_, [&](const auto& one) { return day_of(EventTime{std::get<1>(one.first)}) < first_kept; });
}

Result<std::string> RowArchive::json_under(const StateStore& store, std::string_view key) {
  const auto bytes = store.get(key);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto parts = *bytes ? parts_from(**bytes) : std::nullopt;
  return parts ? Result<std::string>(parts->json("")) : damaged();
}

std::optional<EventTime> RowArchive::day_under(std::string_view key) {
  if (key.size() < day_key(state_key::kept_row, 0).size() || key.front() != state_key::kept_row) return std::nullopt;
  const std::uint64_t day = state_key::number_in(key);
  if (day > static_cast<std::uint64_t>(plus_infinity.ms / one_day.ms)) return std::nullopt;
  return EventTime{static_cast<std::int64_t>(day) * one_day.ms};
}

Result<void> RowArchive::read(const StateStore& store, const Query& query, const Visit& visit) {
  const auto wanted = static_cast<std::uint8_t>(query.tenth == 0 ? final_stage : static_cast<char>(query.tenth));
  std::optional<EventTime> last;
  bool is_sound = true;
  auto scanned =
      scan_series(store, state_key::kept_row, query, [&](EventTime start, std::string_view rest, std::string_view value) {
        if (rest.size() != 1 || last == start) return true;
        const auto stage = static_cast<std::uint8_t>(rest.front());
        const bool is_final = stage == static_cast<std::uint8_t>(final_stage);
        if (stage < wanted || (query.tenth > 0 && is_final)) return true;
        last = start;
        const auto parts = parts_from(value);
        is_sound = parts.has_value();
        return is_sound && visit(start, parts->json(query.metric));
      });
  if (!scanned) return scanned;
  return is_sound ? Result<void>() : damaged();
}

Result<std::vector<KeptSeries>> RowArchive::series(const StateStore& store, std::size_t series_max) {
  const auto days = indexed_days(store);
  if (!days) return tl::unexpected(days.error());
  std::map<std::string, KeptSeries, std::less<>> known;
  for (auto day = days->rbegin(); day != days->rend() && known.size() < series_max; ++day) {
    const EventTime end{(*day + 1) * one_day.ms};
    const std::string from = day_key(state_key::kept_series, *day);
    bool is_sound = true;
    auto scanned =
        store.scan(from, day_key(state_key::kept_series, *day + 1), [&](std::string_view key, std::string_view value) {
          const std::string_view bytes = key.substr(from.size(), key.size() - from.size() - 1);
          auto at = known.find(bytes);
          if (at == known.end()) {
            auto series = series_from(bytes);
            is_sound = series.has_value();
            if (!is_sound) return false;
            at = known.emplace(bytes, KeptSeries{std::move(*series), end, {}}).first;
          }
          if (key.back() != has_final || value.size() != sizeof(std::uint64_t)) return true;
          const EventTime newest{static_cast<std::int64_t>(big_endian(value))};
          at->second.newest_final = std::max(at->second.newest_final.value_or(newest), newest);
          return true;
        });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
    if (!is_sound) return damaged();
  }
  std::vector<KeptSeries> series;
  for (auto& [bytes, one] : known) series.push_back(std::move(one));
  return series;
}

Result<void> RowArchive::read_comparable(const StateStore& store, const Query& query, const Compare& visit) {
  bool is_sound = true;
  auto scanned =
      scan_series(store, state_key::comparable, query, [&](EventTime start, std::string_view, std::string_view value) {
        ByteReader all(value);
        while (!all.has_failed() && !all.is_done()) {
          ByteReader one(all.text());
          if (one.text() != query.metric) continue;
          const auto comparable = read_comparable_from(one);
          is_sound = comparable.has_value();
          return is_sound && visit(start, *comparable);
        }
        is_sound = all.is_done();
        return is_sound;
      });
  if (!scanned) return scanned;
  return is_sound ? Result<void>() : damaged();
}

}  // namespace recmeter
