#include "recmeter/live/kept_sums.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

constexpr std::uint64_t sums_form = 1;
constexpr std::uint64_t shown_max = 100'000;  // ranks or groups of a row

// Event times are positive.
std::string time_key(EventTime final_at) {
  return state_key::numbered(state_key::kept_sums, static_cast<std::uint64_t>(std::max<std::int64_t>(final_at.ms, 0)));
}

std::string metric_key(EventTime final_at, std::string_view metric) {
  ByteWriter to;
  to.add_text(metric);
  return time_key(final_at) + to.take();
}

std::string key_of(const Row& row, std::string_view metric) {
  ByteWriter start;
  start.add_signed(row.start.ms);
  return metric_key(row.end + row.horizon, metric) + state_key::series_bytes(row) + start.take();
}

void write(ByteWriter& to, const std::optional<double>& number) {
  to.add(number ? 1 : 0);
  if (number) to.add_double(*number);
}
std::optional<double> read_optional(ByteReader& from) {
  return from.number() != 0 ? std::optional(from.number_double()) : std::nullopt;
}

// Groups with lists.
void write(ByteWriter& to, const GroupSums& sums) {
  to.add(static_cast<std::uint64_t>(std::ranges::count_if(sums.lists, [](std::uint64_t lists) { return lists > 0; })));
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (sums.lists[g] == 0) continue;
    to.add(g);
    to.add(sums.lists[g]);
    to.add(sums.evidence[g]);
    to.add_fixed(static_cast<std::uint64_t>(sums.value[g]));
    to.add_signed(static_cast<std::int64_t>(sums.value[g] >> 64));
  }
}
std::optional<GroupSums> read_sums(ByteReader& from) {
  GroupSums sums;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    const std::uint64_t g = from.number();
    if (g >= user_groups) return std::nullopt;
    sums.lists[g] = from.number();
    sums.evidence[g] = from.number();
    const std::uint64_t low = from.fixed();
    sums.value[g] = (Int128{from.signed_number()} << 64) + Int128{low};
  }
  return from.has_failed() ? std::nullopt : std::optional(sums);
}

void write(ByteWriter& to, const ShownCounts& shown) {
  to.add(shown.ranks.size());
  for (const ShownCounts::OfRank& rank : shown.ranks) {
    to.add(rank.hits);
    to.add(rank.first);
  }
  to.add(shown.groups.size());
  if (!shown.groups.empty()) to.add_fixed(shown.groups_id);
  for (const ShownCounts::OfGroup& group : shown.groups) {
    to.add(group.shown);
    to.add(group.hits);
  }
}
std::optional<ShownCounts> read_shown(ByteReader& from) {
  ShownCounts shown;
  const std::uint64_t ranks = from.number();
  if (ranks > shown_max) return std::nullopt;
  for (std::uint64_t left = ranks; left > 0 && !from.has_failed(); --left) {
    const std::uint64_t hits = from.number();
    shown.ranks.push_back({.hits = hits, .first = from.number()});
  }
  const std::uint64_t groups = from.number();
  if (groups > shown_max) return std::nullopt;
  if (groups > 0) shown.groups_id = from.fixed();
  for (std::uint64_t left = groups; left > 0 && !from.has_failed(); --left) {
    const std::uint64_t items = from.number();
    shown.groups.push_back({.shown = items, .hits = from.number()});
  }
  return from.has_failed() ? std::nullopt : std::optional(std::move(shown));
}

std::string bytes_of(const Row& row, const MetricValue& metric) {
  ByteWriter to;
  to.add(sums_form);
  to.add_text(row.evaluator);
  to.add_text(row.config);
  to.add_signed(row.end.ms);
  to.add(row.lists);
  to.add(row.incomplete.size());
  for (const std::string& reason : row.incomplete) to.add_text(reason);
  write(to, metric.value);
  to.add(metric.ci ? 1 : 0);
  if (metric.ci) {
    to.add_double(metric.ci->first);
    to.add_double(metric.ci->second);
  }
  write(to, metric.relevant_share);
  write(to, metric.given_relevant);
  write(to, *metric.group_sums);
  to.add(metric.shown ? 1 : 0);
  if (metric.shown) write(to, *metric.shown);
  return to.take();
}

