#include "app/report/list_comparison.h"

#include <simdjson.h>
#include <algorithm>

#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/event/join_key.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

tl::unexpected<Error> no_list() {
  return failure(Errc::input_corrupt,
                 "this is not a list with its metrics; give the file that recmeter replay --lists wrote");
}

}  // namespace

Result<void> ListComparison::add(std::string_view json) {
  // One parser for all: it keeps its memory.
  thread_local simdjson::dom::parser parser;
  simdjson::dom::object line;
  simdjson::dom::object segments;
  simdjson::dom::object metrics;
  std::string_view horizon;
  std::string_view id;
  std::int64_t ts = 0;
  std::uint64_t length = 0;
  if (parser.parse(json.data(), json.size()).get(line) != simdjson::SUCCESS ||
      line["segments"].get(segments) != simdjson::SUCCESS || line["metrics"].get(metrics) != simdjson::SUCCESS ||
      line["horizon"].get(horizon) != simdjson::SUCCESS || line["ts"].get(ts) != simdjson::SUCCESS ||
      line["items"].get(length) != simdjson::SUCCESS) {
    return no_list();
  }
  // A list of nobody is its own user. [S6.11]
  bool is_nobody = false;
  if (line["nobody"].get(is_nobody) != simdjson::SUCCESS) is_nobody = false;
  const bool has_user = !is_nobody && line["user_id"].get(id) == simdjson::SUCCESS;
  if (!has_user && line["list_id"].get(id) != simdjson::SUCCESS) id = {};
  const std::size_t slot = slot_of(hash_id(id));
  lengths_.add(length);
  first_ = std::min(first_, EventTime{ts});
  last_ = std::max(last_, EventTime{ts});

  std::vector<Side*> sides;
  const auto is_of = [&](const char* lane_key) { return segments[lane_key].error() == simdjson::SUCCESS; };
  const char* const lane_key = is_of(recommender_key) ? recommender_key : is_of(policy_key) ? policy_key : nullptr;
  for (const auto [key, value] : segments) {
    if (lane_key != nullptr && key != lane_key) continue;  // a value of it has lists of all recommenders
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return no_list();
    auto& values = sides_[{std::string(horizon), std::string(key)}];
    // Beyond what is compared nothing is summed; that they are too many is still known.
    if (values.size() > values_max && !values.contains(std::string(text))) continue;
    sides.push_back(&values[std::string(text)]);
    sides.back()->lengths.add(length);
  }
  std::size_t place = 0;
  for (const auto [key, value] : metrics) {
    if (place >= metrics_.size() || metrics_[place] != key) {
      place = static_cast<std::size_t>(std::find(metrics_.begin(), metrics_.end(), key) - metrics_.begin());
      if (place == metrics_.size()) metrics_.emplace_back(key);
    }
    double number = 0;
    if (value.get(number) == simdjson::SUCCESS) {
      for (Side* side : sides) {
        if (side->metrics.size() <= place) side->metrics.resize(place + 1);
        SlotSums& sums = side->metrics[place];
        sums.s[slot] += to_q32_wide(number);
        sums.n[slot] += to_q32(1);
      }
    }
    ++place;
  }
  return {};
}

std::uint32_t ListComparison::cutoff(std::string_view shown) const {
  std::vector<std::uint32_t> cutoffs;
  for (const std::string& metric : metrics_) {
    if (const std::uint32_t cutoff = cutoff_of_key(metric); cutoff > 0) cutoffs.push_back(cutoff);
  }
  std::uint32_t cutoff = table_cutoff(cutoffs, lengths_);
  for (const auto& [key, values] : sides_) {
    if (values.size() > values_max) continue;
    const bool is_of_recommenders = key.second == recommender_key;
    if (!is_of_recommenders && !is_arm_name(key.second)) continue;
    std::vector<ListLengths> lengths;
    for (const auto& [value, side] : values) {
      if (!is_of_recommenders || value == shown) lengths.push_back(side.lengths);
    }
    if (!lengths.empty()) cutoff = std::min(cutoff, table_cutoff(cutoffs, lengths));
  }
  return cutoff;
}

bool ListComparison::has_pairs() const {
  return std::any_of(sides_.begin(), sides_.end(),
                     [](const auto& of) { return of.second.size() >= 2 && of.second.size() <= values_max; });
}

std::vector<ListComparison::Pair> ListComparison::pairs(double alpha) const {
  std::vector<Pair> out;
  for (const auto& [key, values] : sides_) {
    if (values.size() > values_max) continue;
    PairedLists paired;
    for (std::size_t place = 0; place < metrics_.size(); ++place) {
      if (mean_over_lists(metrics_[place]) == nullptr) continue;  // lines do not add up to its value
      for (const auto& [value, side] : values) {
        if (place < side.metrics.size()) paired.add_sums(key.first, value, metrics_[place], side.metrics[place]);
      }
    }
    const std::vector<std::string> variants = paired.variants();
    const std::optional<std::string> named = named_control(variants);
    for (const std::string& control : variants) {
      for (PairedLists::Pair& pair : paired.pairs(control, alpha)) {
        Pair drawn{.horizon = key.first,
                   .metric = pair.metric,
                   .a = {key.second, pair.arm},
                   .b = {key.second, control},
                   .lists_a = pair.lists_arm,
                   .lists_b = pair.lists_control,
                   .absolute = {},
                   .relative = {},
                   .p = {},
                   .words = paired_sentence(pair, {.value = control, .is_known = named == control},
                                            metric_of_key(pair.metric)->better)};
        if (pair.comparison) {
          drawn.absolute = pair.comparison->absolute;
          drawn.relative = pair.comparison->relative;
          if (pair.unsure.empty()) drawn.p = pair.comparison->evidence.p;
        }
        out.push_back(std::move(drawn));
      }
    }
  }
  return out;
}

}  // namespace recmeter
