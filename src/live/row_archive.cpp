#include "recmeter/live/row_archive.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "recmeter/base/byte_code.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::int64_t day_ms = 24 * 60 * 60 * std::int64_t{1000};
constexpr char row_kind = 'r';
constexpr char comparable_kind = 'q';
constexpr char series_kind = 's';
constexpr char has_final = 'f';
constexpr char has_provisional = 'p';
constexpr char final_stage = '\xFF';

// Event times are positive.
std::int64_t day_of(EventTime start) {
  return std::max<std::int64_t>(start.ms, 0) / day_ms;
}

std::string day_key(char kind, std::int64_t day) {
  std::string key(1, kind);
  append_big_endian(key, static_cast<std::uint64_t>(day));
  return key;
}

// No series is the beginning of another.
std::string bytes_of(const RowSeries& series) {
  ByteWriter to;
  to.add_text(series.window);
  to.add_signed(series.horizon.ms);
  to.add(series.segment.size());
  for (const auto& [key, value] : series.segment) {
    to.add_text(key);
    to.add_text(value);
  }
  return to.take();
}

std::string key_of(char kind, std::int64_t day, const std::string& series, EventTime start) {
  std::string key = day_key(kind, day) + series;
  append_big_endian(
      key, static_cast<std::uint64_t>(std::clamp<std::int64_t>(start.ms, 0, std::numeric_limits<std::int64_t>::max())));
  return key;
}

std::string bytes_of(const std::vector<Comparable>& values) {
  ByteWriter to;
  to.add(values.size());
  for (const Comparable& of : values) {
    to.add_text(of.metric);
    to.add(of.value ? 1 : 0);
    if (!of.value) continue;
    to.add_double(*of.value);
    to.add(of.left_out.evidence_groups);
    to.add(of.left_out.groups);
    for (std::size_t g = 0; g < user_groups; ++g) {
      if (!of.left_out.holds(g)) continue;
      const auto theta = of.left_out.theta[g];
      const float distance = theta ? static_cast<float>(*theta - *of.value) : std::numeric_limits<float>::quiet_NaN();
      to.add(std::bit_cast<std::uint32_t>(distance));
    }
  }
  return to.take();
}

std::optional<std::vector<Comparable>> comparable_from(std::string_view bytes) {
  ByteReader from(bytes);
  std::vector<Comparable> values;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    Comparable& of = values.emplace_back();
    of.metric = from.text();
    if (from.number() == 0) continue;
    of.value = from.number_double();
    of.left_out.evidence_groups = from.number();
    const std::uint64_t groups = from.number();
    for (std::size_t g = 0; g < user_groups; ++g) {
      if ((groups >> g & 1) == 0) continue;
      const auto distance = std::bit_cast<float>(static_cast<std::uint32_t>(from.number()));
      of.left_out.add(g, std::isnan(distance) ? std::nullopt : std::optional(*of.value + static_cast<double>(distance)));
    }
  }
  return from.is_done() ? std::optional(std::move(values)) : std::nullopt;
}

// The series at the beginning of `bytes`, and how long that is; none if they are no series.
std::optional<std::pair<RowSeries, std::size_t>> series_from(std::string_view bytes) {
  ByteReader from(bytes);
  RowSeries series;
  series.window = from.text();
  series.horizon = Duration{from.signed_number()};
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    std::string key(from.text());
    series.segment.emplace_back(std::move(key), from.text());
  }
  if (from.has_failed()) return std::nullopt;
  const std::size_t size = bytes_of(series).size();
  return std::pair(std::move(series), size);
}

tl::unexpected<Error> damaged() {
  return failure(Errc::state_unusable, "the state is damaged: rows kept for queries cannot be read");
}

