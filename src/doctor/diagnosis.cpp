#include "doctor/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

namespace recmeter::doctor {
namespace {

// Texts are short: `{word}` is looked up, `{{` and `}}` are braces.
std::string filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& words) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "{{" || text.substr(i, 2) == "}}") {
      out += text[i++];
    } else if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      const auto word = words.find(text.substr(i + 1, end - i - 1));
      out += word == words.end() ? "-" : word->second;
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

// All that a check knows which found nothing.
std::string counted(const Judged& judged) {
  if (judged.of == 0) return "there was nothing to look at";
  if (judged.of < judged.enough) return fmt::format("{} of {}: too few to say anything", judged.cases, grouped(judged.of));
  return fmt::format("{} of {}: nothing wrong", grouped(judged.cases), grouped(judged.of));
}

Finding finding_of(const Check& check, Judged judged) {
  if (judged.sureness == Sureness::silent) {
    Finding finding;
    finding.check = &check;
    finding.cases = judged.cases;
    finding.of = judged.of;
    finding.statistic = counted(judged);
    finding.file = std::move(judged.file);
    return finding;
  }
  judged.words.try_emplace("share", percent(share(judged.cases, judged.of)));
  judged.words.try_emplace("cases", grouped(judged.cases));
  judged.words.try_emplace("of", grouped(judged.of));
  return {.check = &check,
          .sureness = judged.sureness,
          .cases = judged.cases,
          .of = judged.of,
          .file = std::move(judged.file),
          .statistic = filled(check.says, judged.words),
          .cause = filled(check.cause, judged.words),
          .remedy = filled(check.remedy, judged.words),
          .settings = std::move(judged.settings),
          .hidden_by = {}};
}

bool hides(const Check& check, std::string_view code) {
  if (check.hides == "*") return true;
  std::string_view rest = check.hides;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == code) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// One that is hidden itself still hides what follows from it.
void hide(std::vector<Finding>& findings) {
  for (auto finding = findings.begin(); finding != findings.end(); ++finding) {
    if (finding->sureness == Sureness::silent) continue;
    for (auto other = finding + 1; other != findings.end(); ++other) {
      if (other->check != finding->check && other->hidden_by.empty() && hides(*finding->check, other->check->code))
        other->hidden_by = finding->check->code;
    }
  }
}

}  // namespace

std::string grouped(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::optional<Weight> Diagnosis::gravest() const {
  std::optional<Weight> gravest;
  for (const Finding& finding : findings) {
    if (finding.is_told() && (!gravest || finding.check->weight < *gravest)) gravest = finding.check->weight;
  }
  return gravest;
}

Diagnosis diagnose(const Facts& facts, const EvaluatorSpec& spec, std::span<const InputFacts> inputs, EventTime now) {
  const JoinedLog log(facts.sample, spec.join);
  Duration lateness;
  for (const InputFacts& input : inputs) lateness = std::max(lateness, input.lateness);
  Diagnosis diagnosis{.findings = {},
                      .curve = delay_curve(log, spec.join, lateness),
                      .profile = profile_of(log, facts.values.ratings),
                      .sampled_one_in = facts.sample.one_in()};
  for (const FileFacts& file : facts.files) diagnosis.events += file.events;
  const Evidence evidence{.facts = facts, .log = log, .curve = diagnosis.curve, .spec = spec, .inputs = inputs, .now = now};
  for (const Check& check : all_checks()) {
    std::vector<Judged> judgements = check.judge(evidence, check.threshold);
    const bool speaks = std::ranges::any_of(judgements, [](const Judged& of) { return of.sureness != Sureness::silent; });
    const bool has_any = std::ranges::any_of(judgements, [](const Judged& of) { return of.of > 0; });
    const bool has_enough = std::ranges::any_of(judgements, [](const Judged& of) { return of.of >= of.enough; });
    diagnosis.checks += speaks || has_any ? 1U : 0U;
    diagnosis.checks_short += !speaks && has_any && !has_enough ? 1U : 0U;
    for (Judged& judged : judgements) diagnosis.findings.push_back(finding_of(check, std::move(judged)));
  }
  for (Finding& finding : diagnosis.findings) {
    if (inputs.size() == 1) finding.file = inputs.front().name;
  }
  hide(diagnosis.findings);
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.check->weight < b.check->weight; });
  return diagnosis;
}

}  // namespace recmeter::doctor
