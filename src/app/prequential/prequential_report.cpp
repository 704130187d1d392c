#include "app/prequential/prequential_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "recmeter/recommend/recommender.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/report_json.h"

namespace recmeter {

namespace {

constexpr double known_share_max = 0.2;  // of targets that no list could have had
constexpr unsigned report_indent = 2;

// Absent: there is nothing that it could be a share of.
std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The time that a share of the answers took at most. Absent: there was none.
std::optional<double> quantile(std::vector<float> seconds, double share) {
  if (seconds.empty()) return std::nullopt;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(seconds.size() - 1));
  std::nth_element(seconds.begin(), seconds.begin() + place, seconds.end());
  return static_cast<double>(seconds[static_cast<std::size_t>(place)]);
}

std::string_view name_of(RecommenderKind kind) {
  const auto definitions = recommender_definitions();
  return std::ranges::find(definitions, kind, &RecommenderDefinition::kind)->name;
}

std::string summary_of(const ExternalAnswers& told) {
  std::string text = fmt::format("recommender {}: {} requests, {} empty lists, {} late, {} bad items", told.name,
                                 told.requests, told.empty, told.late, told.bad_items);
  const auto median = quantile(told.seconds, 0.5);
  if (!median) return text;
  return text + fmt::format("; an answer took {:.3g} ms (p50), {:.3g} ms (p99)", 1000 * *median,
                            1000 * *quantile(told.seconds, 0.99));
}

void write_external(JsonWriter& json, const ExternalAnswers& told) {
  json.member("requests", told.requests);
  json.member("answered", told.answered);
  json.member("late", told.late);
  json.member("bad_items", told.bad_items);
  json.begin_object("seconds");
  json.member("p50", quantile(told.seconds, 0.5));
  json.member("p99", quantile(told.seconds, 0.99));
  json.end_object();
  if (!told.failure.empty()) json.member("failure", told.failure);
}

void write_recommender(JsonWriter& json, const RecommenderSpec& spec, const PrequentialResult& result, std::size_t place,
                       std::span<const std::uint32_t> cutoffs) {
  json.begin_object();
  json.member("name", spec.name);
  json.member("kind", name_of(spec.kind));
  json.member("lists", result.lists[place].lists);
  json.member("empty", result.lists[place].empty);
  if (!result.lists[place].judged.empty()) {
    json.begin_object("judged_share");
    for (std::size_t c = 0; c < cutoffs.size(); ++c) {
      const JudgedItems& judged = result.lists[place].judged[c];
      json.member(std::to_string(cutoffs[c]), share(judged.shown, judged.items));
    }
    json.end_object();
  }
  for (const ExternalAnswers& told : result.external) {
    if (told.name == spec.name) write_external(json, told);
  }
  json.end_object();
}

}  // namespace

std::vector<std::string> prequential_summary(const PrequentialResult& result) {
  const PrequentialCounts& counts = result.counts;
  std::string text = fmt::format("{} requests, {} events learned", counts.requests, counts.events);
  if (counts.targets > 0) {
    text += fmt::format("; of {} targets {:.1f} % could be recommended, {:.1f} % were known to their user", counts.targets,
                        100 * *share(counts.reachable, counts.targets), 100 * *share(counts.known, counts.targets));
  }
  std::uint64_t empty = 0;
  for (const ListCounts& one : result.lists) empty += one.empty;
  if (empty > 0) text += fmt::format("; {} empty lists", empty);
  std::vector<std::string> out{std::move(text)};
  for (const ExternalAnswers& told : result.external) out.push_back(summary_of(told));
  return out;
}

std::vector<std::string> prequential_warnings(const PrequentialSpec& rules, const PrequentialResult& result) {
  std::vector<std::string> out;
  for (const ExternalAnswers& told : result.external) {
    if (told.failure.empty()) continue;
    out.push_back(
        fmt::format("recommender {} {}; its lists are empty from then on, and rows that they stand in are incomplete",
                    told.name, told.failure));
  }
  const PrequentialCounts& counts = result.counts;
  const bool excludes =
      rules.exclude == PrequentialSpec::Exclude::known && rules.candidates != PrequentialSpec::Candidates::rated;
  if (excludes && share(counts.known, counts.targets) > known_share_max) {
    out.emplace_back(
        "many targets are items that their user had acted on before, which exclude: known keeps out of lists; people come "
        "back to things here: write prequential: {exclude: none}");
  }
  return out;
}

std::string prequential_report(const PrequentialSpec& rules, std::span<const std::uint32_t> cutoffs,
                               const PrequentialResult& result) {
  Report report = result.read;
  report.rows_final = result.rows_final;
  report.rows_truncated = result.rows_truncated;
  for (std::string& sentence : prequential_warnings(rules, result)) report.warnings.push_back(std::move(sentence));
  const PrequentialCounts& counts = result.counts;
  std::string out;
  JsonWriter json(out, report_indent);
  json.begin_object();
  write_members(json, report);
  json.begin_object("prequential");
  json.member("requests", counts.requests);
  json.member("warmup", counts.warmup);
  json.member("learned", counts.events);
  json.member("targets", counts.targets);
  json.member("reachable", counts.reachable);
  json.member("reachable_share", share(counts.reachable, counts.targets));
  json.member("known", counts.known);
  json.member("known_share", share(counts.known, counts.targets));
  json.begin_array("recommenders");
  for (std::size_t r = 0; r < rules.recommenders.size(); ++r) {
    write_recommender(json, rules.recommenders[r], result, r, cutoffs);
  }
  json.end_array();
  json.end_object();
  json.end_object();
  out.push_back('\n');
  return out;
}

}  // namespace recmeter
