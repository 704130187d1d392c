// `metrics`: what is computed, in which definition.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "config/metric_names.h"
#include "config/nearest.h"
#include "config/readers.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::config {

namespace {

constexpr std::array<std::string_view, 7> default_names{"precision", "hit_rate", "mrr",           "map_list",
                                                        "ndcg_list", "recall",   "distinct_items"};
constexpr std::size_t cutoffs_max = 32;
constexpr std::size_t requests_max = 256;
constexpr std::int64_t cutoff_max = 1'000'000;
constexpr double beta_max = 1000;
constexpr double half_life_max = 1e6;
constexpr double cap_max = 1e15;
constexpr Range<double> slower_than_range{1, 43'200'000};  // up to 12 hours: longer than a day counts as a day
constexpr double clip_max = weight_max;
constexpr std::int64_t exposures_max = 1'000'000'000'000;

constexpr std::string_view relevant_word = "R";

// Tells whether R is one of them, which each metric then has as a request of its own.
bool read_cutoffs(Section& metrics, MetricSpec& spec) {
  const auto value = metrics.take("cutoffs");
  const auto entries = value ? metrics.reader().list(*value, "[1, 5, 10]", cutoffs_max) : std::nullopt;
  if (!entries) return false;
  bool at_relevant = false;
  if (entries->empty()) metrics.reader().complain(*value, "names no cutoff", "write at least one, such as [10]");
  spec.cutoffs.clear();
  for (const Value& entry : *entries) {
    const bool is_relevant = entry.node->kind == Node::Kind::scalar && entry.node->text == relevant_word;
    const auto cutoff = is_relevant ? std::nullopt : metrics.reader().integer(entry, {1, cutoff_max});
    if (!is_relevant && !cutoff) continue;
    const auto k = static_cast<std::uint32_t>(cutoff.value_or(0));
    if (is_relevant ? at_relevant : std::ranges::find(spec.cutoffs, k) != spec.cutoffs.end()) {
      metrics.reader().complain_of(entry, "is a cutoff already", "remove one of the two");
    } else if (at_relevant) {
      metrics.reader().complain_of(entry, "stands after R", "write R last, as its values stand in rows: [10, R]");
    } else if (is_relevant) {
      at_relevant = true;
    } else {
      spec.cutoffs.push_back(k);
    }
  }
  return at_relevant;
}

// Above 0, so that no Range describes it.
std::optional<double> read_positive(ValueReader& reader, const Value& value, double max, std::string remedy) {
  const auto number = reader.number(value, {0, max});
  if (!number || *number > 0) return number;
  reader.complain_of(value, "is not above 0", std::move(remedy));
  return std::nullopt;
}
std::optional<double> read_beta(ValueReader& reader, const Value& value) {
  return read_positive(reader, value, beta_max, "write how much recall counts, such as 2");
}

// `p` says one thing of rbp and another of latency. Which of the options of one name is meant: the metric's own, else the
// first.
bool is_meant(const OptionWords& option, const MetricDefinition* metric) {
  const OptionWords* meant = nullptr;
  for (const OptionWords& each : all_options()) {
    if (each.name != option.name) continue;
    if (meant == nullptr || (metric != nullptr && takes_option(*metric, each.option))) meant = &each;
  }
  return meant == &option;
}

// Sets an option by the number of its word.
void set_word(MetricOptions& options, MetricOption option, std::size_t word) {
  switch (option) {
    case MetricOption::gain: options.gain = static_cast<GainKind>(word); break;
    case MetricOption::ap_denominator: options.ap_denominator = static_cast<ApDenominator>(word); break;
    case MetricOption::unit_list:
    case MetricOption::unit_user:
    case MetricOption::unit_pooled: options.unit = static_cast<Unit>(word); break;
    case MetricOption::precision_denominator: options.precision_denominator = static_cast<PrecisionDenominator>(word); break;
    case MetricOption::recall_denominator: options.recall_denominator = static_cast<RecallDenominator>(word); break;
    case MetricOption::ideal: options.ideal = static_cast<IdealDcg>(word); break;
    case MetricOption::discount: options.discount = static_cast<Discount>(word); break;
    case MetricOption::over: options.over = static_cast<Over>(word); break;
    case MetricOption::cut: options.cut = static_cast<Cut>(word); break;
    case MetricOption::universe: options.universe = static_cast<Universe>(word); break;
    case MetricOption::grade: options.grade = static_cast<Grade>(word); break;
    case MetricOption::beta:
    case MetricOption::exposures:
    case MetricOption::persistence:
    case MetricOption::rank_share:
    case MetricOption::slower_than:
    case MetricOption::level:
    case MetricOption::half_life:
    case MetricOption::cap:
    case MetricOption::liked_from:
    case MetricOption::clip:
    case MetricOption::cut_at_relevant:
    case MetricOption::action: break;
    case MetricOption::estimator: options.of = static_cast<Estimator>(word); break;
  }
}

// What stands for all entries of `names`.
struct MetricDefaults {
  MetricOptions options;
  const Preset* preset = nullptr;
  bool at_relevant = false;  // R is one of the cutoffs
};

// nullopt when there is no such preset; nullptr for `none`.
std::optional<const Preset*> read_preset(Section& section) {
  const auto value = section.take("preset");
  const auto text = value ? section.reader().text(*value, 256) : std::nullopt;
  if (!text) return std::nullopt;
  if (*text == "none") return nullptr;
  if (const Preset* preset = find_preset(*text)) return preset;
  std::vector<std::string_view> names{"none"};
  for (const Preset& preset : all_presets()) names.push_back(preset.name);
  section.reader().complain_of(*value, "is not a preset", question_or_choices(*text, names));
  return std::nullopt;
}

// A metric of an entry, and whose definition it has.
struct ReadMetric {
  MetricRequest request;
  const MetricDefinition* definition = nullptr;
  const Preset* preset = nullptr;
  bool has_action = false;  // one is written, whether it can be read or not
};

// One entry of `names` while it is read.
class RequestReader {
 public:
  RequestReader(Section& metrics, const Config& config, MetricDefaults defaults)
      : reader_(metrics.reader()), faults_(metrics.faults()), config_(config), defaults_(defaults) {}

