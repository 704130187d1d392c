#include "app/why/change.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "app/console/text_layout.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/result/render.h"

namespace recmeter::why {

namespace {

constexpr double adds_up_within = 1e-9;

// Two windows, perhaps the same one, and what is compared of each.
struct Pair {
  std::string window;
  const KeptMeans::Rows* a = nullptr;
  const KeptMeans::Rows* b = nullptr;
  Segment whole_a;
  Segment whole_b;
};

std::vector<std::string> quoted_names(const std::set<std::string>& names) {
  constexpr std::size_t shown_max = 40;
  std::vector<std::string> out(names.begin(), names.end());
  if (out.size() > shown_max) {
    out.resize(shown_max);
    out.push_back("...");
  }
  return out;
}

// The segment of all lists: of lanes those that were shown.
Segment base_of(const KeptMeans::Rows& rows, std::string_view key) {
  const Segment logged{{recommender_key, logged_lane}};
  return key != recommender_key && !rows.contains(Segment{}) && rows.contains(logged) ? logged : Segment{};
}

Segment with(Segment segment, const std::string& key, const std::string& value) {
  segment.emplace_back(key, value);
  std::ranges::sort(segment);
  return segment;
}

// The key and value that a segment has beyond those of `whole`. Empty: it is no such segment.
std::optional<std::pair<std::string, std::string>> beyond(const Segment& segment, const Segment& whole) {
  if (segment.size() != whole.size() + 1 || !std::ranges::includes(segment, whole)) return std::nullopt;
  Segment rest;
  std::ranges::set_difference(segment, whole, std::back_inserter(rest));
  return rest.size() == 1 ? std::optional(rest.front()) : std::nullopt;
}

// The newest window that ends by then.
KeptMeans::Windows::const_iterator newest_by(const KeptMeans::Windows& windows, EventTime end) {
  auto at = windows.end();
  while (at != windows.begin()) {
    --at;
    if (at->second.begin()->second.end <= end) return at;
  }
  return windows.end();
}

KeptMeans::Windows::const_iterator compared_with(const KeptMeans::Windows& windows, EventTime start, const Against& against) {
  if (const auto* time = std::get_if<EventTime>(&against)) return newest_by(windows, std::min(*time, start));
  if (const auto* before = std::get_if<Duration>(&against)) return windows.find(EventTime{start.ms - before->ms});
  const auto a_day_before = windows.find(EventTime{start.ms - one_day.ms});
  return a_day_before != windows.end() ? a_day_before : newest_by(windows, start);
}

std::string windows_text(const KeptMeans::Windows& windows) {
  if (windows.empty()) return "none is final";
  const auto start_of = [](const auto& window) { return render_utc(window.first); };
  if (windows.size() == 1) return "one is final, from " + start_of(*windows.begin());
  return "those that are final begin from " + start_of(*windows.begin()) + " to " + start_of(*windows.rbegin());
}

Result<Pair> pair_of_windows(const KeptMeans& means, const Request& request, const std::string& name, Duration horizon) {
  const KeptMeans::Windows& windows = means.windows(name, horizon, Stage::final);
  const auto b = newest_by(windows, request.at.value_or(plus_infinity));
  const auto a = b == windows.end() ? windows.end() : compared_with(windows, b->first, request.against);
  if (a == windows.end() || a == b) {
    return failure(Errc::input_missing,
                   "there are no two windows `" + name + "` to compare: " + windows_text(windows) +
                       "; choose others with --window, --at and --against, or two values of a segment key "
                       "with --key, --a and --b");
  }
  const Segment base = base_of(b->second, {});
  return Pair{.window = name, .a = &a->second, .b = &b->second, .whole_a = base, .whole_b = base};
}

std::string values_text(const KeptMeans::Rows& rows, const Segment& base, const std::string& key) {
  std::vector<std::string> values;
  std::set<std::string> keys;
  for (const auto& [segment, mean] : rows) {
    const auto rest = beyond(segment, base);
    if (!rest) continue;
    keys.insert(rest->first);
    if (rest->first == key) values.push_back(rest->second);
  }
  if (values.empty()) return "there is no segment key `" + key + "`; keys are " + joined(", ", quoted_names(keys));
  return "values of `" + key + "` are " + joined(", ", values);
}

Result<Pair> pair_of_values(const KeptMeans& means, const Request& request, const std::string& name, Duration horizon) {
  for (const Stage stage : {Stage::final, Stage::truncated}) {
    const KeptMeans::Windows& windows = means.windows(name, horizon, stage);
    const auto at = newest_by(windows, request.at.value_or(plus_infinity));
    if (at == windows.end()) continue;
    const KeptMeans::Rows& rows = at->second;
    const Segment base = base_of(rows, request.key);
    Pair pair{.window = name,
              .a = &rows,
              .b = &rows,
              .whole_a = with(base, request.key, request.a),
              .whole_b = with(base, request.key, request.b)};
    for (const auto* whole : {&pair.whole_a, &pair.whole_b}) {
      if (rows.contains(*whole)) continue;
      return failure(Errc::config_invalid, "window `" + name + "` from " + render_utc(at->first) + " has no row of " +
                                               request.key + "=" + (whole == &pair.whole_a ? request.a : request.b) + "; " +
                                               values_text(rows, base, request.key));
    }
    return pair;
  }
  return failure(Errc::input_missing, "there is no window `" + name + "` that ends by --at; choose another with --window");
}

// The windows of a name are as long as the newest one.
Duration length_of(const KeptMeans& means, const std::string& name, Duration horizon) {
  for (const Stage stage : {Stage::final, Stage::truncated}) {
    const KeptMeans::Windows& windows = means.windows(name, horizon, stage);
    if (windows.empty()) continue;
    const KeptMean& any = windows.rbegin()->second.begin()->second;
    return any.end - any.start;
  }
  return {};
}

Result<Pair> pair_of(const KeptMeans& means, const Request& request, Duration horizon) {
  const auto of_name = [&](const std::string& name) {
    return request.key.empty() ? pair_of_windows(means, request, name, horizon)
                               : pair_of_values(means, request, name, horizon);
  };
  std::vector<std::string> names = means.names(horizon);
  if (!request.window.empty()) {
    if (std::ranges::find(names, request.window) != names.end()) return of_name(request.window);
    return failure(Errc::config_invalid,
                   "--window: there is no window `" + request.window + "`; there are " + joined(", ", names));
  }
  std::ranges::stable_sort(names, [&](const std::string& a, const std::string& b) {
    return length_of(means, a, horizon) > length_of(means, b, horizon);
  });
  Result<Pair> last = failure(Errc::input_missing, "there is no window to compare");
  for (const std::string& name : names) {
    last = of_name(name);
    if (last) return last;
  }
  return last;
}

using Values = std::map<std::string, SegmentRows>;

std::map<std::string, Values> values_below(const Pair& pair) {
  std::map<std::string, Values> out;
  const auto add = [&](const KeptMeans::Rows& rows, const Segment& whole, MeanRow SegmentRows::* side) {
    const std::string& config = rows.at(whole).config;
    for (const auto& [segment, mean] : rows) {
      const auto rest = beyond(segment, whole);
      if (!rest || mean.config != config) continue;
      SegmentRows& at = out[rest->first][rest->second];
      at.value = rest->second;
      at.*side = mean.mean;
    }
  };
  add(*pair.a, pair.whole_a, &SegmentRows::a);
  add(*pair.b, pair.whole_b, &SegmentRows::b);
  return out;
}

enum class Sums { add_up, lack_rows, differ };

Sums sums_of(const KeyRows& key, MeanRow SegmentRows::* side, const MeanFacts& whole) {
  std::uint64_t lists = 0;
  double sum = 0;
  for (const SegmentRows& segment : key.segments) {
    const MeanFacts& facts = (segment.*side).facts;
    lists += facts.lists;
    sum += static_cast<double>(facts.lists) * facts.value.value_or(0);
  }
  if (lists != whole.lists) return Sums::lack_rows;
  const double value = whole.value.value_or(0);
  const double mean = lists == 0 ? 0 : sum / static_cast<double>(lists);
  return std::abs(mean - value) <= adds_up_within * std::max(1.0, std::abs(value)) ? Sums::add_up : Sums::differ;
}

Result<void> add_keys(Change& change, const Pair& pair, const Request& request) {
  std::vector<std::string> names;
  for (auto& [name, values] : values_below(pair)) {
    names.push_back(name);
    if (!request.by.empty() && name != request.by) continue;
    KeyRows key{.key = name, .segments = {}};
    for (auto& [value, rows] : values) key.segments.push_back(std::move(rows));
    const auto of_a = sums_of(key, &SegmentRows::a, change.a.mean.facts);
    const auto of_b = sums_of(key, &SegmentRows::b, change.b.mean.facts);
    if (of_a == Sums::differ || of_b == Sums::differ) {
      return failure(Errc::input_corrupt, "the means of `" + name +
                                              "` do not add up to that of all lists: " + request.metric +
                                              " leaves lists out that rows do not count; replay the log with --config");
    }
    if (of_a == Sums::lack_rows || of_b == Sums::lack_rows) {
      change.keys_left_out.push_back(name);
    } else {
      change.keys.push_back(std::move(key));
    }
  }
  if (request.by.empty() || std::ranges::find(change.keys, request.by, &KeyRows::key) != change.keys.end()) return {};
  if (!change.keys_left_out.empty()) {
    return failure(Errc::config_invalid, "--by: some rows of `" + request.by + "` are missing, so parts would not add up");
  }
  return failure(Errc::config_invalid,
                 "--by: there is no segment key `" + request.by + "` below what is compared" +
                     (names.empty() ? std::string("; configure it under `segments`") : "; there are " + joined(", ", names)));
}

}  // namespace

Result<void> check(const Request& request) {
  const bool has_values = !request.a.empty() && !request.b.empty();
  if (request.key.empty() != !has_values || (request.a.empty() != request.b.empty())) {
    return failure(Errc::config_invalid, "--key, --a and --b go together: --key variant --a A --b B");
  }
  if (!request.key.empty() && !std::holds_alternative<std::monostate>(request.against)) {
    return failure(Errc::config_invalid, "--against is for two windows, --key for two values in one; drop one");
  }
  if (!request.key.empty() && request.a == request.b) {
    return failure(Errc::config_invalid, "--a and --b are the same value; name two");
  }
  return {};
}

KeepRule keep_rule_of(const Request& request) {
  KeepRule rule{.at = request.at.value_or(plus_infinity)};
  if (!request.key.empty()) rule.reach = Duration{0};
  if (const auto* before = std::get_if<Duration>(&request.against)) rule.reach = *before;
  if (const auto* time = std::get_if<EventTime>(&request.against)) {
    rule.reach = Duration{0};
    rule.against = *time;
  }
  return rule;
}

Result<Change> change_of(const KeptMeans& means, const Request& request) {
  if (means.evaluators().size() > 1) {
    return failure(Errc::input_corrupt, "these are rows of several evaluators, " +
                                            joined(", ", quoted_names(means.evaluators())) + "; give those of one");
  }
  const auto horizon = means.longest_horizon();
  if (!horizon) {
    if (means.is_known()) {
      return failure(Errc::input_missing, "no window of " + request.metric + " ends by --at");
    }
    if (means.metrics().empty()) return failure(Errc::input_missing, "there is no final row to compare");
    return failure(Errc::config_invalid,
                   "rows have no " + request.metric + "; they have " + joined(", ", quoted_names(means.metrics())));
  }
  const auto pair = pair_of(means, request, *horizon);
  if (!pair) return tl::unexpected(pair.error());
  for (const auto& [rows, whole] : {std::pair(pair->a, &pair->whole_a), std::pair(pair->b, &pair->whole_b)}) {
    if (!rows->contains(*whole)) {
      return failure(Errc::input_missing, "window `" + pair->window + "` from " + render_utc(rows->begin()->second.start) +
                                              " has no row of all lists; give all rows of the run");
    }
  }
  Change change{.window = pair->window,
                .horizon = *horizon,
                .a = pair->a->at(pair->whole_a),
                .b = pair->b->at(pair->whole_b),
                .keys = {}};
  for (const KeptMean* side : {&change.a, &change.b}) {
    if (!side->mean.facts.value) {
      return failure(Errc::input_missing, request.metric + " has no value from " + render_utc(side->start) + " to " +
                                              render_utc(side->end) + ": no list is in its mean; choose another window");
    }
  }
  change.has_factors = is_product(change.a.mean.facts) && is_product(change.b.mean.facts);
  if (auto added = add_keys(change, *pair, request); !added) return tl::unexpected(std::move(added).error());
  return change;
}

}  // namespace recmeter::why
