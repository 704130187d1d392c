#include "app/compare/paired_lists.h"

#include <simdjson.h>
#include <algorithm>
#include <set>
#include <utility>

#include "recmeter/event/join_key.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

using simdjson::SUCCESS;
using simdjson::dom::object;

constexpr double any_change = 0.01;  // an interval of one look does not depend on it

tl::unexpected<Error> no_list() {
  return failure(Errc::input_corrupt,
                 "this is not a list with its metrics; give the file that recmeter replay --lists wrote");
}

MetricRange range_of(std::string_view key) {
  const MetricDefinition* definition = metric_of_key(key);
  return definition == nullptr ? MetricRange() : MetricRange{.low = definition->low, .high = definition->high};
}

// Of one line: `variant_of(line)` is null where it takes no part.
struct ListLine {
  object line;
  object metrics;
  std::string_view horizon;
  std::uint64_t user = 0;  // the hash of its id
  std::uint64_t length = 0;
  ArmTimes times;
};

Result<ListLine> read_line(std::string_view json) {
  thread_local simdjson::dom::parser parser;  // it keeps its memory
  ListLine out;
  std::string_view id;
  if (parser.parse(json.data(), json.size()).get(out.line) != SUCCESS || out.line["metrics"].get(out.metrics) != SUCCESS ||
      out.line["horizon"].get(out.horizon) != SUCCESS) {
    return no_list();
  }
  // A list of nobody is its own user. [S6.11]
  bool is_nobody = false;
  if (out.line["nobody"].get(is_nobody) != SUCCESS) is_nobody = false;
  if ((is_nobody || out.line["user_id"].get(id) != SUCCESS) && out.line["list_id"].get(id) != SUCCESS) return no_list();
  out.user = hash_id(id);
  if (out.line["items"].get(out.length) != SUCCESS) return no_list();
  if (std::int64_t ts = 0; out.line["ts"].get(ts) == SUCCESS) out.times.add(EventTime{ts});
  return out;
}

std::uint64_t lists_of(const SlotSums& sums) {
  return static_cast<std::uint64_t>(total_of(sums.n) >> q32_fraction_bits);
}

void add_values(const ListLine& of, std::vector<std::string>& metrics, std::map<std::size_t, SlotSums>& sums) {
  for (const auto [key, value] : of.metrics) {
    double number = 0;
    if (value.get(number) != SUCCESS) continue;  // null: not in the mean
    auto place = std::ranges::find(metrics, key);
    if (place == metrics.end()) {
      if (mean_over_lists(key) == nullptr) continue;
      place = metrics.insert(place, std::string(key));
    }
    SlotSums& at = sums[static_cast<std::size_t>(place - metrics.begin())];
    at.s[slot_of(of.user)] += to_q32_wide(number);
    at.n[slot_of(of.user)] += to_q32(1);
  }
}

std::size_t slots_of(const SlotSums& sums) {
  return static_cast<std::size_t>(std::ranges::count_if(sums.n, [](const Int128& lists) { return lists != Int128{}; }));
}

// An interval that holds every difference there can be says nothing.
bool says_nothing(const Comparison& comparison, const MetricRange& range) {
  const auto& ci = comparison.decisive().ci;
  if (!ci) return true;
  constexpr double rounding = 1e-9;
  return !comparison.relative && range.is_bounded() && ci->first <= rounding - range.width() &&
         ci->second >= range.width() - rounding;
}

// Why an interval says nothing: the arm of the fewer users, or some users that make most of it.
std::string why_unsure(const std::string& control, const SlotSums& of_control, const std::string& arm,
                       const SlotSums& of_arm) {
  const std::size_t slots_control = slots_of(of_control), slots_arm = slots_of(of_arm);
  if (static_cast<double>(std::min(slots_control, slots_arm)) >= evidence_slots_min) return "a few users decide it";
  return "too few users in " + (slots_arm < slots_control ? arm : control);
}

}  // namespace

bool PairedLists::is_list(std::string_view json) {
  return read_line(json).has_value();
}

Result<void> PairedLists::add_of(const std::string& variant, std::string_view json) {
  const auto line = read_line(json);
  if (!line) return tl::unexpected(line.error());
  lengths_[variant].add(line->length);
  add_times(variant, line->times);
  users_.add(line->user, variant);
  add_values(*line, metrics_, sums_[std::string(line->horizon)][variant]);
  return {};
}

Result<void> PairedLists::add_by(std::string_view key, std::string_view json) {
  const auto line = read_line(json);
  if (!line) return tl::unexpected(line.error());
  object segments;
  std::string_view variant;
  if (line->line["segments"].get(segments) != SUCCESS) return no_list();
  if (segments[key].get(variant) != SUCCESS) {
    for (const auto [name, value] : segments) keys_.emplace(name);
    return {};
  }
  lengths_[std::string(variant)].add(line->length);
  add_times(std::string(variant), line->times);
  users_.add(line->user, variant);
  add_values(*line, metrics_, sums_[std::string(line->horizon)][std::string(variant)]);
  return {};
}

void PairedLists::add_sums(const std::string& horizon, const std::string& variant, const std::string& metric,
                           const SlotSums& sums) {
  auto place = std::ranges::find(metrics_, metric);
  if (place == metrics_.end()) place = metrics_.insert(place, metric);
  sums_[horizon][variant][static_cast<std::size_t>(place - metrics_.begin())] += sums;
}

std::vector<std::string> PairedLists::variants() const {
  std::set<std::string> names;
  for (const auto& [horizon, variants] : sums_) {
    for (const auto& [variant, sums] : variants) names.insert(variant);
  }
  return {names.begin(), names.end()};
}

std::set<std::string> PairedLists::metrics_of_a_table() const {
  std::vector<std::uint32_t> cutoffs;
  for (const std::string& metric : metrics_) {
    if (const std::uint32_t cutoff = cutoff_of_key(metric); cutoff > 0) cutoffs.push_back(cutoff);
  }
  std::vector<ListLengths> lengths;
  for (const auto& [variant, of] : lengths_) lengths.push_back(of);
  const std::uint32_t chosen = table_cutoff(cutoffs, lengths);
  std::set<std::string> out;
  for (const std::string& metric : metrics_) {
    const std::uint32_t cutoff = cutoff_of_key(metric);
    if (cutoff == 0 || cutoff == chosen) out.insert(metric);
  }
  return out;
}

std::vector<PairedLists::Pair> PairedLists::pairs(const std::string& control, double alpha) const {
  std::vector<Pair> out;
  for (const auto& [horizon, variants] : sums_) {
    const auto base = variants.find(control);
    if (base == variants.end()) continue;
    for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
      const auto a = base->second.find(metric);
      if (a == base->second.end()) continue;
      for (const auto& [variant, sums] : variants) {
        const auto b = sums.find(metric);
        if (variant == control || b == sums.end()) continue;
        const auto control_mean = ratio_of(a->second), arm_mean = ratio_of(b->second);
        const ComparisonRule rule{.is_absolute = !(control_mean > 0.0 && arm_mean > 0.0),
                                  .is_paired = true,
                                  .mde = any_change,
                                  .alpha = alpha,
                                  .alpha_all = alpha,
                                  .range = range_of(metrics_[metric])};
        Compared compared = compare_arms(a->second, b->second, rule);
        const bool is_unsure = compared && says_nothing(*compared, rule.range);
        out.push_back({horizon, metrics_[metric], variant, lists_of(a->second), lists_of(b->second), control_mean, arm_mean,
                       std::move(compared), is_unsure ? why_unsure(control, a->second, variant, b->second) : ""});
      }
    }
  }
  return out;
}

}  // namespace recmeter
