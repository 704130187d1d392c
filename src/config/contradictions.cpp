// What is right in each section and wrong together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "config/cost.h"
#include "config/metric_names.h"
#include "config/readers.h"
#include "recmeter/base/check.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::config {

namespace {

void check_horizons(const JoinRule& rule, Faults& faults) {
  if (!faults.none_in({"join.horizons"}) || rule.horizons.empty()) return;
  const Duration longest = std::ranges::max(rule.horizons);
  const Duration shortest = std::ranges::min(rule.horizons);
  for (const Action& action : rule.actions) {
    const std::string path = "join.actions." + shortened(action.name) + ".horizon";
    if (!action.horizon || *action.horizon <= longest) continue;
    faults.add_at(path, fmt::format("{} is longer than the longest horizon {}", text_of(*action.horizon), text_of(longest)),
                  fmt::format("shorten it, or add {} to join.horizons", text_of(*action.horizon)));
  }
  if (!faults.none_in({"join.assemble", "join.same_list"})) return;
  const bool is_above_horizon = rule.assemble > shortest;
  if (!is_above_horizon && rule.assemble <= rule.same_list) return;
  const Duration bound = std::min(shortest, rule.same_list);
  const std::string other = is_above_horizon ? fmt::format("the shortest horizon {}", text_of(shortest))
                                             : fmt::format("join.same_list {}", text_of(rule.same_list));
  // At the line that was written; the other value may be a default.
  const char* written = faults.is_written("join.assemble") ? "join.assemble"
                        : is_above_horizon                 ? "join.horizons"
                                                           : "join.same_list";
  faults.add_at(written, fmt::format("join.assemble {} is longer than {}", text_of(rule.assemble), other),
                fmt::format("set join.assemble to {} or less", text_of(bound)));
}

// With key: list feedback of a user with one event id may be in several parts.
void check_once(const JoinRule& rule, Faults& faults) {
  if (rule.key.by != JoinKey::By::list) return;
  for (const Action& action : rule.actions) {
    if (!action.once) continue;
    faults.add_at("join.actions." + shortened(action.name) + ".once", "with join.key: list nobody knows whose event_id it is",
                  "remove it, or set join.key to user");
  }
}

void check_skew(const Config& config, Faults& faults) {
  if (!faults.none_in({"join.skew", "time.allowed_lateness", "inputs"})) return;
  std::string path = "time.allowed_lateness";
  Duration smallest = config.command_line.allowed_lateness;
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    if (config.inputs[i].allowed_lateness > smallest) continue;
    const std::string own = fmt::format("inputs[{}].allowed_lateness", i);
    if (faults.is_written(own)) path = own;
    smallest = config.inputs[i].allowed_lateness;
  }
  const Duration skew = config.spec.join.skew;
  if (skew <= smallest) return;
  faults.add_at(
      faults.is_written("join.skew") ? "join.skew" : path,
      fmt::format("{} is longer than the smallest allowed lateness, {} ({})", text_of(skew), text_of(smallest), path),
      fmt::format("set join.skew to {} or less, or allow more lateness", text_of(smallest)));
}

void check_gains(const Config& config, Faults& faults) {
  constexpr double exp2_gain_max = 30;
  const auto is_exponential = [&](const MetricRequest& request) {
    const MetricDefinition* metric = find_metric(request.name);
    if (metric == nullptr || !request.options.action.empty()) return false;
    return metric->takes_powers || (metric->takes.has(MetricOption::gain) && request.options.gain == GainKind::exp2);
  };
  const auto& requests = config.spec.metrics.requests;
  const auto request = std::ranges::find_if(requests, is_exponential);
  if (request == requests.end()) return;
  for (const Action& action : config.spec.join.actions) {
    if (action.gain <= exp2_gain_max) continue;
    faults.add_at(
        "join.actions." + shortened(action.name) + ".gain",
        fmt::format("{} is above 30, and `{}` takes gains as 2^gain - 1", action.gain, request->as.value_or(request->name)),
        "write a gain of at most 30, or leave the metric out (of nDCG: use gain: linear)");
  }
}

