#include "app/definitions/metric_words.h"

#include <algorithm>
#include <cmath>

#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition_id.h"

namespace recmeter {

std::string_view scope_word(const MetricDefinition& metric) {
  const bool has_scope = metric.family == Family::list_mean || metric.family == Family::pooled;
  if (!has_scope) return "";
  return metric.scope == Scope::user ? "user" : "list";
}

std::string_view averaged_over(const MetricDefinition& metric) {
  switch (metric.family) {
    case Family::list_mean:
      return metric.over == Over::relevant ? "mean over lists with evidence"
                                           : "mean over all lists; one without evidence has the value 0";
    case Family::list_share: return "share of all lists";
    case Family::pooled: return "made of sums over all lists, not a mean of lists";
    case Family::audience: return metric.per_user != nullptr ? "a mean over users" : "counts the users who were shown lists";
    case Family::quantile: return "the value at a rank of the lists with evidence, without interval";
    case Family::exposure: return "fact of the items shown; the same at every horizon, without interval";
  }
  return "";
}

std::string_view evidence_rule(const MetricDefinition& metric) {
  switch (metric.evidence) {
    case Evidence::none: return "none: every list says something";
    case Evidence::relevant_in_list: return "R_list > 0";
    case Evidence::relevant_of_user: return "R_user > 0";
    case Evidence::own: return metric.own_evidence;
  }
  return "";
}

std::vector<std::string> needs_of(const MetricDefinition& metric) {
  std::vector<std::string> needs;
  const bool looks_back = metric.needs.has(ListPart::popularity);
  const bool asks_history = metric.needs.has(ListPart::history);
  if (metric.scope == Scope::user || looks_back || asks_history) needs.emplace_back("join.key: user");
  if (metric.needs_catalog) needs.emplace_back("catalog: {size: N} or {file: PATH}");
  if (metric.needs.has(ListPart::attributes)) needs.emplace_back("catalog: {file: PATH} with attributes");
  if (metric.is_of_ratings) needs.emplace_back("an action named rating, whose feedback has a value");
  if (metric.needs.has(ListPart::seen)) needs.emplace_back("lanes");
  if (metric.needs_examination) needs.emplace_back("metrics.examination");
  if (metric.needs.has(ListPart::latency)) needs.emplace_back("impressions with latency_ms");
  if (judges_policy(metric)) needs.emplace_back("off_policy, and lists with propensities and a policy");
  if (asks_history) needs.emplace_back("a bounded run: recmeter replay");
  if (looks_back) needs.emplace_back("a period to look back on, metrics.popularity");
  return needs;
}

std::string range_text(const MetricDefinition& metric) {
  const auto bound = [](double value) { return std::isinf(value) ? (value < 0 ? "-inf" : "inf") : four_decimals(value); };
  return (std::isinf(metric.low) ? "(" : "[") + bound(metric.low) + ", " + bound(metric.high) +
         (std::isinf(metric.high) ? ")" : "]");
}

std::vector<OptionTaken> options_taken_by(const MetricDefinition& metric) {
  std::vector<OptionTaken> taken;
  if (metric.needs_estimator) {
    taken.push_back({.name = "of", .words = {estimator_words.begin(), estimator_words.end()}, .usual = ""});
  }
  if (takes_action(metric)) taken.push_back({.name = "action", .words = {}, .usual = metric.needs_action ? "" : "all"});
  for (const OptionChoice& usual : option_choices(metric, {})) {
    const auto words = all_options();
    const auto option = std::find_if(words.begin(), words.end(), [&](const auto& o) { return o.name == usual.option; });
    OptionTaken& out = taken.emplace_back(OptionTaken{.name = usual.option, .words = option->words, .usual = usual.value});
    if (usual.option == "cut") {
      std::erase_if(out.words, [&](std::string_view word) {
        const auto at = std::ranges::find(option->words, word) - option->words.begin();
        return !takes_cut(metric, static_cast<Cut>(at));
      });
    }
    if (usual.option != "unit") continue;
    std::vector<std::string_view> units;
    for (std::size_t unit = 0; unit < out.words.size(); ++unit) {
      if (takes_unit(metric, static_cast<Unit>(unit))) units.push_back(out.words[unit]);
    }
    out.words = std::move(units);
  }
  return taken;
}

}  // namespace recmeter