  std::optional<ReadMetric> read(const Value& entry) {
    if (entry.node->kind != Node::Kind::mapping) return read_name(entry);
    Section section(faults_, entry.node, entry.path);
    const Preset* preset = read_preset(section).value_or(defaults_.preset);
    const auto name = section.take("name");
    std::optional<ReadMetric> metric;
    if (name && faults_.none_in({section.path_of("preset")})) metric = read_metric(*name, preset, universe_of(*entry.node));
    if (!name && faults_.none_in({entry.path})) {
      reader_.complain(entry, "has no `name`", "write which metric is meant: {name: ndcg_list, gain: exp2}");
    }
    ReadMetric ignored;
    read_options(section, metric ? *metric : ignored);
    section.finish();
    if (metric) check_together(section, *metric);
    return metric;
  }

  // The entry at R, where cutoffs ask for it. `metric` is one that was read from it.
  std::optional<ReadMetric> at_relevant(const Value& entry, const ReadMetric& metric) {
    if (!is_asked_at_relevant(metric)) return std::nullopt;
    ReadMetric cut = metric;
    cut.request.options.cut = Cut::relevant;
    const std::string_view name = metric.definition->name;
    const std::string remedy = "remove R from metrics.cutoffs, and write `cut: R` in entries of ";
    if (!takes_cut(*metric.definition, Cut::relevant)) {
      reader_.complain(entry, fmt::format("`{}` is not cut at R, which is one of metrics.cutoffs", name),
                       remedy + cut_at_relevant());
    } else if (!fits(cut)) {
      reader_.complain(entry, fmt::format("`{}` at R counts what a user did outside the list, and join.key is list", name),
                       "remove R from metrics.cutoffs, or set join.key to user");
    } else if (is_conditional(metric) && looks_beyond_list(*metric.definition, cut.request.options)) {
      reader_.complain(
          entry,
          fmt::format("`{}` at R counts what a user did outside the list, and `{}` comes after another action, in "
                      "a list alone",
                      name, metric.request.options.action),
          remedy + "other actions");
    } else {
      return cut;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<ReadMetric> default_at_relevant(const ReadMetric& metric) const {
    ReadMetric cut = metric;
    cut.request.options.cut = Cut::relevant;
    const bool has_it = is_asked_at_relevant(metric) && takes_cut(*metric.definition, Cut::relevant) && fits(cut);
    return has_it ? std::optional(cut) : std::nullopt;
  }

  // An entry by name alone, without complaint where it cannot be: for the default list.
  [[nodiscard]] std::optional<ReadMetric> of_default(std::string_view name) const {
    ReadMetric metric = named(name, defaults_.preset);
    if (metric.definition == nullptr || !fits(metric)) return std::nullopt;
    return metric;
  }

 private:
  std::optional<ReadMetric> read_name(const Value& entry) {
    auto metric = read_metric(entry, defaults_.preset, std::nullopt);
    if (!metric) return metric;
    if (metric->definition->needs_action) {
      reader_.complain(entry, of_one_action(*metric->definition), which_action(*metric->definition));
      return std::nullopt;
    }
    const auto refused = refused_policy(*metric);
    if (!refused) return metric;
    reader_.complain(entry, refused->why, refused->remedy);
    return std::nullopt;
  }

  // Metrics without a cutoff, and those of whole lists, are the same at every one.
  [[nodiscard]] bool is_asked_at_relevant(const ReadMetric& metric) const {
    return defaults_.at_relevant && metric.definition->has_cutoff && metric.request.options.cut == Cut::k;
  }
  [[nodiscard]] bool is_conditional(const ReadMetric& metric) const {
    const auto& actions = config_.spec.join.actions;
    const auto action = std::ranges::find(actions, metric.request.options.action, &Action::name);
    return action != actions.end() && action->after.has_value();
  }
  [[nodiscard]] static std::string cut_at_relevant() {
    std::vector<std::string_view> names;
    for (const MetricDefinition* metric : all_metrics()) {
      if (takes_cut(*metric, Cut::relevant)) names.push_back(metric->name);
    }
    return one_of(names);
  }

  // Why such lists cannot judge another policy by it.
  [[nodiscard]] std::optional<EstimatorRefusal> refused_policy(const ReadMetric& metric) const {
    const MetricDefinition& definition = *metric.definition;
    if (!judges_policy(definition) || !faults_.none_in({"off_policy"})) return std::nullopt;
    const std::string name = fmt::format("`{}`", definition.name);
    if (!config_.spec.off_policy) {
      return EstimatorRefusal{name + " judges another policy, and nothing says what is known of the one that was logged",
                              "add off_policy: {propensities: marginal}, or remove it"};
    }
    const MetricOptions& options = metric.request.options;
    if (definition.needs_estimator && !options.of) {
      return EstimatorRefusal{name + " is of one estimator",
                              fmt::format("write which: {{name: {}, of: snips}}", definition.name)};
    }
    const OffPolicySpec& spec = *config_.spec.off_policy;
    if (auto refused = refusal_of(weighed_by(definition, options), spec)) {
      return EstimatorRefusal{fmt::format("`{}` {}", to_string(weighed_by(definition, options)), refused->why),
                              refused->remedy};
    }
    if (!definition.estimator || spec.reward != OffPolicySpec::Reward::value) return std::nullopt;
    if (!metric.has_action) {
      return EstimatorRefusal{name + " has values for rewards, but of which action?",
                              fmt::format("write which: {{name: {}, action: purchase}}", definition.name)};
    }
    if (config_.spec.join.credit != Credit::every_touch) return std::nullopt;
    return EstimatorRefusal{"what was paid once would count on every list, and join.credit is every_touch",
                            "set join.credit to last_touch or first_touch, or off_policy.reward to grade or hits"};
  }

  [[nodiscard]] static std::string of_one_action(const MetricDefinition& metric) {
    return fmt::format("`{}` is of one action", metric.name);
  }
  [[nodiscard]] std::string which_action(const MetricDefinition& metric) const {
    const auto& actions = config_.spec.join.actions;
    return fmt::format("write which: {{name: {}, action: {}}}", metric.name,
                       actions.empty() ? "click" : actions.front().name);
  }

  // Keys have no other letters: r-precision is r_precision.
  static std::string key_of(std::string_view name) {
    std::string key(name);
    std::ranges::replace(key, '-', '_');
    return key;
  }
  static bool takes_persistence(const PresetName& row) {
    const MetricDefinition* metric = find_metric(row.metric);
    return metric != nullptr && metric->takes.has(MetricOption::persistence);
  }

  // A definition that is null when the preset, or the registry, has no such name.
  [[nodiscard]] ReadMetric named(std::string_view name, const Preset* preset) const {
    ReadMetric metric{.request = {.name = std::string(name), .as = {}, .options = defaults_.options}, .preset = preset};
    if (preset != nullptr) {
      const auto spelt = spelt_persistence(name);
      const PresetName* row = preset->find(spelt ? spelt->name : name);
      if (row == nullptr || (spelt && !takes_persistence(*row))) return metric;
      metric.request.name = row->metric;
      metric.request.options = row->options;
      metric.request.options.beta = defaults_.options.beta;
      if (spelt) metric.request.options.persistence = spelt->p;
      if (row->metric != (spelt ? spelt->name : name)) metric.request.as = key_of(name);
    }
    metric.definition = find_metric(metric.request.name);
    return metric;
  }

  [[nodiscard]] bool fits(const ReadMetric& metric) const {
    return config_.spec.join.key.by == JoinKey::By::user || !looks_beyond_list(*metric.definition, metric.request.options);
  }

  // The universe that the entry names, ahead of its options: the needs of the metric depend on it.
  static std::optional<Universe> universe_of(const Node& entry) {
    for (std::size_t i = 0; i < entry.keys.size(); ++i) {
      if (entry.keys[i] == "universe") return entry.items[i].text == "list" ? Universe::list : Universe::all;
    }
    return std::nullopt;
  }

  std::optional<ReadMetric> read_metric(const Value& value, const Preset* preset, std::optional<Universe> universe) {
    const auto text = reader_.text(value, 256);
    if (!text) return std::nullopt;
    ReadMetric metric = named(*text, preset);
    if (metric.definition == nullptr) {
      preset == nullptr ? complain_of_unknown(value, *text) : complain_of_unknown_to(*preset, value, *text);
      return std::nullopt;
    }
    if (universe && metric.definition->takes.has(MetricOption::universe)) metric.request.options.universe = *universe;
    if (!fits(metric)) {
      reader_.complain(value, fmt::format("`{}` counts what a user did outside the list, and join.key is list", *text),
                       "remove it, or set join.key to user");
      return std::nullopt;
    }
    if (metric.definition->needs.has(ListPart::popularity) && config_.spec.join.key.by == JoinKey::By::list) {
      reader_.complain(value, fmt::format("`{}` counts the users who acted on an item, and join.key is list", *text),
                       "remove it, or set join.key to user");
      return std::nullopt;
    }
    if (metric.definition->needs.has(ListPart::history) && config_.spec.join.key.by == JoinKey::By::list) {
      reader_.complain(value, fmt::format("`{}` asks what a user did before, and join.key is list", *text),
                       "remove it, or set join.key to user");
      return std::nullopt;
    }
    if (metric.definition->per_user != nullptr && !check_per_user(value, *text)) return std::nullopt;
    if (metric.definition->is_of_ratings && !config_.spec.join.rating() && faults_.is_read("join.actions")) {
      reader_.complain(value, fmt::format("`{}` is of ratings, and no action is called `rating`", *text),
                       "add the action `rating` to join.actions, or remove it");
      return std::nullopt;
    }
    if (asks_for_catalog(*metric.definition, metric.request.options) && !config_.spec.catalog &&
        faults_.none_in({"catalog"})) {
      reader_.complain(value, fmt::format("`{}` needs the catalogue", *text), needs_catalog_remedy(*metric.definition));
      return std::nullopt;
    }
    const bool attributes_known = config_.spec.catalog && !config_.spec.catalog->attributes.empty();
    if (metric.definition->needs.has(ListPart::attributes) && !attributes_known && faults_.none_in({"catalog"})) {
      reader_.complain(value, fmt::format("`{}` needs attributes of the catalogue's items", *text),
                       "add catalog: {file: items.ndjson} with objects such as {\"item_id\": \"a\", \"genre\": \"jazz\"}, or "
                       "remove it");
      return std::nullopt;
    }
    return metric;
  }

  static std::string needs_catalog_remedy(const MetricDefinition& metric) {
    const bool takes_list = metric.takes.has(MetricOption::universe);
    return std::string("add catalog: {size: 100000} or catalog: {file: items.txt}, ") +
           (takes_list ? "write `universe: list` for the items of the list alone, or remove it" : "or remove it");
  }

  bool check_per_user(const Value& value, std::string_view name) {
    if (config_.spec.join.key.by == JoinKey::By::list) {
      reader_.complain(value, fmt::format("`{}` looks at users one by one, and join.key is list", name),
                       "remove it, or set join.key to user");
      return false;
    }
    const auto why = why_no_mean_of_users();
    if (why) reader_.complain(value, *why, fmt::format("remove `{}`, or the window's `slide`", name));
    return !why;
  }

  void complain_of_unknown(const Value& value, const std::string& text) {
    const std::size_t at = text.find('@');
    if (at != std::string::npos && find_metric(text.substr(0, at)) != nullptr) {
      reader_.complain_of(value, "names a cutoff",
                          fmt::format("write `{}`: cutoffs stand in metrics.cutoffs, for all metrics", text.substr(0, at)));
      return;
    }
    const std::string question = metric_question(text, names_of_metrics());
    std::string remedy = question.empty() ? "`recmeter metrics` lists them all" : question;
    if (!question.empty() && at != std::string::npos) remedy += " Cutoffs stand in metrics.cutoffs, for all metrics";
    for (const Preset& preset : all_presets()) {
      if (std::ranges::find(preset.names, text, &PresetName::name) == preset.names.end()) continue;
      remedy = (question.empty() ? "" : remedy + " Or, as a name of another tool: ") +
               fmt::format("write {{name: {}, preset: {}}}", text, preset.name);
      break;
    }
    reader_.complain_of(value, "is not a metric of this version", std::move(remedy));
  }

  void complain_of_unknown_to(const Preset& preset, const Value& value, const std::string& text) {
    if (const PresetRefusal* refusal = preset.refusal(text)) {
      reader_.complain_of(value, fmt::format("cannot be reproduced as in {}: {}", preset.name, refusal->why), "remove it");
      return;
    }
    if (find_metric(text) != nullptr) {
      reader_.complain_of(value, fmt::format("has no counterpart in {}", preset.name),
                          fmt::format("write {{name: {}, preset: none}} for recmeter's own", text));
      return;
    }
    std::vector<std::string_view> names;
    for (const PresetName& row : preset.names) names.push_back(row.name);
    reader_.complain_of(value, fmt::format("is not a metric of {} that is known here", preset.name),
                        question_or_choices(text, names));
  }

  void read_options(Section& section, ReadMetric& metric) {
    metric.has_action = section.has("action");
    for (const OptionWords& option : all_options()) {
      if (!is_meant(option, metric.definition)) continue;
      const auto value = section.take(option.name);
      if (!value || !may_have(*value, option, metric)) continue;
      read_option(*value, option, metric.request.options);
    }
    if (const auto as = section.take("as")) read_as(*as, metric.request);
  }

  bool may_have(const Value& value, const OptionWords& option, const ReadMetric& metric) {
    if (metric.definition == nullptr) return true;
    if (!takes_option(*metric.definition, option.option)) {
      reader_.complain(value, fmt::format("`{}` does not change `{}`", option.name, metric.request.name), "remove it");
      return false;
    }
    const bool is_free = option.option == MetricOption::unit_user || option.option == MetricOption::beta ||
                         option.option == MetricOption::persistence;
    if (metric.preset == nullptr || is_free) return true;
    reader_.complain(value, fmt::format("`{}` is what {} says", option.name, metric.preset->name),
                     "remove it, or write `preset: none` in this entry");
    return false;
  }

  void read_option(const Value& value, const OptionWords& option, MetricOptions& options) {
    if (option.option == MetricOption::beta) {
      options.beta = read_beta(reader_, value).value_or(options.beta);
    } else if (option.option == MetricOption::exposures) {
      const auto number = reader_.integer(value, {1, exposures_max});
      if (number) options.exposures = static_cast<std::uint64_t>(*number);
    } else if (option.option == MetricOption::persistence) {
      options.persistence =
          read_between(value, 0, 1, "write how likely the next rank is looked at, such as 0.8").value_or(options.persistence);
    } else if (option.option == MetricOption::rank_share) {
      options.rank_share = read_positive(reader_, value, 1, "write which share of the lists is no slower, such as 0.99")
                               .value_or(options.rank_share);
    } else if (option.option == MetricOption::slower_than) {
      options.slower_than = reader_.number(value, slower_than_range);
    } else if (option.option == MetricOption::level) {
      options.level = read_level(value);
    } else if (option.option == MetricOption::half_life) {
      options.half_life =
          read_between(value, 1, half_life_max, "write the rank that weighs half, such as 5").value_or(options.half_life);
    } else if (option.option == MetricOption::liked_from) {
      options.from = reader_.number(value, {-rating_max, rating_max});
    } else if (option.option == MetricOption::action) {
      options.action = read_action(value).value_or("");
    } else if (option.option == MetricOption::cap) {
      options.cap = read_positive(reader_, value, cap_max, "write what an item is worth at most, such as 200");
    } else if (option.option == MetricOption::clip) {
      options.clip =
          read_positive(reader_, value, clip_max, "write what a weight counts at most, such as 10").value_or(options.clip);
    } else if (const auto word = reader_.word(value, option.words)) {
      set_word(options, option.option, *word);
    }
  }

  // A level of recall in thousandths, so that whether so many hits reach it is no matter of rounding.
  std::optional<std::uint32_t> read_level(const Value& value) {
    const auto level = reader_.number(value, {0, 1});
    if (!level) return std::nullopt;
    const auto thousandths = static_cast<std::uint32_t>(std::lround(*level * levels_of_recall));
    if (static_cast<double>(thousandths) / levels_of_recall == *level) return thousandths;
    reader_.complain_of(value, "is finer than a thousandth of recall", "write at most three decimals, such as 0.333");
    return std::nullopt;
  }

  // A number above `low`, and below 1 where that is the bound.
  std::optional<double> read_between(const Value& value, double low, double high, std::string remedy) {
    const auto number = reader_.number(value, {low, high});
    if (!number || (*number > low && (*number < high || high > 1))) return number;
    reader_.complain_of(value,
                        high > 1 ? fmt::format("is not above {}", low) : fmt::format("is not between {} and {}", low, high),
                        std::move(remedy));
    return std::nullopt;
  }

  std::optional<std::string> read_action(const Value& value) {
    auto name = reader_.text(value, 256);
    if (!name || !faults_.is_read("join.actions")) return std::nullopt;
    std::vector<std::string_view> names;
    for (const Action& action : config_.spec.join.actions) names.push_back(action.name);
    if (std::ranges::find(names, *name) != names.end()) return name;
    reader_.complain_of(value, "is no action of join.actions", question_or_choices(*name, names));
    return std::nullopt;
  }

  void read_as(const Value& value, MetricRequest& request) {
    const auto as = reader_.text(value, 64);
    if (!as) return;
    const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (!is_word((*as)[0]) || !std::ranges::all_of(*as, [&](char c) { return is_word(c) || (c >= '0' && c <= '9'); })) {
      reader_.complain_of(value, "is no name for a value", "write letters, digits and `_`, beginning with a letter");
    } else if (*as != request.name && find_metric(*as) != nullptr) {
      reader_.complain_of(value, "is the name of another metric", "choose a name that says what differs, such as ndcg_exp");
    } else {
      request.as = *as;
    }
  }

  // Options that are right alone.
  void check_together(const Section& section, const ReadMetric& metric) {
    const MetricOptions& options = metric.request.options;
    const auto refuse = [&](std::string_view key, std::string message, std::string remedy) {
      const std::string path = section.path_of(key);
      if (faults_.none_in({path})) faults_.add_at(path, std::move(message), std::move(remedy));
    };
    check_unit(metric, refuse);
    check_action(metric, refuse);
    check_value(metric, refuse);
    if (options.slower_than && section.has("p")) {
      refuse("p", "the value is of a rank, or of a bound", "remove `p`, or `slower_than`");
    }
    const auto refused = faults_.none_in({section.path_of("of")}) ? refused_policy(metric) : std::nullopt;
    if (refused) refuse("name", refused->why, refused->remedy);
    if (options.universe == Universe::list && metric.definition->scope == Scope::list && options.cut != Cut::relevant) {
      refuse("universe", fmt::format("`{}` knows the list alone without it", metric.definition->name),
             "remove it, or add `cut: R`");
    }
    const bool is_at_relevant = options.cut == Cut::relevant;
    if (is_at_relevant && !takes_cut(*metric.definition, Cut::relevant)) {
      refuse("cut", fmt::format("`{}` is not cut at R", metric.definition->name),
             "remove it, or choose " + cut_at_relevant());
    } else if (is_at_relevant && !fits(metric)) {
      refuse("cut", "R counts what a user did outside the list, and join.key is list", "remove it, or set join.key to user");
    } else if (!fits(metric)) {
      refuse("over", "`user_relevant` counts what a user did outside the list, and join.key is list", "write `relevant`");
    }
    if (options.cut != Cut::none || !divides_by_k(*metric.definition, options)) return;
    const std::string message = "without a cut there is no k to divide by";
    if (takes_option(*metric.definition, MetricOption::ap_denominator) && options.ap_denominator == ApDenominator::k) {
      refuse("cut", message, "remove it, or choose another `ap_denominator`");
    }
    if (takes_option(*metric.definition, MetricOption::ideal) && options.ideal == IdealDcg::ones) {
      refuse("cut", message, "remove it, or choose another `ideal`");
    }
    if (takes_option(*metric.definition, MetricOption::precision_denominator)) {
      refuse("cut", message, "remove it, or add `precision_denominator: shown`");
    }
  }

  template <class Refuse>
  void check_action(const ReadMetric& metric, const Refuse& refuse) {
    const std::string& name = metric.request.options.action;
    if (name.empty()) {
      if (metric.definition->needs_action && !metric.has_action) {
        refuse("action", of_one_action(*metric.definition), which_action(*metric.definition));
      }
      return;
    }
    const auto& actions = config_.spec.join.actions;
    const auto action = std::ranges::find(actions, name, &Action::name);
    if (action->on_list && !metric.definition->is_of_list) {
      refuse("action", fmt::format("`{}` is done to a whole list, and `{}` looks at items", name, metric.definition->name),
             "choose action_rate or time_to");
    }
    if (action->after && looks_beyond_list(*metric.definition, metric.request.options)) {
      refuse("action",
             fmt::format("`{}` counts what a user did outside the list, and `{}` comes after `{}`, in a list alone",
                         metric.definition->name, name, actions[*action->after].name),
             "choose a metric of the list, such as map_list or ndcg_list");
    }
    const auto is_plain = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    };
    if (!metric.request.as && !std::ranges::all_of(name, is_plain)) {
      refuse("as", fmt::format("the action {} has letters that no key can have", in_quotes(name)),
             "name the value with `as`");
    }
  }

  template <class Refuse>
  void check_value(const ReadMetric& metric, const Refuse& refuse) {
    const MetricOptions& options = metric.request.options;
    if (!looks_at_value(*metric.definition, options)) return;
    const std::string_view key = options.grade == Grade::value ? "grade" : "name";
    if (config_.spec.join.credit == Credit::every_touch) {
      refuse(key, "what was paid once would count on every list, and join.credit is every_touch",
             "set join.credit to last_touch or first_touch, or remove it");
    }
    if (options.grade != Grade::value) return;
    if (!metric.has_action) {
      refuse(key, "values for grades are of one action",
             fmt::format("add which: {{name: {}, action: purchase, grade: value}}", metric.definition->name));
    }
    if (options.gain == GainKind::exp2) {
      refuse(key, "2 to the power of a value is too large for a sum", "write `gain: linear`, or remove `grade`");
    }
  }

  template <class Refuse>
  void check_unit(const ReadMetric& metric, const Refuse& refuse) {
    const MetricDefinition& definition = *metric.definition;
    const Unit unit = metric.request.options.unit.value_or(own_unit(definition));
    if (unit == Unit::pooled && !takes_unit(definition, unit)) {
      refuse("unit", fmt::format("`{}` has no sums to pool", definition.name), "write `list` or `user`");
    }
    if (unit != Unit::user) return;
    if (!takes_unit(definition, unit)) {
      refuse("unit", fmt::format("`{}` is not averaged over users", definition.name), "write `list` or `pooled`");
    }
    if (metric.request.options.over == Over::user_relevant) {
      refuse("unit", "a mean over users is not over lists chosen by `user_relevant`",
             "write `unit: list`, or another `over`");
    }
    if (const auto why = why_no_mean_of_users()) {
      refuse("unit", *why, "write `list` or `pooled`, or remove the window's `slide`");
    }
  }

  [[nodiscard]] std::optional<std::string> why_no_mean_of_users() const {
    const auto& windows = config_.spec.windows;
    const auto rolling = std::ranges::find_if(windows, [](const WindowSpec& window) { return window.slide != window.size; });
    if (rolling == windows.end() || !faults_.none_in({"windows"})) return std::nullopt;
    return fmt::format("means over users do not add up in rolling windows, and window {} slides", in_quotes(rolling->name));
  }

  ValueReader& reader_;
  Faults& faults_;
  const Config& config_;
  MetricDefaults defaults_;
};

void add_request(Config& config, ReadMetric&& metric) {
  if (metric.preset != nullptr) config.presets.insert(std::string(metric.preset->name));
  config.spec.metrics.requests.push_back(std::move(metric.request));
}

// True where the metric has a value besides the one at R.
bool has_k(const Config& config, const ReadMetric& metric) {
  const bool is_cut = metric.definition->has_cutoff && metric.request.options.cut == Cut::k;
  return !is_cut || !config.spec.metrics.cutoffs.empty();
}

void read_requests(Section& metrics, Config& config, const MetricDefaults& defaults) {
  const auto value = metrics.take("names");
  RequestReader reader(metrics, config, defaults);
  if (!value) {
    for (const std::string_view name : default_names) {
      auto metric = reader.of_default(name);
      if (!metric) continue;
      auto cut = reader.default_at_relevant(*metric);
      if (has_k(config, *metric)) add_request(config, std::move(*metric));
      if (cut) add_request(config, std::move(*cut));
    }
    return;
  }
  const auto entries = metrics.reader().list(*value, "[precision, mrr]", requests_max);
  if (!entries) return;
  if (entries->empty()) metrics.reader().complain(*value, "names no metric", "write at least one, such as [precision]");
  std::set<std::string> keys;
  for (const Value& entry : *entries) {
    const auto metric = reader.read(entry);
    if (!metric) continue;
    for (auto& each : {has_k(config, *metric) ? metric : std::nullopt, reader.at_relevant(entry, *metric)}) {
      if (!each) continue;
      if (!keys.insert(metric_key(each->request, *each->definition, "k")).second) {
        metrics.reader().complain(
            entry,
            fmt::format("`{}` is there already, and rows would hold it twice", each->request.as.value_or(each->request.name)),
            "remove one, or name this one with `as`");
        break;
      }
      add_request(config, ReadMetric(*each));
    }
  }
}

// `gain` and `ap_denominator` for all metrics, which a preset says itself.
void read_defaults(Section& metrics, MetricDefaults& defaults) {
  for (const MetricOption option : {MetricOption::gain, MetricOption::ap_denominator}) {
    const OptionWords& words = *std::ranges::find(all_options(), option, &OptionWords::option);
    const auto value = metrics.take(words.name);
    if (const auto word = value ? metrics.reader().word(*value, words.words) : std::nullopt) {
      set_word(defaults.options, option, *word);
    }
  }
  if (const auto beta = metrics.take("beta")) {
    defaults.options.beta = read_beta(metrics.reader(), *beta).value_or(defaults.options.beta);
  }
  defaults.preset = read_preset(metrics).value_or(nullptr);
  if (defaults.preset == nullptr) return;
  for (const char* key : {"gain", "ap_denominator"}) {
    const std::string path = metrics.path_of(key);
    if (!metrics.faults().is_written(path) || !metrics.faults().none_in({path})) continue;
    metrics.faults().add_at(path, fmt::format("`{}` is what {} says", key, defaults.preset->name),
                            "remove it, or write it in entries with `preset: none`");
  }
}

// The trailing period over which users are counted for novelty and its like.
void read_popularity(Section& metrics, PopularitySpec& spec) {
  Section section = metrics.section("popularity", "popularity: {period: 24h, step: 5m, top: 100}");
  section.read(popularity_keys, spec);
  section.finish();
  if (!metrics.faults().none_in({section.path_of("period"), section.path_of("step")})) return;
  const Duration period{spec.period_ms}, step{spec.step_ms};
  if (period.ms % step.ms == 0) return;
  const bool of_period = metrics.faults().is_written(section.path_of("period"));
  metrics.faults().add_at(section.path_of(of_period ? "period" : "step"),
                          fmt::format("the period {} is not a multiple of the step {}", text_of(period), text_of(step)),
                          "write a period of whole steps, such as {period: 24h, step: 5m}");
}

// What `recmeter examination` says.
void read_examination(Section& metrics, Examination& examination) {
  constexpr std::size_t ranks_max = 1000;
  constexpr double rate_max = 1000;
  Section section = metrics.section("examination", "examination: {first: 0.12, by_rank: [1, 0.62, 0.45]}");
  const auto first = section.take("first");
  const auto by_rank = section.take("by_rank");
  section.finish();
  if (!section.is_written()) return;
  ValueReader& reader = metrics.reader();
  for (const char* key : {"first", "by_rank"}) {
    if (section.has(key)) continue;
    metrics.faults().add_at(section.path(), fmt::format("has no `{}`", key),
                            "write both as `recmeter examination` says: {first: 0.12, by_rank: [1, 0.62, 0.45]}");
  }
  if (first) {
    const auto rate = read_positive(reader, *first, 1, "write the click rate at rank 1, such as 0.12");
    examination.first = rate.value_or(examination.first);
  }
  const auto entries = by_rank ? reader.list(*by_rank, "[1, 0.62, 0.45]", ranks_max) : std::nullopt;
  if (!entries) return;
  if (entries->empty()) reader.complain(*by_rank, "has no rank", "write at least that of rank 1: [1]");
  for (std::size_t rank = 1; rank <= entries->size(); ++rank) {
    const Value& entry = (*entries)[rank - 1];
    const auto rate = read_positive(reader, entry, rate_max, "end the list before it: ranks that nobody sees have no rate");
    if (!rate) continue;
    if (rank == 1 && *rate != 1) {
      reader.complain_of(entry, "is not 1, what rank 1 has by itself", "divide all by it, such as [1, 0.62, 0.45]");
    }
    // What is printed with a few digits may be above by as little.
    constexpr double rounding = 1e-5;
    if (examination.first * *rate > 1 + rounding) {
      reader.complain_of(
          entry, fmt::format("times the `first` {} is above 1, and no rank has more clicks than lists", examination.first),
          "write rates over that at rank 1");
    }
    examination.by_rank.push_back(*rate);
  }
}

}  // namespace

void read_metrics(Section& root, Config& config) {
  Section metrics = root.section("metrics", "metrics: {cutoffs: [10], names: [precision]}");
  MetricSpec& spec = config.spec.metrics;
  MetricDefaults defaults;
  defaults.at_relevant = read_cutoffs(metrics, spec);
  read_defaults(metrics, defaults);
  if (metrics.faults().none_in({metrics.path_of("preset")})) {
    read_requests(metrics, config, defaults);
  } else {
    (void)metrics.take("names");  // what they mean is not known
  }
  read_popularity(metrics, spec.popularity);
  read_examination(metrics, spec.examination);
  const auto confidence = metrics.take("confidence");
  const auto number = confidence ? metrics.reader().number(*confidence, {0, 1}) : std::nullopt;
  if (number && (*number == 0 || *number == 1)) {
    metrics.reader().complain_of(*confidence, "is not between 0 and 1", "write a share such as 0.95");
  }
  spec.confidence = number.value_or(spec.confidence);
  metrics.finish();
}

}  // namespace recmeter::config