// Some tools take grades below 1 as not relevant, or know whole grades only.
void check_whole_gains(const Config& config, Faults& faults) {
  const auto preset = std::ranges::find_if(config.presets, [](const auto& name) { return find_preset(name)->whole_grades; });
  if (preset == config.presets.end()) return;
  for (const Action& action : config.spec.join.actions) {
    if (action.gain == std::floor(action.gain)) continue;
    faults.add_at("join.actions." + shortened(action.name) + ".gain",
                  fmt::format("{} is not a whole number, and {} has no other grades", action.gain, *preset),
                  "write 0, 1, 2 or more, or remove the preset");
  }
}

void check_cutoffs(const Config& config, Faults& faults) {
  // Default cutoffs above a list's limit are harmless; written ones are a mistake.
  if (!faults.is_written("metrics.cutoffs") || !faults.none_in({"metrics.cutoffs", "limits.list_items"})) return;
  for (std::size_t i = 0; i < config.spec.metrics.cutoffs.size(); ++i) {
    const std::uint32_t k = config.spec.metrics.cutoffs[i];
    if (k <= config.spec.limits.list_items) continue;
    faults.add_at(fmt::format("metrics.cutoffs[{}]", i),
                  fmt::format("no list reaches rank {}: limits.list_items is {}", k, config.spec.limits.list_items),
                  "write a smaller cutoff, or raise limits.list_items");
  }
}

// A metric that compares with what ranks get needs to know it of all ranks.
void check_examination(const Config& config, Faults& faults) {
  const MetricSpec& spec = config.spec.metrics;
  const std::size_t ranks = spec.examination.by_rank.size();
  const auto longest = std::ranges::max_element(spec.cutoffs);
  if (!faults.none_in({"metrics"}) || longest == spec.cutoffs.end() || *longest <= ranks) return;
  for (std::size_t i = 0; i < spec.requests.size(); ++i) {
    const MetricRequest& request = spec.requests[i];
    if (!find_metric(request.name)->needs_examination) continue;
    const std::string path = fmt::format("metrics.names[{}]", i);
    if (ranks == 0) {
      faults.add_at(
          path, fmt::format("`{}` needs to know what each rank gets, and metrics.examination does not say it", request.name),
          "write what `recmeter examination` prints: examination: {first: 0.12, by_rank: [1, 0.62, 0.45]}");
    } else {
      faults.add_at(path,
                    fmt::format("`{}` is asked for at k = {}, and metrics.examination.by_rank ends at rank {}", request.name,
                                *longest, ranks),
                    fmt::format("write cutoffs of at most {}, or estimate more ranks", ranks));
    }
  }
}

void check_ratings(const RatingRule& rule, std::span<const MetricRequest> requests, Faults& faults) {
  if (!faults.none_in({"ratings"})) return;
  const bool is_min_written = faults.is_written("ratings.min") && !faults.is_written("ratings.max");
  if (rule.min >= rule.max) {
    faults.add_at(is_min_written ? "ratings.min" : "ratings.max",
                  fmt::format("the smallest rating {} is not below the largest {}", rule.min, rule.max),
                  "write the ends of your scale, such as min: 1, max: 5");
    return;
  }
  if (rule.extremes_low > rule.extremes_high) {
    faults.add_at("ratings.extremes", fmt::format("{} is above {}", rule.extremes_low, rule.extremes_high),
                  "write the smaller bound first");
  } else if (rule.extremes_low <= rule.min && rule.extremes_high >= rule.max) {
    faults.add_at("ratings.extremes",
                  fmt::format("no rating from {} to {} lies below {} or above {}", rule.min, rule.max, rule.extremes_low,
                              rule.extremes_high),
                  "move a bound into the scale");
  }
  if (rule.reversal <= 0 || rule.reversal > rule.max - rule.min) {
    faults.add_at("ratings.reversal", fmt::format("{} is not a difference of two ratings", rule.reversal),
                  fmt::format("write a number above 0 and at most {}", rule.max - rule.min));
  }
  if (rule.half_life <= 1) {
    faults.add_at("ratings.half_life", fmt::format("{} is not above 1", rule.half_life),
                  "write the rank that is seen half as often as the first, such as 5");
  }
  // The default may lie off another scale, as long as nobody asks for it.
  const bool is_liked_used = faults.is_written("ratings.liked") || std::ranges::any_of(requests, [](const auto& request) {
                               return request.name == "error_rate" || (request.name == "rated_auc" && !request.options.from);
                             });
  if (is_liked_used && (rule.liked <= rule.min || rule.liked > rule.max)) {
    faults.add_at("ratings.liked",
                  fmt::format("{} calls every rating from {} to {} {}", rule.liked, rule.min, rule.max,
                              rule.liked > rule.max ? "wrong" : "liked"),
                  fmt::format("write the smallest rating that says liked: above {}, at most {}", rule.min, rule.max));
  }
  if (rule.default_vote < rule.min || rule.default_vote > rule.max) {
    faults.add_at("ratings.default_vote", fmt::format("{} is not on the scale", rule.default_vote),
                  fmt::format("write a number from {} to {}", rule.min, rule.max));
  }
}

