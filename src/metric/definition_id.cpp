#include "recmeter/metric/definition_id.h"

#include <array>
#include <charconv>

namespace recmeter {

namespace {

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

const std::vector<OptionWords>& words() {
  static const std::vector<OptionWords> all{
      {MetricOption::action, "action", {}},
      {MetricOption::cap, "cap", {}},
      {MetricOption::grade, "grade", {"gain", "value"}},
      {MetricOption::gain, "gain", {"linear", "exp2", "binary"}},
      {MetricOption::ap_denominator, "ap_denominator", {"min", "relevant", "k", "hits"}},
      {MetricOption::beta, "beta", {}},
      {MetricOption::unit_user, "unit", {"list", "user", "pooled"}},
      {MetricOption::precision_denominator, "precision_denominator", {"k", "shown"}},
      {MetricOption::recall_denominator, "recall_denominator", {"relevant", "min"}},
      {MetricOption::ideal, "ideal", {"cut", "ones", "shown", "whole"}},
      {MetricOption::discount, "discount", {"log2", "log2_max2", "rank", "none"}},
      {MetricOption::over, "over", {"all", "nonempty", "relevant", "nonempty_relevant", "user_relevant"}},
      {MetricOption::cut, "cut", {"k", "none", "R"}},
      {MetricOption::universe, "universe", {"all", "list"}},
      {MetricOption::exposures, "exposures", {}},
      {MetricOption::half_life, "half_life", {}},
      {MetricOption::level, "level", {}},
      {MetricOption::persistence, "p", {}},
      {MetricOption::rank_share, "p", {}},
      {MetricOption::slower_than, "slower_than", {}},
      {MetricOption::liked_from, "from", {}},
      {MetricOption::estimator, "of", {estimator_words.begin(), estimator_words.end()}},
      {MetricOption::clip, "clip", {}},
  };
  return all;
}

// 0.25 of 250: the double that is nearest to what is written.
std::string level_text(std::uint32_t thousandths) {
  return number_text(static_cast<double>(thousandths) / levels_of_recall);
}

// The word's number, or for numbers the text.
OptionChoice choice(const OptionWords& option, const MetricDefinition& metric, const MetricOptions& options) {
  const auto word = [&](auto value, auto usual) {
    return OptionChoice{option.name, std::string(option.words[static_cast<std::size_t>(value)]), value == usual};
  };
  const auto number = [&](double value, double usual) {
    return OptionChoice{option.name, number_text(value), value == usual};
  };
  const MetricOptions usual;
  switch (option.option) {
    case MetricOption::gain: return word(options.gain, usual.gain);
    case MetricOption::ap_denominator: return word(options.ap_denominator, usual.ap_denominator);
    case MetricOption::beta: return number(options.beta, usual.beta);
    case MetricOption::unit_list:
    case MetricOption::unit_user:
    case MetricOption::unit_pooled: return word(options.unit.value_or(own_unit(metric)), own_unit(metric));
    case MetricOption::precision_denominator: return word(options.precision_denominator, usual.precision_denominator);
    case MetricOption::recall_denominator: return word(options.recall_denominator, usual.recall_denominator);
    case MetricOption::ideal: return word(options.ideal, usual.ideal);
    case MetricOption::discount: return word(options.discount, usual.discount);
    case MetricOption::over: return word(options.over.value_or(metric.over), metric.over);
    case MetricOption::cut: return word(options.cut, usual.cut);
    case MetricOption::universe: return word(options.universe, usual.universe);
    case MetricOption::action: return {option.name, options.action, options.action.empty()};
    case MetricOption::persistence: return number(options.persistence, usual.persistence);
    case MetricOption::rank_share: return number(options.rank_share, usual.rank_share);
    case MetricOption::slower_than:
      return {option.name, options.slower_than ? number_text(*options.slower_than) : "none", !options.slower_than};
    case MetricOption::half_life: return number(options.half_life, usual.half_life);
    case MetricOption::level: return {option.name, options.level ? level_text(*options.level) : "all", !options.level};
    case MetricOption::grade: return word(options.grade, usual.grade);
    case MetricOption::cap: return {option.name, options.cap ? number_text(*options.cap) : "none", !options.cap};
    case MetricOption::liked_from:
      return {option.name, options.from ? number_text(*options.from) : "ratings.liked", !options.from};
    case MetricOption::clip: return number(options.clip, usual.clip);
    case MetricOption::estimator: return {option.name, options.of ? std::string(to_string(*options.of)) : "", !options.of};
    case MetricOption::cut_at_relevant:
    case MetricOption::exposures: break;
  }
  return {option.name, std::to_string(options.exposures), options.exposures == usual.exposures};
}

}  // namespace

std::vector<OptionChoice> option_choices(const MetricDefinition& metric, const MetricOptions& options) {
  std::vector<OptionChoice> choices;
  for (const OptionWords& option : words()) {
    if (option.option == MetricOption::action && options.action.empty()) continue;
    if (option.option == MetricOption::estimator && !options.of) continue;
    if (takes_option(metric, option.option)) choices.push_back(choice(option, metric, options));
  }
  return choices;
}

std::string key_stem(const MetricRequest& request) {
  if (request.as) return *request.as;
  const MetricOptions& options = request.options;
  const MetricOptions usual;
  std::string written;
  const auto add = [&](std::string_view name, const std::string& value) {
    written += (written.empty() ? "" : ",") + std::string(name) + "=" + value;
  };
  if (!options.action.empty()) add("action", options.action);
  if (options.cap) add("cap", number_text(*options.cap));
  if (options.clip != usual.clip) add("clip", number_text(options.clip));
  if (options.from) add("from", number_text(*options.from));
  if (options.grade == Grade::value) add("grade", "value");
  if (options.half_life != usual.half_life) add("half_life", number_text(options.half_life));
  if (options.level) add("level", level_text(*options.level));
  if (options.of) add("of", std::string(to_string(*options.of)));
  if (options.persistence != usual.persistence) add("p", number_text(options.persistence));
  if (options.rank_share != usual.rank_share) add("p", number_text(options.rank_share));
  if (options.slower_than) add("slower_than", number_text(*options.slower_than));
  return request.name + (written.empty() ? "" : "{" + written + "}");
}

std::string metric_key(const MetricRequest& request, const MetricDefinition& metric, std::string_view cutoff) {
  std::string key = key_stem(request);
  if (metric.has_cutoff && request.options.cut == Cut::k) key += "@" + std::string(cutoff);
  if (request.options.cut == Cut::relevant) key += "@R";
  const Unit unit = request.options.unit.value_or(own_unit(metric));
  if (unit == own_unit(metric)) return key;
  const std::array<std::string_view, 3> words{"/list", "/user", "/pooled"};
  return key.append(words[static_cast<std::size_t>(unit)]);
}

std::string definition_id(const MetricDefinition& metric, const MetricOptions& options) {
  std::string id(metric.name);
  bool some = false;
  for (const OptionChoice& choice : option_choices(metric, options)) {
    if (choice.is_default) continue;
    id += some ? ',' : '{';
    some = true;
    id += choice.option;
    id += '=';
    id += choice.value;
  }
  if (some) id += '}';
  return id;
}

std::span<const OptionWords> all_options() noexcept {
  return words();
}

}  // namespace recmeter