bool read_value(ByteReader& from, Row& row) {
  if (from.number() != sums_form) return false;
  row.evaluator = from.text();
  row.config = from.text();
  row.end = EventTime{from.signed_number()};
  row.lists = from.number();
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) row.incomplete.emplace_back(from.text());
  MetricValue& metric = row.metrics.front();
  metric.value = read_optional(from);
  if (from.number() != 0) {
    const double low = from.number_double();
    metric.ci = {low, from.number_double()};
  }
  metric.relevant_share = read_optional(from);
  metric.given_relevant = read_optional(from);
  auto sums = read_sums(from);
  if (!sums) return false;
  metric.group_sums = std::make_shared<GroupSums>(*sums);
  if (from.number() == 0) return from.is_done();
  auto shown = read_shown(from);
  if (!shown || !from.is_done()) return false;
  metric.shown = std::make_shared<ShownCounts>(std::move(*shown));
  return true;
}

// `rest`: of the key, behind the metric.
std::optional<Row> row_from(std::string_view metric, std::string_view rest, std::string_view value) {
  ByteReader key(rest);
  Row row;
  row.window = key.text();
  row.horizon = Duration{key.signed_number()};
  for (std::uint64_t left = key.number(); left > 0 && !key.has_failed(); --left) {
    std::string name(key.text());
    row.segment.emplace_back(std::move(name), key.text());
  }
  row.start = EventTime{key.signed_number()};
  row.metrics.emplace_back().key = metric;
  ByteReader from(value);
  if (!key.is_done() || !read_value(from, row)) return std::nullopt;
  return row;
}

// Times at which rows that are kept became final, ascending.
Result<std::vector<EventTime>> times_in(const StateStore& store) {
  std::vector<EventTime> times;
  std::string next = state_key::first(state_key::kept_sums);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    auto scanned = store.scan(next, state_key::after(state_key::kept_sums), [&](std::string_view key, std::string_view) {
      goes_on = true;
      times.push_back(EventTime{static_cast<std::int64_t>(state_key::number_in(key))});
      return false;
    });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
    if (goes_on) next = time_key(times.back() + Duration{1});
  }
  return times;
}

}  // namespace

void KeptSums::note(const Row& row) {
  if (keep_.ms == 0 || row.stage != Stage::final) return;
  for (const MetricValue& metric : row.metrics) {
    if (!metric.group_sums) continue;
    noted_.emplace_back(key_of(row, metric.key), bytes_of(row, metric));
    noted_bytes_ += noted_.back().first.size() + noted_.back().second.size();
  }
}

void KeptSums::save(StateBatch& batch, EventTime w) {
  if (keep_.ms == 0) {
    if (dropped_to_ == minus_infinity) {
      batch.erase_range(state_key::first(state_key::kept_sums), state_key::after(state_key::kept_sums));
    }
    dropped_to_ = plus_infinity;
    return;
  }
  for (auto& [key, value] : std::exchange(noted_, {})) batch.put(std::move(key), std::move(value));
  noted_bytes_ = 0;
  if (w == minus_infinity || w == plus_infinity) return;
  // Ranges are dropped by the minute: each one costs those that read.
  const EventTime over{(w - keep_).ms / one_minute.ms * one_minute.ms};
  if (over <= dropped_to_ || over.ms <= 0) return;
  dropped_to_ = over;
  batch.erase_range(time_key(EventTime{0}), time_key(over));
}

Result<void> KeptSums::read(const StateStore& store, std::string_view metric, Duration keep, const Visit& visit) {
  const auto times = times_in(store);
  if (!times) return tl::unexpected(times.error());
  for (const EventTime time : *times) {
    if (time + keep <= times->back()) continue;
    const std::string from = metric_key(time, metric);
    bool is_sound = true;
    bool goes_on = true;
    auto scanned = store.scan(from, time_key(time + Duration{1}), [&](std::string_view key, std::string_view value) {
      if (!key.starts_with(from)) return false;
      auto row = row_from(metric, key.substr(from.size()), value);
      is_sound = row.has_value();
      goes_on = is_sound && visit(std::move(*row));
      return goes_on;
    });
    if (!scanned) return scanned;
    if (!is_sound) {
      return failure(Errc::state_unusable,
                     "the state is damaged: sums kept for `why` cannot be read; restore it, or move it away and start again");
    }
    if (!goes_on) return {};
  }
  return {};
}

}  // namespace recmeter
