#include "support/random_candidates.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/dice.h"
#include "support/record_writer.h"

namespace recmeter::support {
namespace {

constexpr std::uint64_t own_dice = 0x9E37'79B9'7F4A'7C15;     // those of log and spec fall as without lanes
constexpr std::uint64_t policy_dice = 0xD1B5'4A32'D192'ED03;  // and those of lanes as without policies

class Recommenders {
 public:
  Recommenders(const EvaluatorSpec& spec, std::span<const BatchEvent> events, Dice& dice) : spec_(spec), dice_(dice) {
    for (const BatchEvent& event : events) {
      last_ts_ = std::max(last_ts_, event.ts);
      if (event.kind != BatchEvent::Kind::feedback) lists_.push_back(event);
      for (const std::string& item : event.items) {
        if (!item.empty()) items_.push_back(item);
      }
    }
  }

  [[nodiscard]] std::vector<BatchEvent> all() {
    std::vector<BatchEvent> result;
    for (const BatchEvent& list : lists_) {
      for (std::size_t r = 0; r < spec_.lanes.names.size(); ++r) {
        if (!dice_.percent(70)) continue;
        result.push_back(beside(list, r));
        if (dice_.percent(10)) result.push_back(again(result.back()));
      }
    }
    return result;
  }

 private:
  BatchEvent beside(const BatchEvent& list, std::size_t recommender) {
    BatchEvent event;
    event.kind = BatchEvent::Kind::candidate;
    event.recommender = recommender;
    event.ts = list.ts;
    event.user_id = dice_.percent(4) ? dice_.pick(lists_).user_id : list.user_id;
    const bool needs_id = owner_of(event, spec_.join.key).empty();
    if (needs_id || dice_.percent(65)) event.list_id = dice_.percent(4) ? dice_.pick(lists_).list_id : list.list_id;
    const std::int64_t assemble = spec_.join.assemble.ms;
    if (dice_.percent(45)) event.ts += dice_.pick<std::int64_t>({-1, 1, assemble - 1, assemble, dice_.between(0, assemble)});
    if (dice_.percent(5)) event.ts += dice_.between(-20000, 20000);
    event.ts = std::min(event.ts, last_ts_);
    fill(event, list);
    for (const char* key : {"s", "v", "w"}) {
      if (dice_.percent(50)) event.segments.emplace_back(key, dice_.percent(50) ? "A" : "C");
    }
    return event;
  }

  // Mostly items of the list beside it.
  void fill(BatchEvent& event, const BatchEvent& list) {
    const std::size_t length = dice_.percent(8) ? 0 : 1 + dice_.below(6);
    for (std::size_t i = 0; i < length && !items_.empty(); ++i) {
      const bool is_beside = !list.items.empty() && dice_.percent(55);
      event.items.push_back(dice_.percent(4) ? "new" : dice_.pick(is_beside ? list.items : items_));
    }
    if (dice_.percent(50)) return;
    for (std::size_t i = 0; i < event.items.size(); ++i)
      event.scores.push_back(static_cast<double>(dice_.between(-2, 10)) / 2);
  }

  BatchEvent again(BatchEvent event) {
    if (dice_.percent(30)) return event;
    fill(event, event);
    if (dice_.percent(50)) event.ts = std::min(event.ts + dice_.pick<std::int64_t>({0, 1}), last_ts_);
    return event;
  }

  const EvaluatorSpec& spec_;
  Dice& dice_;
  std::vector<BatchEvent> lists_;
  std::vector<std::string> items_;
  std::int64_t last_ts_ = 0;
};

// Policies that name lists; some come late, or twice, or speak of other ranks.
class Policies {
 public:
  Policies(const EvaluatorSpec& spec, std::span<const BatchEvent> events, Dice& dice) : spec_(spec), dice_(dice) {
    are_foreseen_ = dice.percent(60);
    are_all_there_ = dice.percent(40);
    for (const BatchEvent& event : events) {
      last_ts_ = std::max(last_ts_, event.ts);
      if (event.kind == BatchEvent::Kind::feedback) continue;
      lists_.push_back(event);
      const std::size_t length = event.kind == BatchEvent::Kind::row ? event.position : event.items.size();
      std::size_t& longest = lengths_[{event.user_id, event.list_id}];
      longest = event.kind == BatchEvent::Kind::row ? std::max(longest, length) : length;
    }
  }

