#include "app/report/list_comparison.h"

#include <simdjson.h>
#include <algorithm>

#include "recmeter/base/lane_names.h"
#include "recmeter/event/join_key.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

tl::unexpected<Error> no_list() {
  return failure(Errc::input_corrupt,
                 "this is not a list with its metrics; give the file that recmeter replay --lists wrote");
}

// Whose lines' mean is the row's value: not sums over lists, nor means over users.
const MetricDefinition* mean_over_lists(std::string_view key) {
  const MetricDefinition* definition = find_metric(key.substr(0, key.find_first_of("{@/")));
  if (definition == nullptr || key.find('/') != std::string_view::npos) return nullptr;
  return definition->family == Family::list_mean || definition->family == Family::list_share ? definition : nullptr;
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
  std::uint64_t relevant = 0;
  if (parser.parse(json.data(), json.size()).get(line) != simdjson::SUCCESS ||
      line["segments"].get(segments) != simdjson::SUCCESS || line["metrics"].get(metrics) != simdjson::SUCCESS ||
      line["horizon"].get(horizon) != simdjson::SUCCESS || line["ts"].get(ts) != simdjson::SUCCESS ||
      line["relevant"].get(relevant) != simdjson::SUCCESS) {
    return no_list();
  }
  // A list of nobody is its own user. [S6.11]
  bool is_nobody = false;
  if (line["nobody"].get(is_nobody) != simdjson::SUCCESS) is_nobody = false;
  const bool has_user = !is_nobody && line["user_id"].get(id) == simdjson::SUCCESS;
  if (!has_user && line["list_id"].get(id) != simdjson::SUCCESS) id = {};
  const std::size_t group = user_group(hash_id(id));
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
        GroupSums& sums = side->metrics[place];
        sums.value[group] += to_q32_wide(number);
        ++sums.lists[group];
        sums.evidence[group] += relevant > 0 ? 1U : 0U;
      }
    }
    ++place;
  }
  return {};
}

bool ListComparison::has_pairs() const {
  return std::any_of(sides_.begin(), sides_.end(),
                     [](const auto& of) { return of.second.size() >= 2 && of.second.size() <= values_max; });
}

std::vector<ListComparison::Pair> ListComparison::pairs(double confidence) const {
  std::vector<Pair> out;
  for (const auto& [key, values] : sides_) {
    if (values.size() > values_max) continue;
    for (std::size_t place = 0; place < metrics_.size(); ++place) {
      const MetricDefinition* definition = mean_over_lists(metrics_[place]);
      if (definition == nullptr) continue;
      const ValueRange range{definition->low, definition->high};
      std::vector<std::pair<std::string, Estimate>> estimates;
      for (const auto& [value, side] : values) {
        if (place < side.metrics.size()) estimates.emplace_back(value, estimate_mean(side.metrics[place], range, confidence));
      }
      for (std::size_t a = 0; a < estimates.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const auto& [value_a, of_a] = estimates[a];
          const auto& [value_b, of_b] = estimates[b];
          out.push_back(
              {.horizon = key.first,
               .metric = metrics_[place],
               .a = {key.second, value_a},
               .b = {key.second, value_b},
               .lists_a = static_cast<std::uint64_t>(of_a.denominator.value_or(0)),
               .lists_b = static_cast<std::uint64_t>(of_b.denominator.value_or(0)),
               .relative = estimate_relative({of_a.value, of_a.left_out}, {of_b.value, of_b.left_out}, confidence)});
        }
      }
    }
  }
  return out;
}

}  // namespace recmeter
