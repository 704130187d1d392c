// `experiments`: which arms are compared, by what, and when.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "config/readers.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter::config {

namespace {

constexpr std::size_t experiments_max = 64;
constexpr std::size_t arms_max = 10;
constexpr std::size_t tests_max = 1000;
constexpr Range<double> change{1e-9, 1e9};
constexpr Duration a_week{7 * one_day.ms};

// One entry of `experiments` while it is read.
class ExperimentReader {
 public:
  ExperimentReader(const Value& entry, const Config& config, Faults& faults)
      : entry_(entry), config_(config), section_(faults, entry.node, entry.path) {}

  ExperimentSpec read() {
    if (const auto name = section_.take("name")) spec_.name = read_name(reader(), *name).value_or("");
    const auto teams = section_.take("teams");
    if (teams) read_teams(*teams);
    if (!section_.has("teams")) read_arms();
    read_times();
    section_.read(experiment_keys, spec_);
    // People differ by the day of the week.
    spec_.is_min_duration_written = section_.has("min_duration");
    if (!spec_.is_min_duration_written) spec_.min_duration = std::min(a_week, spec_.duration);
    if (teams) spec_.assign = Assign::list;
    read_allocation();
    read_cuped();
    spec_.primary = read_tests("primary");
    spec_.guardrails = read_tests("guardrails");
    spec_.secondary = read_tests("secondary");
    section_.finish();
    if (section_.faults().none_in({entry_.path})) spec_.draft ? check_draft() : void();
    if (section_.faults().none_in({entry_.path})) check();
    return std::move(spec_);
  }

 private:
  ValueReader& reader() { return section_.reader(); }
  // What is wrong with a value in the light of others, under the experiment's name.
  void refuse(const Node& at, std::string cause, std::string remedy) {
    section_.faults().add(at.place, "experiments." + spec_.name, std::move(cause), std::move(remedy));
  }
  // Where a key is written, else where the experiment is.
  [[nodiscard]] const Node& node_of(std::string_view key) {
    const auto& keys = entry_.node->keys;
    const auto at = std::ranges::find(keys, key);
    return at == keys.end() ? *entry_.node : entry_.node->items[static_cast<std::size_t>(at - keys.begin())];
  }
  void miss(std::string_view key, std::string remedy) {
    if (!section_.faults().none_in({section_.path_of(key)})) return;
    reader().complain(entry_, fmt::format("has no `{}`", key), std::move(remedy));
  }

  void read_arms() {
    const auto value = section_.take("arms");
    if (!value) return miss("arms", "say which lists belong to which arm: arms: {key: variant, values: [A, B], control: A}");
    if (!reader().is_mapping(*value, "arms: {key: variant, values: [A, B], control: A}")) return;
    Section arms(section_.faults(), value->node, value->path);
    const auto key = arms.take("key");
    const auto values = arms.take("values");
    const auto control = arms.take("control");
    arms.finish();
    if (!key || !values || !control) {
      if (section_.faults().none_in({value->path})) {
        reader().complain(*value, "lacks `key`, `values` or `control`", "write {key: variant, values: [A, B], control: A}");
      }
      return;
    }
    spec_.arms.key = reader().text(*key, segment_bytes_max).value_or("");
    read_arm_values(*values);
    const auto name = reader().text(*control, segment_bytes_max);
    if (!name) return;
    const auto& names = spec_.arms.values;
    spec_.arms.control = static_cast<std::size_t>(std::ranges::find(names, *name) - names.begin());
    if (spec_.arms.key == recommender_key) {
      refuse(*key->node, "arms.key: recommender is a lane, not an arm",
             "write the segment key that says which arm was shown");
    } else if (spec_.arms.control == names.size() && section_.faults().none_in({values->path})) {
      refuse(*control->node, fmt::format("control {} is not an arm", *name), "write one of arms.values");
    }
  }

  // Instead of arms: two teams that draft each list.
  void read_teams(const Value& value) {
    if (!reader().is_mapping(value, "teams: {a: A, b: B}")) return;
    Section teams(section_.faults(), value.node, value.path);
    for (const std::string_view key : {"a", "b"}) {
      const auto team = teams.take(key);
      if (!team && section_.faults().none_in({value.path})) {
        reader().complain(value, fmt::format("lacks `{}`", key), "name both as `teams` of impressions does: {a: A, b: B}");
      }
      if (team) spec_.arms.values.push_back(reader().text(*team, segment_bytes_max).value_or(""));
    }
    teams.finish();
    spec_.draft.emplace();
    if (spec_.arms.values.size() == 2 && spec_.arms.values[0] == spec_.arms.values[1]) {
      reader().complain(value, "names one team twice", "name two: {a: A, b: B}");
    }
    for (const std::string_view key : {"arms", "allocation", "cuped", "assign"}) {
      if (!section_.take(key)) continue;
      section_.faults().add_at(section_.path_of(key), fmt::format("`{}` is of arms, and teams draft each list", key),
                               "remove it, or `teams`");
    }
  }