  [[nodiscard]] std::vector<BatchEvent> all() {
    std::vector<BatchEvent> result;
    for (const BatchEvent& list : lists_) {
      for (std::size_t r = 0; r < spec_.lanes.names.size(); ++r) {
        if (!are_all_there_ && dice_.percent(40)) continue;
        result.push_back(of(list, r));
        if (dice_.percent(10)) result.push_back(again(result.back()));
      }
    }
    return result;
  }

 private:
  BatchEvent of(const BatchEvent& list, std::size_t recommender) {
    BatchEvent event;
    event.kind = BatchEvent::Kind::policy;
    event.recommender = recommender;
    event.ts = list.ts;
    event.user_id = dice_.percent(3) ? dice_.pick(lists_).user_id : list.user_id;
    event.list_id = dice_.percent(3) ? dice_.pick(lists_).list_id : list.list_id;
    const std::int64_t assemble = spec_.join.assemble.ms;
    if (!are_all_there_ && dice_.percent(40)) {
      event.ts += dice_.pick<std::int64_t>({-1, 1, assemble - 1, assemble, dice_.between(0, assemble)});
    }
    if (dice_.percent(3)) event.ts += dice_.between(-20000, 20000);
    event.ts = std::min(event.ts, last_ts_);
    std::size_t ranks = lengths_[{list.user_id, list.list_id}];
    if (list.kind == BatchEvent::Kind::list) ranks = list.items.size();
    if (dice_.percent(6)) ranks = dice_.below(6);
    fill(event, list, ranks);
    return event;
  }

  void fill(BatchEvent& event, const BatchEvent& list, std::size_t ranks) {
    const bool is_certain = dice_.percent(20);
    const bool is_logged = dice_.percent(15) && list.propensities.size() == ranks;
    event.propensities.clear();
    event.predicted.clear();
    event.expected.clear();
    for (std::size_t i = 0; i < ranks; ++i) {
      const double some = dice_.pick<double>({0, 0.125, 0.25, 0.3, 0.5, 1.0 / 3, 1});
      event.propensities.push_back(is_certain ? 1 : is_logged ? list.propensities[i] : some);
    }
    if (!are_foreseen_ && dice_.percent(70)) return;
    for (std::size_t i = 0; i < ranks; ++i) {
      event.predicted.push_back(dice_.percent(1) ? dice_.pick<double>({1e8, -1e8}) : dice_.pick<double>({0, 0.5, 0.1, 2}));
      event.expected.push_back(dice_.pick<double>({0, 0.25, 0.3, 1, -0.5}));
    }
  }

  BatchEvent again(BatchEvent event) {
    if (dice_.percent(30)) return event;
    fill(event, BatchEvent(event), dice_.percent(20) ? dice_.below(6) : event.propensities.size());
    if (dice_.percent(50)) event.ts = std::min(event.ts + dice_.pick<std::int64_t>({0, 1}), last_ts_);
    return event;
  }

