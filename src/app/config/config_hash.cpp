#include "app/config/config_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/config/scalar.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

using config::json_string;

// Lines whose order has no meaning, sorted.
void append_sorted(std::string& text, std::vector<std::string> lines) {
  std::ranges::sort(lines);
  for (const std::string& line : lines) text += line;
}

std::string join_text(const JoinRule& rule) {
  constexpr std::array<std::string_view, 3> credits{"last_touch", "first_touch", "every_touch"};
  std::string text = fmt::format(
      "join key={} credit={} skew={} same_list={} assemble={}\n", rule.key.by == JoinKey::By::user ? "user" : "list",
      credits[static_cast<std::size_t>(rule.credit)], rule.skew.ms, rule.same_list.ms, rule.assemble.ms);
  for (const std::string& id : rule.key.not_users) text += fmt::format("not_user {}\n", json_string(id));
  std::vector<std::string> lines;
  for (const Action& action : rule.actions) {
    std::string line = fmt::format("action {} gain={}", json_string(action.name), action.gain);
    if (action.after) line += fmt::format(" after={}", json_string(rule.actions[*action.after].name));
    if (action.horizon) line += fmt::format(" horizon={}", action.horizon->ms);
    lines.push_back(line + "\n");
  }
  append_sorted(text, std::move(lines));
  return text;
}

std::string metrics_text(const MetricSpec& spec, std::span<const KnownMetric> metrics) {
  constexpr std::array<std::string_view, 2> gains{"linear", "exp2"};
  constexpr std::array<std::string_view, 4> denominators{"min", "relevant", "k", "hits"};
  std::vector<std::uint32_t> cutoffs = spec.cutoffs;
  std::ranges::sort(cutoffs);
  std::vector<std::string> lines;
  for (const MetricRequest& request : spec.requests) {
    const auto metric = std::ranges::find(metrics, request.name, &KnownMetric::name);
    RECMETER_CHECK(metric != metrics.end(), "requests name known metrics");
    std::string line = fmt::format("metric {} of {}", request.as.value_or(request.name), request.name);
    // Only the options that change this metric: `beta` is no part of what precision means.
    if (metric->takes_gain) line += fmt::format(" gain={}", gains[static_cast<std::size_t>(request.options.gain)]);
    if (metric->takes_ap_denominator) {
      line += fmt::format(" ap_denominator={}", denominators[static_cast<std::size_t>(request.options.ap_denominator)]);
    }
    if (metric->takes_beta) line += fmt::format(" beta={}", request.options.beta);
    if (metric->has_cutoff) line += fmt::format(" k={}", fmt::join(cutoffs, ","));
    lines.push_back(line + "\n");
  }
  std::string text = fmt::format("confidence {}\n", spec.confidence);
  append_sorted(text, std::move(lines));
  return text;
}

}  // namespace

std::string config_canonical_text(const EvaluatorSpec& spec, const RatingRule& ratings,
                                  std::span<const KnownMetric> metrics) {
  std::string text = "recmeter.config/1\n" + join_text(spec.join);
  text +=
      fmt::format("ratings min={} max={} extremes={},{} reversal={} half_life={} default_vote={}\n", ratings.min, ratings.max,
                  ratings.extremes_low, ratings.extremes_high, ratings.reversal, ratings.half_life, ratings.default_vote);
  if (!spec.catalog) {
    text += "catalog none\n";
  } else if (spec.catalog->items.empty()) {
    text += fmt::format("catalog size={}\n", spec.catalog->size);
  } else {
    text += fmt::format("catalog items={} hash={:016x}\n", spec.catalog->size, spec.catalog->content_hash);
  }
  // Attributes nobody looks at change no value.
  const bool attributes_used = std::ranges::any_of(spec.metrics.requests, [&](const MetricRequest& request) {
    const auto metric = std::ranges::find(metrics, request.name, &KnownMetric::name);
    return metric != metrics.end() && metric->needs_attributes;
  });
  if (attributes_used && spec.catalog) text += fmt::format("attributes hash={:016x}\n", spec.catalog->attributes_hash);
  return text + metrics_text(spec.metrics, metrics);
}

std::string config_hash(const EvaluatorSpec& spec, const RatingRule& ratings, std::span<const KnownMetric> metrics) {
  const std::string text = config_canonical_text(spec, ratings, metrics);
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace recmeter