  void check_draft() {
    constexpr std::string_view begin = "team_draft{action=";
    const std::string& metric = spec_.primary.front().metric;
    if (metric.starts_with(begin) && metric.ends_with('}')) {
      spec_.draft->action = metric.substr(begin.size(), metric.size() - begin.size() - 1);
      return;
    }
    refuse(node_of("primary"), fmt::format("{} is not what teams are compared by", metric),
           "write primary: [{metric: \"team_draft{action=click}\", mde: {absolute: 0.02}}]");
  }

  void read_arm_values(const Value& value) {
    const auto entries = reader().list(value, "[A, B]", arms_max);
    if (!entries) return;
    for (const Value& entry : *entries) {
      const auto text = reader().text(entry, segment_bytes_max);
      if (!text) continue;
      if (std::ranges::find(spec_.arms.values, *text) != spec_.arms.values.end()) {
        reader().complain_of(entry, "is there twice", "remove one");
        continue;
      }
      spec_.arms.values.push_back(*text);
    }
    if (entries->size() < 2) reader().complain(value, "names fewer than 2 arms", "write 2 to 10: [A, B]");
  }

  void read_times() {
    const auto start = section_.take("start");
    if (!start) miss("start", "write from when lists count: start: 2026-11-01T00:00:00Z");
    if (const auto text = start ? reader().text(*start, 64) : std::nullopt) {
      const Parsed<EventTime> time = parse_time(*text);
      time ? void(spec_.start = *time) : reader().complain_of(*start, time.error().message, time.error().remedy);
    }
    const auto duration = section_.take("duration");
    if (!duration) miss("duration", "write when the last look is: duration: 28d");
    if (duration) spec_.duration = reader().duration(*duration, {one_minute, duration_max}).value_or(spec_.duration);
    const auto horizon = section_.take("horizon");
    if (horizon) spec_.horizon = reader().duration(*horizon, {Duration{1}, year}).value_or(spec_.horizon);
    const std::vector<Duration>& horizons = config_.spec.join.horizons;
    if (horizon || horizons.empty() || !section_.faults().none_in({"join.horizons"})) return;
    if (horizons.size() > 1) miss("horizon", "write at which of join.horizons it is judged");
    spec_.horizon = horizons.front();
  }

  void read_allocation() {
    const std::size_t arms = spec_.arms.values.size();
    spec_.allocation.assign(arms, arms == 0 ? 1 : 1.0 / static_cast<double>(arms));
    const auto value = section_.take("allocation");
    const auto entries = value ? reader().list(*value, "[0.5, 0.5]", tests_max) : std::nullopt;
    if (!entries) return;
    spec_.allocation.clear();
    for (const Value& entry : *entries) {
      if (const auto share = reader().number(entry, {1e-6, 1})) spec_.allocation.push_back(*share);
    }
    if (!section_.faults().none_in({entry_.path})) return;
    const double sum = std::accumulate(spec_.allocation.begin(), spec_.allocation.end(), 0.0);
    if (entries->size() != arms) {
      refuse(*value->node, fmt::format("allocation has {} numbers for {} arms", entries->size(), arms),
             "write one share for each of arms.values, in their order");
    } else if (std::abs(sum - 1) > 1e-9) {
      refuse(*value->node, fmt::format("allocation sums to {}", sum), "write shares that sum to 1");
    }
  }

  void read_cuped() {
    const auto value = section_.take("cuped");
    if (!value || !reader().is_mapping(*value, "cuped: {before: 7d}")) return;
    Section cuped(section_.faults(), value->node, value->path);
    if (const auto before = cuped.take("before")) {
      spec_.cuped_before = reader().duration(*before, {one_minute, year}).value_or(Duration{0});
    } else if (section_.faults().none_in({value->path})) {
      reader().complain(*value, "has no `before`", "write how long before the start lists are looked at: {before: 7d}");
    }
    cuped.finish();
  }

  // An entry is a metric's key, or a mapping.
  std::vector<MetricTest> read_tests(std::string_view key) {
    const bool decides = key == "primary";
    const auto value = section_.take(key);
    if (!value && decides) miss(key, "name what decides: primary: [{metric: \"precision@10\", mde: 0.02}]");
    const auto entries = value ? reader().list(*value, "[{metric: \"precision@10\", mde: 0.02}]", tests_max) : std::nullopt;
    std::vector<MetricTest> tests;
    if (!entries) return tests;
    if (entries->empty() && decides) reader().complain(*value, "names no metric", "write what decides");
    for (const Value& entry : *entries) {
      MetricTest test = read_test(entry, key == "guardrails" ? "margin" : "mde", decides);
      if (test.metric.empty()) continue;
      if (std::ranges::find(tests, test.metric, &MetricTest::metric) != tests.end()) {
        reader().complain_of(entry, "is there twice", "remove one");
      }
      tests.push_back(std::move(test));
    }
    return tests;
  }

