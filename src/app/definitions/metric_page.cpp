// The generated part of docs/metrics.md.
#include <algorithm>
#include <array>
#include <utility>

#include "app/console/text_layout.h"
#include "app/definitions/example_text.h"
#include "app/definitions/metric_text.h"
#include "app/definitions/metric_words.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

constexpr std::size_t page_width = 126;
constexpr std::uint32_t example_cutoff = 5;
const MetricOptions of_examples{.gain_max = 3};  // a click has gain 1, a purchase 3

std::string paragraph(std::string_view text) {
  return wrapped(text, page_width, 0) + '\n';
}
std::string point(std::string_view text) {
  return "- " + wrapped(text, page_width, 2) + '\n';
}
std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string or_none(const std::string& text) {
  return text.empty() ? "none" : text;
}

std::string example_section() {
  std::string out = "## The example\n\n";
  out += paragraph("Lists to compute with by hand. A click has gain 1, a purchase gain 3.") + '\n';
  out += "| list | n | items | grades | missed | R_list | R_user | ratings |\n|---|---|---|---|---|---|---|---|\n";
  for (const ExampleList& example : example_lists()) {
    const ScoredList& list = example.scored;
    out += "| " +
           joined(" | ", {std::string(example.name), std::to_string(list.length), or_none(items_text(example)),
                          or_none(grades_text(list)), or_none(missed_text(list)), std::to_string(list.relevant_in_list()),
                          std::to_string(list.relevant_of_user()), or_none(ratings_text(list))}) +
           " |\n";
  }
  for (const ExampleList& example : example_lists()) {
    const std::string again = retests_text(example.scored);
    if (!again.empty())
      out += '\n' + paragraph("Of list " + std::string(example.name) + " items were rated again: " + again + ".");
  }
  for (const ExampleList& example : example_lists()) {
    const std::string before = before_text(example);
    if (!before.empty()) out += '\n' + paragraph("Before list " + std::string(example.name) + " " + before + ".");
  }
  for (const ExampleList& example : example_lists()) {
    const std::string policy = policy_text(example.scored);
    if (!policy.empty()) {
      out += '\n' +
             paragraph("List " + std::string(example.name) + " judges another policy, by p / propensity: " + policy + ".");
    }
  }
  out += '\n' +
         paragraph(
             "Values of these lists at k = 5, to four decimals, with default options, where the largest gain is 3. "
             "Metrics that need more data than the table above (a catalogue, other lists) have examples of their own below.");
  std::string rule = "|---|";
  out += "\n| metric |";
  for (const ExampleList& example : example_lists()) {
    out += " " + std::string(example.name) + " |";
    rule += "---|";
  }
  out += '\n' + rule + '\n';
  for (const MetricDefinition* metric : all_metrics()) {
    const bool plain = metric->needs_catalog || metric->needs.has(ListPart::popularity) ||
                       metric->needs.has(ListPart::attributes) || metric->needs.has(ListPart::latency) ||
                       metric->needs_action || metric->evaluate == nullptr;
    if (plain) continue;
    const std::uint32_t k = metric->has_cutoff ? example_cutoff : 0;
    out += "| " + code(example_name(*metric, k, {})) + " |";
    for (const ExampleList& example : example_lists()) {
      const ScoredList& list = example.scored;
      const bool says = metric->evidence != Evidence::own || metric->has_evidence(list, k, {});
      out += says ? " " + four_decimals(metric->evaluate(list, k, of_examples)) + " |" : " – |";
    }
    out += '\n';
  }
  return out;
}

std::string options_text(const MetricDefinition& metric) {
  std::vector<std::string> parts;
  for (const OptionTaken& option : options_taken_by(metric)) {
    if (option.name == "action") {
      parts.push_back("`action`: one of join.actions" + std::string(metric.needs_action ? ", always" : ""));
      continue;
    }
    std::vector<std::string> words;
    for (const std::string_view word : option.words) words.push_back(code(word));
    parts.push_back(code(option.name) + ": " + (words.empty() ? "a number" : joined(", ", words)) +
                    (option.usual.empty() ? ", always" : " (by default " + code(option.usual) + ")"));
  }
  return joined("; ", parts);
}

std::string metric_section(const MetricDefinition& metric) {
  std::string out = "### " + std::string(metric.name) + "\n\n";
  std::string facts = code(metric.formula) + ". Range " + range_text(metric);
  if (!metric.unit.empty()) facts += ", unit " + std::string(metric.unit);
  if (const std::string_view scope = scope_word(metric); !scope.empty()) facts += ", scope " + std::string(scope);
  if (metric.evidence != Evidence::none) facts += ", evidence " + std::string(evidence_rule(metric));
  facts += "; " + std::string(averaged_over(metric)) + ".";
  if (!metric.has_cutoff) facts += " No cutoff.";
  if (const auto needs = needs_of(metric); !needs.empty()) facts += " Needs " + joined("; ", needs) + ".";
  out += paragraph(facts) + '\n';
  if (!metric.says.empty()) out += paragraph(metric.says) + '\n';
  if (!metric.edges.empty()) out += point(metric.edges);
  for (const WorkedExample& example : metric.examples) {
    out += point(code(example_name(metric, example.cutoff, example.options)) + example_text(example));
  }
  if (const std::string options = options_text(metric); !options.empty()) out += point("Options: " + options + ".");
  if (!metric.elsewhere.empty()) out += point("Elsewhere: " + std::string(metric.elsewhere));
  return out + point("Source: " + std::string(metric.source) + ".");
}

constexpr std::array families{
    std::pair{Family::list_mean, "Metrics of a list"},      std::pair{Family::pooled, "Metrics of sums over lists"},
    std::pair{Family::list_share, "Shares of lists"},       std::pair{Family::audience, "Users"},
    std::pair{Family::exposure, "Facts of what was shown"}, std::pair{Family::quantile, "Times"},
};

}  // namespace

std::string metrics_markdown() {
  std::string out = example_section();
  for (const auto& [family, title] : families) {
    bool first = true;
    for (const MetricDefinition* metric : all_metrics()) {
      if (metric->family != family) continue;
      if (first) out += "\n## " + std::string(title) + "\n";
      first = false;
      out += '\n' + metric_section(*metric);
    }
  }
  return out;
}

}  // namespace recmeter