// visit(start, what follows the start in the key, value) for what is kept of a series, day after day.
using VisitKept = std::function<bool(EventTime start, std::string_view rest, std::string_view value)>;
Result<void> scan_series(const StateStore& store, char kind, const RowArchive::Query& query, const VisitKept& visit) {
  const std::string series = bytes_of(query.series);
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

// Days of which there is something, in order.
Result<std::vector<std::int64_t>> days_of(const StateStore& store, char kind) {
  std::vector<std::int64_t> days;
  const std::string end(1, static_cast<char>(kind + 1));
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    auto scanned =
        store.scan(day_key(kind, days.empty() ? 0 : days.back() + 1), end, [&](std::string_view key, std::string_view) {
          goes_on = key.size() > sizeof(std::uint64_t);
          if (goes_on) days.push_back(static_cast<std::int64_t>(big_endian(key.substr(1))));
          return false;
        });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
  }
  return days;
}

using NoteSeries = std::function<void(std::int64_t day, RowSeries series, std::optional<EventTime> newest_final)>;

Result<void> for_each_indexed(const StateStore& store, std::int64_t day, const NoteSeries& note) {
  bool is_sound = true;
  const std::string from = day_key(series_kind, day);
  auto scanned = store.scan(from, day_key(series_kind, day + 1), [&](std::string_view key, std::string_view value) {
    key.remove_prefix(from.size());
    auto found = series_from(key);
    is_sound = found && key.size() == found->second + 1;
    if (!is_sound) return false;
    const bool is_final = key.back() == has_final && value.size() == sizeof(std::uint64_t);
    note(day, std::move(found->first),
         is_final ? std::optional(EventTime{static_cast<std::int64_t>(big_endian(value))}) : std::nullopt);
    return true;
  });
  if (!scanned) return scanned;
  return is_sound ? Result<void>() : damaged();
}

// Where there is no index: looks at one row of each series.
Result<void> for_each_with_rows(const StateStore& store, std::int64_t day, const NoteSeries& note) {
  const std::string first = day_key(row_kind, day);
  const std::string end = day_key(row_kind, day + 1);
  std::string next = first;
  bool is_sound = true;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    auto scanned = store.scan(next, end, [&](std::string_view key, std::string_view) {
      auto found = series_from(key.substr(first.size()));
      is_sound = found.has_value();
      if (!is_sound) return false;
      // Past every start and stage that it has on this day.
      next = std::string(key.substr(0, first.size() + found->second)) + std::string(sizeof(std::uint64_t) + 2, '\xFF');
      goes_on = true;
      note(day, std::move(found->first), std::nullopt);
      return false;
    });
    if (!scanned) return scanned;
    if (!is_sound) return damaged();
  }
  return {};
}

}  // namespace

int matured_tenths(const Row& row) {
  return static_cast<int>(std::floor(row.matured * 10 + 1e-9));
}

std::vector<Comparable> comparable_of(const Row& row) {
  std::vector<Comparable> values;
  for (const MetricValue& metric : row.metrics) {
    if (metric.left_out) values.push_back({metric.key, metric.value, *metric.left_out});
  }
  return values;
}

void RowArchive::note(const Row& row) {
  if (keep_.ms == 0) return;
  const std::string series = bytes_of(RowSeries{row.window, row.horizon, row.segment});
  const Place place(series, row.start.ms);
  std::string key = key_of(row_kind, day_of(row.start), series, row.start);
  if (row.stage == Stage::provisional) {
    const int tenth = matured_tenths(row);
    int& last = tenths_[place];
    if (tenth <= last) return;
    last = tenth;
    noted_.emplace_back(key + static_cast<char>(tenth), render_json(row));
    noted_.emplace_back(day_key(series_kind, day_of(row.start)) + series + has_provisional, "");
    return;
  }
  tenths_.erase(place);
  if (row.stage != Stage::final) return;
  noted_.emplace_back(key + final_stage, render_json(row));
  std::string newest;
  append_big_endian(newest, static_cast<std::uint64_t>(std::max<std::int64_t>(row.start.ms, 0)));
  noted_.emplace_back(day_key(series_kind, day_of(row.start)) + series + has_final, std::move(newest));
  std::vector<Comparable> values = comparable_of(row);
  if (values.empty()) return;
  key.front() = comparable_kind;
  noted_.emplace_back(std::move(key), bytes_of(values));
}

