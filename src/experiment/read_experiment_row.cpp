#include <simdjson.h>

#include <array>
#include <optional>
#include <vector>

#include "recmeter/experiment/experiment_row.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// Reads members, and remembers the first one that is not what it should be.
class Members {
 public:
  explicit Members(element of) : of_(of) {}

  [[nodiscard]] bool has(std::string_view name) const { return of_[name].error() == SUCCESS; }
  void text(std::string_view name, std::string& to) {
    std::string_view value;
    expect(name, of_[name].get_string().get(value) == SUCCESS);
    to = value;
  }
  template <class Number>
  void number(std::string_view name, Number& to) {
    expect(name, of_[name].get<Number>().get(to) == SUCCESS);
  }
  void boolean(std::string_view name, bool& to) { expect(name, of_[name].get_bool().get(to) == SUCCESS); }
  void time(std::string_view name, EventTime& to) { number(name, to.ms); }
  // null: nothing.
  template <class Value, class Read>
  void maybe(std::string_view name, std::optional<Value>& to, Read&& read) {
    element value;
    if (of_[name].get(value) != SUCCESS) return expect(name, false);
    if (!value.is_null()) expect(name, read(value, to.emplace()));
  }
  // read(element) is false where the entry is wrong.
  template <class Read>
  void entries(std::string_view name, Read&& read) {
    array values;
    if (of_[name].get_array().get(values) != SUCCESS) return expect(name, false);
    for (const element value : values) expect(name, read(value));
  }
  void expect(std::string_view name, bool is_so) {
    if (!is_so && wrong_.empty()) wrong_ = name;
  }
  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  [[nodiscard]] bool are_right() const { return wrong_.empty(); }

 private:
  element of_;
  std::string wrong_;
};

bool read_number(element value, double& to) {
  return value.get_double().get(to) == SUCCESS;
}

bool read_or_null(element value, std::optional<double>& to) {
  return value.is_null() || read_number(value, to.emplace());
}

bool read_pair(element value, Interval& to) {
  array both;
  return value.get_array().get(both) == SUCCESS && both.size() == 2 && read_number(both.at(0).value_unsafe(), to.first) &&
         read_number(both.at(1).value_unsafe(), to.second);
}

bool read_time(element value, EventTime& to) {
  return value.get_int64().get(to.ms) == SUCCESS;
}

bool read_distance(element value, Distance& to) {
  Members members(value);
  members.number("value", to.value);
  members.maybe("ci", to.ci, read_pair);
  members.maybe("cs", to.cs, read_pair);
  return members.are_right();
}

bool read_missing(element value, Missing& to) {
  std::string_view word;
  if (value.get_string().get(word) != SUCCESS) return false;
  for (const Missing one : {Missing::no_lists, Missing::no_events, Missing::heavy, Missing::too_few}) {
    if (missing_name(one) != word) continue;
    to = one;
    return true;
  }
  return false;
}

bool read_before(element value, BeforeRow& to) {
  Members members(value);
  std::vector<std::optional<double>> values;
  members.entries("values", [&](element one) { return read_or_null(one, values.emplace_back()); });
  members.expect("values", values.size() == 2);
  members.maybe("log_e", to.log_e, read_number);
  members.maybe("flagged_at", to.flagged_at, read_time);
  if (!members.are_right()) return false;
  to.control = values[0];
  to.arm = values[1];
  return true;
}

bool read_comparison(element value, ComparisonRow& to) {
  Members members(value);
  members.text("arm", to.arm);
  std::optional<double> log_e;
  members.maybe("log_e", log_e, read_number);
  std::optional<std::string> more;
  members.maybe("more", more, [](element text, std::string& is) {
    std::string_view view;
    const bool is_text = text.get_string().get(view) == SUCCESS;
    is = view;
    return is_text;
  });
  if (more) {
    to.more = duration_from(*more);
    members.expect("more", to.more.has_value());
  }
  members.maybe("discovery", to.discovery, [](element word, bool& is) { return word.get_bool().get(is) == SUCCESS; });
  if (members.has("before")) members.maybe("before", to.before, read_before);
  if (members.has("wins")) {
    DraftCounts& draft = to.draft.emplace();
    members.number("wins", draft.wins);
    members.number("losses", draft.losses);
    members.number("ties", draft.ties);
  }
  // Rows of earlier versions have neither `few` nor `missing`.
  if (members.has("missing")) members.maybe("missing", to.missing, read_missing);
  if (!log_e) return members.are_right();
  Comparison& at = to.comparison.emplace();
  at.evidence.log_e = *log_e;
  std::optional<Distance> absolute;
  std::optional<Interval> adjusted;
  members.maybe("adjusted", adjusted, read_pair);
  members.maybe("absolute", absolute, read_distance);
  members.maybe("relative", at.relative, read_distance);
  members.expect("absolute", adjusted && absolute);
  if (!adjusted || !absolute) return false;
  std::tie(at.control, at.arm) = *adjusted;
  at.absolute = *absolute;
  members.number("theta", at.theta);
  members.number("variance_cut", at.variance_cut);
  if (members.has("few")) members.boolean("few", at.is_few);
  members.number("df", at.evidence.df);
  members.number("z", at.evidence.z);
  members.number("p", at.evidence.p);
  members.number("p_always", to.p_always);
  members.maybe("mde_now", at.evidence.mde_now, read_number);
  members.maybe("mde_fixed", at.evidence.mde_fixed, read_number);
  return members.are_right();
}

