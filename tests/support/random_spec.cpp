#include "support/random_spec.h"

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/batch_metrics.h"
#include "support/dice.h"

namespace recmeter::support {
namespace {

void choose_actions(Dice& dice, JoinRule& join) {
  Duration longest = *std::max_element(join.horizons.begin(), join.horizons.end());
  Action click{.name = "click", .gain = dice.pick<double>({1, 1, 2, 0.5, 0}), .after = {}, .horizon = {}};
  Action purchase{.name = "purchase", .gain = dice.pick<double>({3, 30, 1, 0}), .after = {}, .horizon = {}};
  Action like{.name = "like", .gain = dice.pick<double>({2, 1, 0}), .after = {}, .horizon = {}};
  Action rating{.name = "rating", .gain = dice.pick<double>({0, 0, 1, 5}), .after = {}, .horizon = {}};
  if (dice.percent(50)) {
    rating.from = dice.pick<double>({1.5, 2, 3, 4, 4.5});
    rating.gain = dice.pick<double>({1, 5});
  }
  for (Action* action : {&click, &purchase, &like, &rating}) {
    if (dice.percent(25)) action->horizon = Duration{dice.between(1, longest.ms)};
  }
  join.actions = {click};
  if (dice.percent(70)) join.actions.push_back(purchase);
  if (dice.percent(40)) join.actions.push_back(like);
  if (dice.percent(60)) join.actions.push_back(rating);
  dice.shuffle(join.actions);
  if (join.actions.size() == 1 || !dice.percent(60)) return;
  // Everything after the first action may need it; the first needs nothing.
  const std::size_t before = dice.below(join.actions.size());
  for (std::size_t a = 0; a < join.actions.size(); ++a) {
    if (a != before && dice.percent(70)) join.actions[a].after = before;
  }
}

// Something may take another action back.
void choose_returns(Dice& dice, JoinRule& join) {
  if (!dice.percent(40)) return;
  const std::size_t undone = dice.below(join.actions.size());
  join.actions.push_back({.name = "return", .gain = 0, .after = undone, .undoes = true, .horizon = {}});
}

JoinRule random_join(Dice& dice) {
  JoinRule join;
  if (dice.percent(20)) join.key.by = JoinKey::By::list;
  if (dice.percent(40)) join.key.not_users = {"0", "anonymous"};
  join.credit = dice.pick<Credit>({Credit::last_touch, Credit::first_touch, Credit::every_touch});
  std::vector<Duration> choices{{1000}, {5000}, {20000}, {60000}, {61001}, {180000}, {600000}};
  dice.shuffle(choices);
  join.horizons.assign(choices.begin(), choices.begin() + dice.between(1, 3));
  choose_actions(dice, join);
  choose_returns(dice, join);
  if (dice.percent(50)) join.skew = dice.pick<Duration>({{1}, {500}, {1000}, {7000}});
  join.same_list = dice.pick<Duration>({{1000}, {10000}, {60000}, {1800000}});
  const Duration shortest = *std::min_element(join.horizons.begin(), join.horizons.end());
  const std::int64_t assemble_max = std::min(shortest.ms, join.same_list.ms);
  join.assemble = Duration{std::min(assemble_max, dice.pick<std::int64_t>({1, 500, 2000, 10000, 0}))};
  if (dice.percent(15)) join.whole_lists = WholeLists::own;
  return join;
}

std::vector<WindowSpec> random_windows(Dice& dice) {
  std::vector<WindowSpec> windows;
  for (std::int64_t count = dice.between(1, 3); count > 0; --count) {
    WindowSpec& window = windows.emplace_back();
    window.name = "w" + std::to_string(windows.size());
    window.slide = dice.pick<Duration>({{5000}, {10000}, {30000}, {60000}, {300000}});
    window.size = Duration{window.slide.ms * (dice.percent(50) ? 1 : dice.between(2, 6))};
    if (dice.percent(30)) window.offset = Duration{dice.between(1, window.slide.ms - 1)};
  }
  return windows;
}

std::vector<SegmentSpec> random_segments(Dice& dice) {
  const std::vector<std::string> values{"A", "B", "(none)", "\\(none)", "\\\\x", "7", "absent"};
  std::vector<std::vector<std::string>> combinations{{"v"}, {"s"}, {"v", "s"}, {"s", "v"}};
  dice.shuffle(combinations);
  std::vector<SegmentSpec> segments;
  for (std::size_t count = dice.below(3); count > 0; --count) {
    SegmentSpec& segment = segments.emplace_back();
    segment.keys = combinations[count];
    for (std::size_t kept = dice.below(3); kept > 0; --kept) {
      std::vector<std::string>& tuple = segment.keep.emplace_back();
      for (std::size_t i = 0; i < segment.keys.size(); ++i) tuple.push_back(dice.pick(values));
    }
    std::sort(segment.keep.begin(), segment.keep.end());
    segment.keep.erase(std::unique(segment.keep.begin(), segment.keep.end()), segment.keep.end());
  }
  return segments;
}

std::optional<Catalog> random_catalog(Dice& dice) {
  if (dice.percent(40)) return std::nullopt;
  Catalog catalog;
  catalog.size = static_cast<std::uint64_t>(dice.between(1, 20));
  if (dice.percent(50)) return catalog;
  const bool has_attributes = dice.percent(70);
  for (std::uint64_t i = 0; i < catalog.size; ++i) {
    const std::string item = "i" + std::to_string(2 * i);
    catalog.items.insert(item);
    if (!has_attributes || dice.percent(20)) continue;
    std::set<std::uint32_t> attributes;
    for (std::int64_t count = dice.between(1, 4); count > 0; --count) {
      attributes.insert(static_cast<std::uint32_t>(dice.below(6)));
    }
    catalog.attributes[item].assign(attributes.begin(), attributes.end());
  }
  return catalog;
}

// Of the metric's options, any that it takes; the mean over users only where every window is tumbling.
MetricOptions random_options(Dice& dice, const MetricDefinition& metric, const JoinRule& join, bool tumbling) {
  MetricOptions options;
  if (metric.needs_action || (metric.takes_action && dice.percent(30))) {
    Action action = dice.pick(join.actions);
    if (action.goes_by_value() && metric.is_of_value)
      action = *std::ranges::find(join.actions, std::string("click"), &Action::name);
    // "user scope is refused for an action with `after`, which can miss nothing"
    const bool looks_beyond_list = metric.needs_user && metric.form != MetricForm::mean_over_users;
    if (!looks_beyond_list || !action.after) options.action = action.name;
  }
  const auto choose = [&](MetricOption option, auto& value, auto... choices) {
    if (metric.takes.has(option)) value = dice.pick<std::decay_t<decltype(value)>>({choices...});
  };
  choose(MetricOption::gain, options.gain, GainKind::linear, GainKind::exp2);  // gains here are at most 30
  choose(MetricOption::ap_denominator, options.ap_denominator, ApDenominator::min, ApDenominator::relevant, ApDenominator::k,
         ApDenominator::hits);
  choose(MetricOption::beta, options.beta, 2.0, 0.5, 1.0);
  choose(MetricOption::precision_denominator, options.precision_denominator, PrecisionDenominator::k,
         PrecisionDenominator::shown);
  choose(MetricOption::recall_denominator, options.recall_denominator, RecallDenominator::relevant, RecallDenominator::min);
  choose(MetricOption::ideal, options.ideal, IdealDcg::cut, IdealDcg::ones, IdealDcg::shown, IdealDcg::whole);
  choose(MetricOption::discount, options.discount, Discount::log2, Discount::log2_max2, Discount::rank, Discount::none);
  choose(MetricOption::persistence, options.persistence, 0.8, 0.5, 0.95);
  choose(MetricOption::rank_share, options.rank_share, 0.99, 0.5, 0.07, 1.0);
  if (metric.takes.has(MetricOption::slower_than) && dice.percent(50)) {
    options.slower_than = dice.pick<double>({1, 12, 100});
    options.rank_share = 0.99;  // it is of a rank, or of a bound
  }
  choose(MetricOption::half_life, options.half_life, 5.0, 2.0, 1.5);
  choose(MetricOption::level, options.level, std::optional<std::uint32_t>(), std::optional(0U), std::optional(250U),
         std::optional(667U), std::optional(1000U));
  choose(MetricOption::cap, options.cap, std::optional<double>(), std::optional(0.5), std::optional(2.0));
  const auto acted = std::ranges::find(join.actions, options.action, &Action::name);
  if (acted != join.actions.end() && !acted->from && join.credit != Credit::every_touch) {
    choose(MetricOption::grade, options.grade, Grade::gain, Grade::value);
    if (options.grade == Grade::value) options.gain = GainKind::linear;
  }
  if (dice.percent(50)) choose(MetricOption::liked_from, options.from, 1.5, 2.0, 3.0, 4.5);
  // "user scope is refused" as above
  const bool may_miss = join.key.by == JoinKey::By::user && (acted == join.actions.end() || !acted->after);
  if (metric.takes.has(MetricOption::cut_at_relevant) && may_miss && dice.percent(20)) options.cut = Cut::relevant;
  const bool is_beyond_list = metric.needs_user || options.cut == Cut::relevant;  // "knows the list alone without it"
  if (metric.takes.has(MetricOption::universe) && is_beyond_list && dice.percent(25)) options.universe = Universe::list;
  choose(MetricOption::exposures, options.exposures, 1U, 3U, 20U, 1000U);
  if (dice.percent(40)) {
    choose(MetricOption::over, options.over, Over::all, Over::nonempty, Over::relevant, Over::nonempty_relevant,
           Over::user_relevant);
  }
  // Values of one list or user are rare among ratings.
  const bool is_of_own = metric.takes.has(MetricOption::unit_list);
  if (dice.percent(40)) choose(MetricOption::unit_list, options.unit, Unit::list);
  if (tumbling && dice.percent(is_of_own ? 60 : 25)) choose(MetricOption::unit_user, options.unit, Unit::user);
  if (dice.percent(25)) choose(MetricOption::unit_pooled, options.unit, Unit::pooled);
  // It is refused with lists that join by list id, of an action with `after` ([S5.27]), and for means over users.
  const bool is_conditional = acted != join.actions.end() && acted->after.has_value();
  const bool is_refused = join.key.by == JoinKey::By::list || options.unit == Unit::user || is_conditional;
  if (options.over == Over::user_relevant && is_refused) options.over = Over::relevant;
  return options;
}

RatingRule random_ratings(Dice& dice) {
  RatingRule rule;
  if (dice.percent(50)) return rule;
  rule.max = dice.pick<double>({5, 3, 1e8});
  rule.extremes_low = dice.pick<double>({1, 2, 2.5});
  rule.extremes_high = dice.pick<double>({2.5, 3, 4});
  rule.reversal = dice.pick<double>({0.5, 1, 2});
  rule.half_life = dice.pick<double>({1.0001, 2, 5, 1000});
  rule.default_vote = dice.pick<double>({1, 2, 2.5});
  rule.liked = dice.pick<double>({1, 3, 4});
  return rule;
}

MetricSpec random_metrics(Dice& dice, const EvaluatorSpec& spec) {
  MetricSpec metrics;
  metrics.popularity.step_ms = dice.pick<std::int64_t>({1, 700, 1000, 5000, 60000, 300000});
  metrics.popularity.period_ms = metrics.popularity.step_ms * dice.pick<std::int64_t>({1, 1, 2, 7, 100});
  metrics.popularity.top = dice.pick<std::uint64_t>({1, 2, 3, 5, 100});
  std::vector<std::uint32_t> cutoffs{1, 2, 3, 5, 10, 30};
  dice.shuffle(cutoffs);
  metrics.cutoffs.assign(cutoffs.begin(), cutoffs.begin() + dice.between(1, 3));
  metrics.examination.first = dice.pick<double>({0.12, 1, 1e-6});
  metrics.examination.by_rank = {1};
  while (metrics.examination.by_rank.size() < 30) {
    metrics.examination.by_rank.push_back(metrics.examination.by_rank.back() * dice.pick<double>({0.5, 0.9, 1, 1.1}));
  }
  metrics.confidence = dice.pick<double>({0.95, 0.8, 0.99});
  const bool tumbling = std::all_of(spec.windows.begin(), spec.windows.end(),
                                    [](const WindowSpec& window) { return window.size.ms == window.slide.ms; });
  for (const MetricDefinition& metric : batch_metrics()) {
    if (metric.needs_lanes || metric.needs_whole_past) continue;  // with_lanes() and with_whole_past() ask for them
    if (spec.join.key.by == JoinKey::By::list && metric.needs_user) continue;
    if (!spec.catalog && metric.needs_catalog) continue;
    if (metric.needs_attributes && (!spec.catalog || spec.catalog->attributes.empty())) continue;
    if (!has_ratings(spec.join) && metric.needs_ratings) continue;
    if (spec.join.credit == Credit::every_touch && metric.is_of_value) continue;
    if (!tumbling && metric.form == MetricForm::mean_over_users) continue;
    const std::string name(metric.name);
    if (dice.percent(60)) metrics.requests.push_back({name, std::nullopt, random_options(dice, metric, spec.join, tumbling)});
    if (dice.percent(15)) metrics.requests.push_back({name, "my_" + name, random_options(dice, metric, spec.join, tumbling)});
  }
  if (metrics.requests.empty()) metrics.requests.push_back({"precision", std::nullopt, {}});
  dice.shuffle(metrics.requests);
  return metrics;
}

// Told by the seed, so that the dice fall as without: an action on whole lists.
void add_thumb(EvaluatorSpec& spec, std::uint64_t seed) {
  const Duration longest = std::ranges::max(spec.join.horizons);
  const bool has_own_horizon = seed / 4 % 3 == 0;
  spec.join.actions.push_back({.name = "thumb",
                               .gain = 0,
                               .after = {},
                               .horizon = has_own_horizon ? std::optional(Duration{longest.ms / 2 + 1}) : std::nullopt,
                               .on_list = true});
  spec.metrics.requests.push_back({"action_rate", "thumb_rate", {.action = "thumb"}});
  spec.metrics.requests.push_back({"time_to", "time_to_thumb", {.action = "thumb"}});
}

}  // namespace

bool has_ratings(const JoinRule& join) {
  return std::any_of(join.actions.begin(), join.actions.end(), [](const Action& action) { return action.name == "rating"; });
}

bool needs_tumbling_windows(const MetricRequest& request) {
  const auto metrics = batch_metrics();
  const auto metric = std::ranges::find(metrics, request.name, &MetricDefinition::name);
  return request.options.unit == Unit::user || (metric != metrics.end() && metric->form == MetricForm::mean_over_users);
}

EvaluatorSpec random_spec(std::uint64_t seed) {
  Dice dice(seed);
  EvaluatorSpec spec;
  spec.name = "random";
  spec.config_hash = "0000000000000000";
  spec.join = random_join(dice);
  spec.time.max_step = dice.pick<Duration>({{0}, {30000}, {120000}, {3600000}});
  spec.windows = random_windows(dice);
  spec.segments = random_segments(dice);
  spec.catalog = random_catalog(dice);
  spec.ratings = random_ratings(dice);
  spec.metrics = random_metrics(dice, spec);
  spec.limits.list_items = static_cast<std::size_t>(dice.between(10, 14));
  spec.limits.id_bytes = 16;
  spec.limits.segment_bytes = 24;
  spec.limits.message_bytes = 2000;
  spec.limits.segment_values = dice.pick<std::size_t>({1, 2, 3, 200});
  spec.limits.distinct_items = dice.pick<std::size_t>({5, 12, 4'000'000});
  spec.limits.compared_lists = dice.pick<std::size_t>({2, 7, 1024});
  // Told by the seed, so that the dice fall as without.
  for (std::size_t a = 0; a < spec.join.actions.size() && spec.join.key.by == JoinKey::By::user; ++a) {
    Action& action = spec.join.actions[a];
    action.once = !action.undoes && (seed / 3 + a) % 3 == 0;
  }
  if (seed % 4 == 1) add_thumb(spec, seed);
  return spec;
}

EvaluatorSpec with_whole_window(EvaluatorSpec spec, std::uint64_t seed) {
  const auto at = spec.windows.begin() + static_cast<std::ptrdiff_t>(seed % (spec.windows.size() + 1));
  if (seed % 3 == 0) spec.windows.insert(at, {.name = "all", .size = WindowSpec::whole, .slide = WindowSpec::whole});
  return spec;
}

EvaluatorSpec with_whole_past(EvaluatorSpec spec, std::uint64_t seed) {
  if (spec.join.key.by != JoinKey::By::user || seed % 5 > 2) return spec;
  spec.metrics.requests.push_back({"known_share", std::nullopt, {}});
  for (Action& action : spec.join.actions) {
    if (!action.from) continue;
    action.from.reset();
    action.is_from_mean = true;
  }
  return spec;
}

EvaluatorSpec with_returns(EvaluatorSpec spec, std::uint64_t seed) {
  if (spec.join.key.by != JoinKey::By::user) return spec;
  Dice dice(seed + 77);
  std::vector<Action>& actions = spec.join.actions;
  const auto horizon = [&] {
    return dice.percent(70) ? std::nullopt
                            : std::optional(Duration{dice.between(1, std::ranges::max(spec.join.horizons).ms)});
  };
  std::vector<std::size_t> undone;
  for (std::size_t action = 0; action < actions.size() && undone.size() < 2; ++action) {
    if (actions[action].after || actions[action].on_list) continue;
    actions[action].gain = std::max(actions[action].gain, 0.5);
    undone.push_back(action);
  }
  for (const std::size_t action : undone) {
    actions.push_back(
        {.name = "refund" + std::to_string(action), .gain = 0, .after = action, .undoes = true, .horizon = horizon()});
    const std::string& name = actions[action].name;
    spec.metrics.requests.push_back({"recall", "recall_" + name, {.action = name}});
  }
  spec.metrics.requests.push_back({"recall", "recall_at_all", {}});
  return spec;
}

}  // namespace recmeter::support