// A bound that calls every rating liked, or none.
void check_liked_from(const RatingRule& rule, std::span<const MetricRequest> requests, Faults& faults) {
  if (rule.min >= rule.max || !faults.none_in({"ratings", "metrics.names"})) return;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto from = requests[i].options.from;
    if (!from || (*from > rule.min && *from <= rule.max)) continue;
    faults.add_at(fmt::format("metrics.names[{}].from", i),
                  fmt::format("{} calls {} from {} to {} liked", *from, *from > rule.max ? "no rating" : "every rating",
                              rule.min, rule.max),
                  fmt::format("write the smallest rating that says liked: above {}, at most {}", rule.min, rule.max));
  }
}

// A bound that makes every rating relevant, or none; or a rating that never is.
void check_relevant_from(const Config& config, Faults& faults) {
  const RatingRule& rule = config.spec.ratings;
  if (rule.min >= rule.max || !faults.none_in({"ratings", "join"})) return;
  for (const Action& action : config.spec.join.actions) {
    if (!action.goes_by_value()) continue;
    const std::string path = "join.actions." + shortened(action.name) + ".from";
    const std::string written = action.from ? fmt::format("{}", *action.from) : std::string(user_mean_word);
    if (action.gain == 0) {
      faults.add_at(path, fmt::format("{} says which ratings are relevant, and the gain 0 that none is", written),
                    "write a gain above 0, or remove `from`");
    } else if (action.is_from_mean) {
      if (config.spec.join.key.by == JoinKey::By::user) continue;
      faults.add_at(path, "user_mean needs to know what each user rated before, and join.key is not user",
                    "write a number, or `key: user`");
    } else if (*action.from <= rule.min || *action.from > rule.max) {
      faults.add_at(path,
                    fmt::format("{} makes {} from {} to {} relevant", *action.from,
                                *action.from > rule.max ? "no rating" : "every rating", rule.min, rule.max),
                    fmt::format("write the smallest rating that is relevant: above {}, at most {}; or see `ratings`",
                                rule.min, rule.max));
    }
  }
}

// What is written must not be what is read, nor two things be written to one place.
void check_loops(const Config& config, Faults& faults) {
  std::set<std::string> topics, files;
  for (const InputSpec& input : config.inputs) {
    topics.insert(input.topics.begin(), input.topics.end());
    files.insert(input.files.begin(), input.files.end());
  }
  const auto check = [&](std::set<std::string>& taken, const std::string& name, const std::string& path,
                         const char* default_path) {
    if (name.empty() || taken.insert(name).second) return;
    faults.add_at(faults.is_written(path) ? path : default_path, "is read as an input or written to already",
                  "choose another one");
  };
  if (config.dead_letter) {
    check(topics, config.dead_letter->topic, "dead_letter.topic", "dead_letter");
    check(files, config.dead_letter->file, "dead_letter.file", "dead_letter");
  }
  if (config.publish.kafka) check(topics, config.publish.kafka->topic, "publish.kafka.topic", "publish.kafka");
  if (config.publish.file) check(files, config.publish.file->path, "publish.file.path", "publish.file");
  check(files, config.publish.experiments.file, "publish.experiments.file", "publish.experiments");
  check(topics, config.publish.experiments.topic, "publish.experiments.topic", "publish.experiments");
}