bool read_metric(element value, MetricRow& to) {
  Members members(value);
  members.text("metric", to.metric);
  std::string word;
  members.text("role", word);
  bool is_known = false;
  for (const TestRole role : {TestRole::primary, TestRole::guardrail, TestRole::secondary}) {
    if (role_name(role) != word) continue;
    to.role = role;
    is_known = true;
  }
  members.expect("role", is_known);
  members.text("better", word);
  to.is_higher_better = word == "higher";
  members.expect("better", word == "higher" || word == "lower");
  if (members.has("mde_absolute")) members.boolean("mde_absolute", to.is_absolute);
  members.entries("values", [&](element one) { return read_or_null(one, to.values.emplace_back()); });
  if (members.has("capped_share")) {
    members.entries("capped_share", [&](element one) { return read_or_null(one, to.capped_share.emplace_back()); });
  }
  members.entries("comparisons", [&](element one) { return read_comparison(one, to.comparisons.emplace_back()); });
  return members.are_right();
}

bool read_said(element value, Verdict& to) {
  Members members(value);
  std::string word;
  members.text("verdict", word);
  members.text("reason", to.reason);
  for (const Decision decision : {Decision::ship, Decision::hold, Decision::stop}) {
    if (decision_name(decision) != word) continue;
    to.decision = decision;
    return members.are_right();
  }
  return false;
}

bool read_decided(element value, DecidedRow& to) {
  Members members(value);
  members.time("end", to.end);
  return members.are_right() && read_said(value, to.verdict);
}

bool read_verdict(element value, ExperimentRow& to) {
  object arms;
  if (!read_said(value, to.verdict) || value["arms"].get_object().get(arms) != SUCCESS) return false;
  for (const auto [arm, said] : arms) {
    if (!read_said(said, to.arm_verdicts.emplace_back(arm, Verdict()).second)) return false;
  }
  Members members(value);
  members.maybe("decided", to.decided, read_decided);
  return members.are_right();
}

bool read_counts(element value, CountsRow& to) {
  Members members(value);
  members.time("at", to.at);
  if (members.has("arm")) members.text("arm", to.arm);
  return members.are_right() && read_said(value, to.verdict);
}

// Rows of earlier versions do not say what counts; what they say of this look and of the first decision does.
bool read_counts_of(element row, ExperimentRow& to) {
  const bool is_pair = to.arm_verdicts.size() == 1;
  if (is_pair && to.decided) to.decided->arm = to.arm_verdicts.front().first;
  to.counts = counts_of(to);
  element value;
  if (row["counts"].get(value) != SUCCESS) return true;
  to.counts = {};
  if (!read_counts(value, to.counts)) return false;
  if (is_pair) to.counts.arm = to.arm_verdicts.front().first;
  return true;
}

bool read_arm(element value, ArmRow& to) {
  Members members(value);
  members.text("arm", to.arm);
  members.number("lists", to.lists);
  members.number("users", to.users);
  members.number("allocation", to.allocation);
  return members.are_right();
}

bool read_sample_ratio(element value, SampleRatioRow& to) {
  Members members(value);
  members.number("log_e", to.log_e);
  members.number("max", to.max);
  members.maybe("flagged_at", to.flagged_at, read_time);
  return members.are_right();
}

void read_members(Members& members, element row, ExperimentRow& to) {
  members.text("evaluator", to.evaluator);
  members.text("experiment", to.experiment);
  members.text("config", to.config);
  members.time("start", to.start);
  members.time("end", to.end);
  std::string horizon;
  members.text("horizon", horizon);
  members.expect("horizon", duration_from(horizon).has_value());
  to.horizon = duration_from(horizon).value_or(Duration{});
  members.number("look", to.look);
  members.boolean("closed", to.is_closed);
  members.entries("incomplete", [&](element one) {
    std::string_view text;
    const bool is_text = one.get_string().get(text) == SUCCESS;
    to.incomplete.emplace_back(text);
    return is_text;
  });
  members.entries("arms", [&](element one) { return read_arm(one, to.arms.emplace_back()); });
  members.expect("arms", to.arms.size() >= 2);
  members.number("mixed_users", to.mixed_users);
  members.number("mixed_lists", to.mixed_lists);
  members.number("other_lists", to.other_lists);
  members.number("nobody_lists", to.nobody_lists);
  members.number("members_sampled", to.members_sampled);
  element of;
  members.expect("srm", row["srm"].get(of) == SUCCESS && read_sample_ratio(of, to.sample_ratio));
  members.entries("metrics", [&](element one) { return read_metric(one, to.metrics.emplace_back()); });
  members.expect("verdict", row["verdict"].get(of) == SUCCESS && read_verdict(of, to));
  members.expect("counts", members.are_right() && read_counts_of(row, to));
}

}  // namespace

bool is_experiment_row(std::string_view json) {
  return json.starts_with(R"({"schema":"recmeter.experiment/)");
}

Result<ExperimentRow> read_experiment_row(std::string_view json) {
  simdjson::dom::parser parser;
  element row;
  if (parser.parse(json.data(), json.size()).get(row) != SUCCESS || !row.is_object()) {
    return failure(Errc::input_corrupt, "it is no JSON object");
  }
  Members members(row);
  ExperimentRow out;
  std::string schema;
  members.text("schema", schema);
  members.expect("schema", schema == experiment_schema);
  if (members.are_right()) read_members(members, row, out);
  if (!members.are_right()) {
    return failure(Errc::input_corrupt, "`" + members.wrong() + "` is missing or wrong; give a file of rows, as " +
                                            "recmeter replay --experiments writes it");
  }
  return out;
}

}  // namespace recmeter