void RowArchive::save(StateBatch& batch, EventTime watermark) {
  for (auto& [key, value] : std::exchange(noted_, {})) batch.put(std::move(key), std::move(value));
  if (watermark == minus_infinity || watermark == plus_infinity) return;
  const std::int64_t first_kept = day_of(watermark - keep_ - longest_window_);
  if (first_kept <= dropped_to_) return;
  dropped_to_ = first_kept;
  for (const char kind : {row_kind, comparable_kind, series_kind}) {
    batch.erase_range(day_key(kind, 0), day_key(kind, first_kept));
  }
  // Windows that lost all their lists never become final.
  std::erase_if(tenths_, [&](const auto& one) { return day_of(EventTime{std::get<1>(one.first)}) < first_kept; });
}

Result<void> RowArchive::read(const StateStore& store, const Query& query, const Visit& visit) {
  const auto wanted = static_cast<std::uint8_t>(query.tenth == 0 ? final_stage : static_cast<char>(query.tenth));
  std::optional<EventTime> last;
  return scan_series(store, row_kind, query, [&](EventTime start, std::string_view rest, std::string_view value) {
    if (rest.size() != 1 || last == start) return true;
    const auto stage = static_cast<std::uint8_t>(rest.front());
    const bool is_final = stage == static_cast<std::uint8_t>(final_stage);
    if (stage < wanted || (query.tenth > 0 && is_final)) return true;
    last = start;
    return visit(start, value);
  });
}

Result<std::vector<KeptSeries>> RowArchive::series(const StateStore& store, std::size_t series_max) {
  const auto is_indexed = store.get(std::string_view(&series_kind, 1));
  if (!is_indexed) return tl::unexpected(is_indexed.error());
  std::map<std::string, KeptSeries> known;
  const auto note = [&](std::int64_t day, RowSeries series, std::optional<EventTime> newest_final) {
    const EventTime end{(day + 1) * day_ms};
    std::string bytes = bytes_of(series);
    KeptSeries& one = known.try_emplace(std::move(bytes), KeptSeries{std::move(series), end, {}}).first->second;
    one.newest = std::max(one.newest, end);
    if (newest_final) one.newest_final = std::max(one.newest_final.value_or(*newest_final), *newest_final);
  };
  const char kind = *is_indexed ? series_kind : row_kind;
  const auto days = days_of(store, kind);
  if (!days) return tl::unexpected(days.error());
  for (auto day = days->rbegin(); day != days->rend() && known.size() < series_max; ++day) {
    auto read = *is_indexed ? for_each_indexed(store, *day, note) : for_each_with_rows(store, *day, note);
    if (!read) return tl::unexpected(std::move(read).error());
  }
  std::vector<KeptSeries> series;
  for (auto& [bytes, one] : known) series.push_back(std::move(one));
  return series;
}

Result<void> RowArchive::open(const StateStore& store) {
  const std::string marker(1, series_kind);
  const auto is_indexed = store.get(marker);
  if (!is_indexed) return tl::unexpected(is_indexed.error());
  if (*is_indexed || keep_.ms == 0) return {};
  const auto days = days_of(store, row_kind);
  if (!days) return tl::unexpected(days.error());
  for (const std::int64_t day : *days) {
    auto read = for_each_with_rows(store, day, [&](std::int64_t of, const RowSeries& series, std::optional<EventTime>) {
      noted_.emplace_back(day_key(series_kind, of) + bytes_of(series) + has_provisional, "");
    });
    if (!read) return read;
  }
  noted_.emplace_back(marker, "");
  return {};
}

Result<void> RowArchive::read_comparable(const StateStore& store, const Query& query, const Compare& visit) {
  bool is_sound = true;
  auto scanned =
      scan_series(store, comparable_kind, query, [&](EventTime start, std::string_view rest, std::string_view value) {
        const auto values = comparable_from(value);
        is_sound = values && rest.empty();
        return is_sound && visit(start, *values);
      });
  if (!scanned) return scanned;
  if (!is_sound) return damaged();
  return {};
}

}  // namespace recmeter
