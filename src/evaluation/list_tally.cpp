#include "recmeter/evaluation/list_tally.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "recmeter/base/exact_sum.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

void ListTally::add(const ListTallySpec& spec, const MetricPlan& metrics, const JoinKey& key, const Segmenter& segmenter,
                    const ListView& list, const ScoredList& score) {
  ++lengths_[std::min(score.length, length_max)];
  arms_.resize(spec.segments.size());
  // A list of nobody is its own user. [S6.11]
  const bool is_nobody = list.user_id.empty() || key.not_users.contains(list.user_id);
  std::optional<std::uint8_t> slot;
  for (std::size_t i = 0; i < spec.segments.size(); ++i) {
    const std::string value = segmenter.values(spec.segments[i], list.labels[spec.segments[i]]).front();
    if (value == segment_none || value == segment_other) continue;
    ArmSums& arms = arms_[i];
    if (arms.size() > values_max && !arms.contains(value)) continue;
    std::vector<SlotSums>& sums = arms[value];
    if (arms.size() > values_max) continue;
    sums.resize(spec.metrics.size());
    for (std::size_t m = 0; m < spec.metrics.size(); ++m) {
      const std::optional<double> of_list = MetricPlan::value_of(metrics.metrics()[spec.metrics[m]], score);
      if (!of_list) continue;
      if (!slot) slot = slot_of(hash_id(is_nobody ? list.list_id : list.user_id));
      sums[m].s[*slot] += to_q32_wide(*of_list);
      sums[m].n[*slot] += to_q32(1);
    }
  }
}

ListTally& ListTally::operator+=(const ListTally& other) {
  for (std::size_t length = 0; length < lengths_.size(); ++length) lengths_[length] += other.lengths_[length];
  if (arms_.size() < other.arms_.size()) arms_.resize(other.arms_.size());
  for (std::size_t i = 0; i < other.arms_.size(); ++i) {
    for (const auto& [value, more] : other.arms_[i]) {
      std::vector<SlotSums>& sums = arms_[i][value];
      sums.resize(std::max(sums.size(), more.size()));
      for (std::size_t m = 0; m < more.size(); ++m) sums[m] += more[m];
    }
  }
  return *this;
}

std::uint64_t ListTally::reaching(std::uint32_t length) const {
  return std::accumulate(lengths_.begin() + length, lengths_.end(), std::uint64_t{0});
}

std::uint32_t ListTally::longest() const {
  std::uint32_t length = length_max;
  while (length > 0 && lengths_[length] == 0) --length;
  return length;
}

ListTally::ArmSums ListTally::arms(std::size_t segment) const {
  if (segment >= arms_.size() || arms_[segment].size() > values_max) return {};
  return arms_[segment];
}

}  // namespace recmeter
