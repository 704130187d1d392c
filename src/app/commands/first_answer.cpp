#include "app/commands/first_answer.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "app/commands/row_output.h"
#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"
#include "app/run/table_columns.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr double alpha_of_answer = 0.05;

bool is_compared_by_experiment(const EvaluatorSpec& spec, const std::string& key) {
  return std::ranges::any_of(spec.experiments, [&](const ExperimentSpec& each) { return each.arms.key == key; });
}

// As a shell takes it.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 ||
           std::string_view("_-./:@%+=,").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// "" of `by`: by what the configured experiments say.
std::string compare_command(const ReplayCommand& command, const std::string& by) {
  constexpr std::size_t inputs_max = 4;
  std::string out = "recmeter compare";
  if (!command.config.empty()) out += " --config " + shell_word(command.config);
  if (!by.empty()) out += " --by " + shell_word(by);
  if (command.inputs.size() > inputs_max) return out + " LOG...";
  for (const std::string& input : command.inputs) out += " " + shell_word(input);
  return out;
}

std::set<std::string> keys_of(const EvaluatorPlan& plan, const std::vector<std::size_t>& columns) {
  std::set<std::string> keys;
  for (const std::size_t column : columns) keys.insert(plan.metrics.metrics()[column].key);
  return keys;
}

}  // namespace

void begin_first_table(const EvaluatorPlan& plan, std::uint32_t longest, const std::string& output, RowWriter& rows) {
  rows.begin_with(FirstAnswer(plan).table(), first_table_width(output));
  ListLengths lengths;
  lengths.add(longest);
  const std::uint32_t cutoff = table_cutoff(plan.spec->metrics.cutoffs, lengths);
  rows.choose_columns(keys_of(plan, table_columns(plan.metrics, cutoff, longest, plan.spec->join.actions)));
}

FirstAnswer::FirstAnswer(const EvaluatorPlan& plan) : plan_(plan) {
  const EvaluatorSpec& spec = *plan.spec;
  const auto longest = std::ranges::max_element(spec.join.horizons);
  tally_.horizon = static_cast<std::size_t>(longest - spec.join.horizons.begin());
  for (std::size_t i = 0; i < spec.segments.size(); ++i) {
    if (spec.segments[i].keys.size() != 1 || !is_arm_name(spec.segments[i].keys.front())) continue;
    keys_.push_back({spec.segments[i].keys.front(), i});
  }
  for (const ArmKey& key : keys_) tally_.segments.push_back(key.segment);
  // Lengths are known at the end only.
  for (const std::uint32_t cutoff : spec.metrics.cutoffs) {
    const auto compared = compared_column(plan.metrics, columns_at(cutoff, ListLengths::length_max));
    const bool is_new = compared && std::ranges::find(tally_.metrics, *compared) == tally_.metrics.end();
    if (is_new && !tally_.segments.empty()) tally_.metrics.push_back(*compared);
  }
}

std::vector<std::size_t> FirstAnswer::columns_at(std::uint32_t cutoff, std::uint32_t longest) const {
  return table_columns(plan_.metrics, cutoff, longest, plan_.spec->join.actions);
}

FirstTable FirstAnswer::table() const {
  std::set<std::string> arms{recommender_key, policy_key};
  for (const ArmKey& key : keys_) arms.insert(key.name);
  return {*plan_.spec, std::move(arms)};
}

std::vector<std::string> FirstAnswer::sentences(const ListTally& lists, std::size_t metric) const {
  std::vector<std::string> out;
  const auto place = std::ranges::find(tally_.metrics, metric);
  if (place == tally_.metrics.end()) return out;
  const PlannedMetric& planned = plan_.metrics.metrics()[metric];
  const auto number = static_cast<std::size_t>(place - tally_.metrics.begin());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (is_compared_by_experiment(*plan_.spec, keys_[i].name)) continue;
    PairedLists paired;
    const std::string horizon = render_duration(plan_.spec->join.horizons[tally_.horizon]);
    for (const auto& [value, sums] : lists.arms(i)) paired.add_sums(horizon, value, planned.key, sums[number]);
    const std::optional<std::string> control = named_control(paired.variants());
    if (!control) continue;
    for (const PairedLists::Pair& pair : paired.pairs(*control, alpha_of_answer)) {
      const std::string which = keys_.size() > 1 ? keys_[i].name + ": " : "";
      out.push_back(which + paired_sentence(pair, {.value = *control}, planned.definition->better));
    }
  }
  return out;
}

// A range of the log has none: compare takes all of it.
std::vector<std::string> FirstAnswer::commands(const ListTally& lists, const ReplayCommand& command) const {
  std::vector<std::string> out;
  if (!command.from.empty() || !command.to.empty()) return out;
  if (std::ranges::find(command.inputs, "-") != command.inputs.end()) return out;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const bool has_experiment = is_compared_by_experiment(*plan_.spec, keys_[i].name);
    if (!has_experiment && lists.arms(i).size() < 2) continue;
    std::string said = compare_command(command, has_experiment ? "" : keys_[i].name);
    if (std::ranges::find(out, said) == out.end()) out.push_back(std::move(said));
  }
  return out;
}

void FirstAnswer::end(const ListTally& lists, const ReplayCommand& command, RowWriter& rows) const {
  const std::vector<std::size_t> columns =
      columns_at(table_cutoff(plan_.spec->metrics.cutoffs, lists.lengths()), lists.lengths().longest());
  rows.choose_columns(keys_of(plan_, columns));
  const auto compared = compared_column(plan_.metrics, columns);
  if (!compared) return;
  for (const std::string& sentence : sentences(lists, *compared)) rows.end_table_with(sentence + "\n");
  for (const std::string& more : commands(lists, command)) rows.end_table_with("More: " + more + "\n");
}

}  // namespace recmeter