// What a server refuses before it is started: connectors/http. The files themselves are looked at when it is.
void check_http(const PublishSpec::Http& http, Faults& faults) {
  if (!faults.none_in({"publish.http"})) return;
  if (!http.probes.empty() && (!http.is_on || (http.probes == address_of(http) && http.port != 0))) {
    faults.add_at(
        "publish.http.probes",
        http.is_on ? "it is the address of `listen`" : "probes ask a server, and `listen: off` says that there is none",
        http.is_on ? "choose another port, or remove it: the other one answers probes too" : "remove either");
  }
  if (!http.is_on) return;
  if (http.certificate.empty() != http.key.empty()) {
    faults.add_at(http.key.empty() ? "publish.http.certificate" : "publish.http.key",
                  "TLS needs a certificate and a key, and one of the two is not named",
                  http.key.empty() ? "add `key`" : "add `certificate`");
  } else if (!is_loopback(http) && http.token_file.empty() && http.key.empty() && !http.force) {
    faults.add_at(
        "publish.http.listen",
        fmt::format("{} can be reached from other machines, and there is neither a token nor TLS", address_of(http)),
        "set token_file, or certificate and key; or listen on 127.0.0.1; or set force: true if the network is private");
  }
}

// An error of the parts that a configuration is for, "PATH: CAUSE; REMEDY".
void add_error(const Error& error, Faults& faults) {
  const std::string_view text = error.context;
  const std::size_t path_end = text.find(": ");
  const std::size_t cause_end = text.rfind("; ");
  RECMETER_CHECK(path_end < cause_end && cause_end < text.size(), "an error has place, cause and remedy");
  faults.add_at(std::string(text.substr(0, path_end)), std::string(text.substr(path_end + 2, cause_end - path_end - 2)),
                std::string(text.substr(cause_end + 2)));
}

// Every metric that no experiment can test, where it is written; with the configured one that is meant. [I3.50]
void check_tested_metrics(const Config& config, Faults& faults) {
  if (config.spec.experiments.empty()) return;
  const auto plan = EvaluatorPlan::make(config.spec, Duration{0}, false);
  if (!plan) return;  // said below
  std::vector<std::string_view> configured;
  for (const PlannedMetric& metric : plan->metrics.metrics()) configured.push_back(metric.key);
  constexpr std::array<std::string_view, 3> keys{"primary", "guardrails", "secondary"};  // by TestRole
  for (std::size_t e = 0; e < config.spec.experiments.size(); ++e) {
    for (const RefusedTest& test : PlannedExperiment::refused_tests(config.spec.experiments[e], plan->metrics)) {
      const bool is_configured = std::ranges::find(configured, test.metric) != configured.end();
      const std::string meant = is_configured ? "" : metric_question(test.metric, configured);
      faults.add_at(fmt::format("experiments[{}].{}[{}]", e, keys[static_cast<std::size_t>(test.role)], test.number),
                    test.cause, meant.empty() ? test.remedy : meant);
    }
  }
}

}  // namespace

void check_contradictions(const Config& config, const LiveCheck& check_live, Faults& faults) {
  check_horizons(config.spec.join, faults);
  check_once(config.spec.join, faults);
  check_skew(config, faults);
  check_gains(config, faults);
  check_whole_gains(config, faults);
  check_cutoffs(config, faults);
  check_examination(config, faults);
  check_ratings(config.spec.ratings, config.spec.metrics.requests, faults);
  check_liked_from(config.spec.ratings, config.spec.metrics.requests, faults);
  check_relevant_from(config, faults);
  check_loops(config, faults);
  check_http(config.publish.http, faults);
  if (!faults.empty()) return;
  check_tested_metrics(config, faults);
  if (!faults.empty()) return;
  // Whatever is said above, these have the last word, here and not when a run begins.
  const auto plan = EvaluatorPlan::make(config.spec, Duration{0}, false, true);
  plan ? check_cost(*plan, faults) : add_error(plan.error(), faults);
  if (!check_live || !faults.empty()) return;
  if (const auto live = check_live(config); !live) add_error(live.error(), faults);
}

}  // namespace recmeter::config