  MetricTest read_test(const Value& entry, std::string_view change_key, bool decides) {
    const bool is_name = entry.node->kind == Node::Kind::scalar;
    if (!is_name && !reader().is_mapping(entry, "{metric: \"precision@10\", better: higher, mde: 0.02}")) return {};
    Section section(section_.faults(), is_name ? nullptr : entry.node, entry.path);
    const auto name = is_name ? std::optional(entry) : section.take("metric");
    const auto better = section.take("better");
    const auto mde = section.take(change_key);
    section.finish();
    MetricTest test{.metric = {}};
    if (name) test.metric = reader().text(*name, 256).value_or("");
    if (!name && section_.faults().none_in({entry.path})) {
      reader().complain(entry, "has no `metric`", "write its key as rows show it: metric: \"precision@10\"");
    }
    if (better) {
      if (const auto word = reader().word(*better, better_words)) test.better = static_cast<Better>(*word);
    }
    if (mde) {
      read_change(*mde, test);
    } else if (decides && !section.has(change_key)) {
      refuse(*entry.node, "primary needs mde: the relative change worth acting on", "write {metric: NAME, mde: 0.02}");
    } else if (!spec_.primary.empty()) {
      take_first_change(*entry.node, change_key, test);
    }
    return test;
  }

  void take_first_change(const Node& at, std::string_view key, MetricTest& test) {
    const MetricTest& first = spec_.primary.front();
    test.mde = first.mde;
    if (!first.is_absolute || !section_.faults().none_in({section_.path_of("primary")})) return;
    refuse(at,
           fmt::format("{} needs {}: the first primary's mde is absolute, which says nothing of another metric", test.metric,
                       key),
           fmt::format("write {{metric: \"{}\", {}: 0.02}}", test.metric, key));
  }

  // A relative change, or {absolute: x}.
  void read_change(const Value& value, MetricTest& test) {
    test.is_absolute = value.node->kind == Node::Kind::mapping;
    if (!test.is_absolute) {
      test.mde = reader().number(value, change).value_or(0);
      return;
    }
    Section section(section_.faults(), value.node, value.path);
    const auto absolute = section.take("absolute");
    section.finish();
    if (absolute) {
      test.mde = reader().number(*absolute, change).value_or(0);
    } else if (section_.faults().none_in({value.path})) {
      reader().complain(value, "has no `absolute`", "write {absolute: 0.01}, or a relative change such as 0.02");
    }
  }

  void check() {
    const std::string every = text_of(spec_.every);
    if (spec_.every.ms % one_minute.ms != 0) {
      refuse(node_of("every"), fmt::format("every must be a multiple of 1m, and is {}", every), "write 1m, 5m or 1h");
      return;
    }
    if (spec_.start.ms % spec_.every.ms != 0) {
      refuse(node_of("start"), fmt::format("start must be a multiple of every ({})", every),
             "count from 1970-01-01T00:00:00Z: write a whole hour where every is 1h");
    }
    if (spec_.duration.ms % spec_.every.ms != 0) {
      refuse(node_of("duration"), "duration must be a multiple of every", fmt::format("write a multiple of {}", every));
    }
    if (spec_.min_duration > spec_.duration) {
      refuse(node_of("min_duration"), "min_duration exceeds duration",
             fmt::format("write at most {}", text_of(spec_.duration)));
    }
    if (spec_.cuped_before.ms > 0 && spec_.assign != Assign::user) {
      refuse(node_of("cuped"), "cuped needs assign: user",
             "remove cuped: where lists are randomised it has no users to look at");
    }
  }

  const Value& entry_;
  const Config& config_;
  Section section_;
  ExperimentSpec spec_;
};

}  // namespace

void read_experiments(Section& root, Config& config) {
  const auto value = root.take("experiments");
  const auto entries = value ? root.reader().list(*value, "[{name: ranker-7, arms: ...}]", experiments_max) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    if (!root.reader().is_mapping(entry, "{name: ranker-7, arms: {key: variant, values: [A, B], control: A}, ...}")) continue;
    ExperimentSpec spec = ExperimentReader(entry, config, root.faults()).read();
    if (spec.name.empty() && root.faults().none_in({entry.path})) {
      root.reader().complain(entry, "has no `name`", "name it: rows say which experiment they are of");
    }
    if (!spec.name.empty() &&
        std::ranges::find(config.spec.experiments, spec.name, &ExperimentSpec::name) != config.spec.experiments.end()) {
      root.reader().complain(entry, fmt::format("has the name of another experiment, {}", spec.name),
                             "give each a name of its own");
    }
    config.spec.experiments.push_back(std::move(spec));
  }
}

}  // namespace recmeter::config