  const EvaluatorSpec& spec_;
  Dice& dice_;
  bool are_foreseen_ = false;
  bool are_all_there_ = false;
  std::vector<BatchEvent> lists_;
  std::map<std::pair<std::string, std::string>, std::size_t> lengths_;  // by user and list id
  std::int64_t last_ts_ = 0;
};

// Some invalid, some of a recommender nobody asked about.
void write_lines(RandomLog& log, const EvaluatorSpec& spec, std::vector<BatchEvent> events, Dice& dice) {
  for (BatchEvent& event : events) {
    const std::size_t p = dice.below(log.inputs.size());
    const FieldTable& fields = log.inputs[p].fields;
    if (fields.time.unit == TimeUnit::seconds) event.ts = event.ts / 1000 * 1000;
    EvaluatorSpec names = spec;
    if (dice.percent(4)) names.lanes.names.assign(names.lanes.names.size(), "nobody asked");
    RecordWriter writer(names, fields, dice);
    const Draft draft{event, false, {}};
    const std::int64_t ts = event.ts;
    const bool is_invalid = dice.percent(5);
    const auto reason = native_json_reasons[dice.below(native_json_reasons.size())];
    log.lines[p].push_back({ts, is_invalid ? writer.invalid_line(draft, reason) : writer.line(draft)});
  }
}

// "An estimator that such a log cannot give is an error of the configuration."
bool can_be_had(Estimator estimator, const OffPolicySpec& spec) {
  const bool is_conditional = spec.propensities == OffPolicySpec::Propensities::conditional;
  switch (estimator) {
    case Estimator::rips:
    case Estimator::slate_ips: return is_conditional;
    case Estimator::pseudo_inverse: return spec.logging == OffPolicySpec::Logging::factored;
    case Estimator::replay_match: return spec.logging == OffPolicySpec::Logging::uniform;
    default: return !is_conditional;
  }
}

OffPolicySpec random_off_policy(Dice& dice) {
  using Spec = OffPolicySpec;
  Spec spec;
  if (dice.percent(35)) spec.propensities = Spec::Propensities::conditional;
  spec.logging = dice.pick<Spec::Logging>({Spec::Logging::unknown, Spec::Logging::factored, Spec::Logging::uniform});
  spec.reward = dice.pick<Spec::Reward>({Spec::Reward::grade, Spec::Reward::hits, Spec::Reward::value});
  // No effective number and no share of small logs is just that.
  spec.min_ess = dice.pick<double>({0, 0, 1.4142, 2.71828, 7.38906});
  spec.max_weight_share = dice.pick<double>({1, 1, 0.10001, 0.271828, 0.738906});
  return spec;
}

}  // namespace

EvaluatorSpec with_off_policy(EvaluatorSpec spec, std::uint64_t seed) {
  Dice dice(seed ^ policy_dice);
  OffPolicySpec off_policy = random_off_policy(dice);
  std::vector<std::string> actions;
  for (const Action& action : spec.join.actions) {
    if (!action.from && !action.on_list) actions.push_back(action.name);
  }
  const bool counts_once = spec.join.credit != Credit::every_touch && spec.lanes.credit != Credit::every_touch;
  if (!counts_once && off_policy.reward == OffPolicySpec::Reward::value) off_policy.reward = OffPolicySpec::Reward::hits;
  spec.off_policy = off_policy;
  const bool is_of_value = off_policy.reward == OffPolicySpec::Reward::value;
  std::vector<MetricRequest> requests;
  for (std::size_t e = 0; e < estimator_words.size(); ++e) {
    const auto estimator = static_cast<Estimator>(e);
    if (!can_be_had(estimator, off_policy)) continue;
    const double clip = dice.pick<double>({10, 1.5, 0.5});
    MetricOptions options;
    if (estimator == Estimator::ips_clipped) options.clip = clip;
    options.of = estimator;
    for (const char* const fact : {"weight_mean", "ess", "ess_users", "max_weight_share"}) {
      if (dice.percent(50)) requests.push_back({fact, std::nullopt, options});
      if (dice.percent(50)) continue;
      requests.push_back({fact, "my_" + std::string(fact) + std::to_string(e), options});
    }
    options.of.reset();
    if (estimator == Estimator::replay_match) requests.push_back({"matches", std::nullopt, options});
    if (is_of_value || dice.percent(30)) options.action = dice.pick(actions);
    requests.push_back({std::string(to_string(estimator)), std::nullopt, options});
  }
  dice.shuffle(requests);
  std::ranges::move(requests, std::back_inserter(spec.metrics.requests));
  return spec;
}

void add_policies(RandomLog& log, const EvaluatorSpec& spec, std::span<const BatchEvent> events, std::uint64_t seed) {
  Dice dice(seed ^ policy_dice);
  write_lines(log, spec, Policies(spec, events, dice).all(), dice);
}

EvaluatorSpec with_lanes(EvaluatorSpec spec, std::uint64_t seed) {
  Dice dice(seed ^ own_dice);
  LaneSpec& lanes = spec.lanes;
  lanes.names = {"B", "a\"b"};
  if (dice.percent(30)) lanes.names = {"C", "B", "D"};
  lanes.logged = dice.percent(40) ? LaneSpec::Logged::shadow : LaneSpec::Logged::as_logged;
  lanes.credit = dice.pick<Credit>({Credit::every_touch, Credit::every_touch, Credit::last_touch, Credit::first_touch});
  lanes.pairs = dice.percent(35);
  lanes.unjudged = dice.percent(35) ? LaneSpec::Unjudged::drop : LaneSpec::Unjudged::irrelevant;
  // Money is refused where credit is given several times.
  std::erase_if(spec.metrics.requests, [&](const MetricRequest& request) {
    const bool is_of_value = request.name.starts_with("income") || request.name == "reward";
    return lanes.credit == Credit::every_touch && (is_of_value || request.options.grade == Grade::value);
  });
  spec.metrics.requests.push_back({"judged_share", std::nullopt, {}});
  spec.metrics.requests.push_back({"overlap", std::nullopt, {}});
  return spec;
}

void add_candidates(RandomLog& log, const EvaluatorSpec& spec, std::span<const BatchEvent> events, std::uint64_t seed) {
  Dice dice(seed ^ own_dice);
  write_lines(log, spec, Recommenders(spec, events, dice).all(), dice);
}

}  // namespace recmeter::support
