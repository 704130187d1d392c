#include "config/config_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "config/keys.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

using config::json_string;

// Lines whose order has no meaning, sorted.
void append_sorted(std::string& text, std::vector<std::string> lines) {
  std::ranges::sort(lines);
  for (const std::string& line : lines) text += line;
}

std::string join_lines(const JoinRule& rule) {
  std::string text = fmt::format("join key={} credit={} skew={} same_list={} assemble={}\n",
                                 config::join_key_words[static_cast<std::size_t>(rule.key.by)],
                                 config::credit_words[static_cast<std::size_t>(rule.credit)], rule.skew.ms, rule.same_list.ms,
                                 rule.assemble.ms);
  if (rule.whole_lists == WholeLists::own) text += "whole_lists=own\n";
  for (const std::string& id : rule.key.not_users) text += fmt::format("not_user {}\n", json_string(id));
  std::vector<std::string> lines;
  for (const Action& action : rule.actions) {
    std::string line = fmt::format("action {} gain={}", json_string(action.name), action.gain);
    const std::string_view comes = action.undoes ? "undoes" : "after";
    if (action.after) line += fmt::format(" {}={}", comes, json_string(rule.actions[*action.after].name));
    if (action.horizon) line += fmt::format(" horizon={}", action.horizon->ms);
    if (action.from) line += fmt::format(" from={}", *action.from);
    if (action.is_from_mean) line += fmt::format(" from={}", config::user_mean_word);
    if (action.once) line += fmt::format(" once={}", config::once_word);
    if (action.on_list) line += fmt::format(" on={}", config::on_list_word);
    lines.push_back(line + "\n");
  }
  append_sorted(text, std::move(lines));
  return text;
}

// The options of the first release are always written, later ones where they are not the default: so hashes stay.
bool is_always_written(std::string_view option) {
  return option == "gain" || option == "ap_denominator" || option == "beta";
}

std::string metrics_text(const MetricSpec& spec) {
  std::vector<std::uint32_t> cutoffs = spec.cutoffs;
  std::ranges::sort(cutoffs);
  std::vector<std::string> lines;
  for (const MetricRequest& request : spec.requests) {
    const MetricDefinition* metric = find_metric(request.name);
    RECMETER_CHECK(metric != nullptr, "requests name known metrics");
    std::string line = fmt::format("metric {} of {}", request.as.value_or(request.name), request.name);
    // Only the options that change this metric: `beta` is no part of what precision means.
    for (const OptionChoice& choice : option_choices(*metric, request.options)) {
      if (choice.is_default && !is_always_written(choice.option)) continue;
      line += fmt::format(" {}={}", choice.option, choice.value);
    }
    if (metric->has_cutoff && request.options.cut == Cut::k) line += fmt::format(" k={}", fmt::join(cutoffs, ","));
    lines.push_back(line + "\n");
  }
  std::string text = fmt::format("confidence {}\n", spec.confidence);
  const auto asks_for_popularity = [](const MetricRequest& request) {
    return find_metric(request.name)->needs.has(ListPart::popularity);
  };
  if (std::ranges::any_of(spec.requests, asks_for_popularity)) {
    const PopularitySpec& popularity = spec.popularity;
    text += fmt::format("popularity period={} step={} top={}\n", popularity.period_ms, popularity.step_ms, popularity.top);
  }
  const auto asks_for_examination = [](const MetricRequest& request) { return find_metric(request.name)->needs_examination; };
  if (std::ranges::any_of(spec.requests, asks_for_examination)) {
    text +=
        fmt::format("examination first={} by_rank={}\n", spec.examination.first, fmt::join(spec.examination.by_rank, ","));
  }
  append_sorted(text, std::move(lines));
  return text;
}

}  // namespace

std::string config_canonical_text(const EvaluatorSpec& spec) {
  const RatingRule& ratings = spec.ratings;
  std::string text = "recmeter.config/1\n" + join_lines(spec.join);
  // Later than the rest: written where it is not the default, so that hashes stay.
  const std::string liked = ratings.liked == RatingRule{}.liked ? "" : fmt::format(" liked={}", ratings.liked);
  text += fmt::format("ratings min={} max={} extremes={},{} reversal={} half_life={} default_vote={}{}\n", ratings.min,
                      ratings.max, ratings.extremes_low, ratings.extremes_high, ratings.reversal, ratings.half_life,
                      ratings.default_vote, liked);
  if (spec.off_policy) {
    text += fmt::format("off_policy propensities={} reward={} logging={} min_ess={} max_weight_share={}\n",
                        propensities_words[static_cast<std::size_t>(spec.off_policy->propensities)],
                        reward_words[static_cast<std::size_t>(spec.off_policy->reward)],
                        logging_words[static_cast<std::size_t>(spec.off_policy->logging)], spec.off_policy->min_ess,
                        spec.off_policy->max_weight_share);
  }
  if (!spec.catalog) {
    text += "catalog none\n";
  } else if (spec.catalog->items.empty()) {
    text += fmt::format("catalog size={}\n", spec.catalog->size);
  } else {
    text += fmt::format("catalog items={} hash={:016x}\n", spec.catalog->size, spec.catalog->content_hash);
  }
  // Attributes nobody looks at change no value.
  const bool attributes_used = std::ranges::any_of(spec.metrics.requests, [&](const MetricRequest& request) {
    const MetricDefinition* metric = find_metric(request.name);
    return metric != nullptr && metric->needs.has(ListPart::attributes);
  });
  if (attributes_used && spec.catalog) text += fmt::format("attributes hash={:016x}\n", spec.catalog->attributes_hash);
  return text + metrics_text(spec.metrics);
}

std::string config_hash(const EvaluatorSpec& spec) {
  const std::string text = config_canonical_text(spec);
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace recmeter
