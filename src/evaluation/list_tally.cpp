#include "recmeter/evaluation/list_tally.h"

#include <algorithm>
#include <optional>

#include "recmeter/base/exact_sum.h"
#include "recmeter/window/segment_spec.h"

namespace recmeter {

void ListTally::add(const ListTallySpec& spec, const MetricPlan& metrics, const JoinKey& key, const Segmenter& segmenter,
                    const ListView& list, const ScoredList& score) {
  lengths_.add(score.length);
  for (const Hit& hit : score.hits) {
    hit_ranks_.add(hit.rank);
    halves_.add(hit.rank, score.length);
  }
  arms_.resize(spec.segments.size());
  users_of_arms_.resize(spec.segments.size());
  // A list of nobody is its own user. [S6.11]
  const bool is_nobody = list.user_id.empty() || key.not_users.contains(list.user_id);
  const std::uint64_t user = hash_id(is_nobody ? list.list_id : list.user_id);
  users_.add(user);
  if (!score.hits.empty()) {
    ++acted_on_;
    acting_users_.add(user);
  }
  for (std::size_t i = 0; i < spec.segments.size(); ++i) {
    const std::string value = segmenter.values(spec.segments[i], list.labels[spec.segments[i]]).front();
    if (value == segment_none || value == segment_other) continue;
    Arms& arms = arms_[i];
    if (arms.size() > values_max && !arms.contains(value)) continue;
    Arm& arm = arms[value];
    if (arms.size() > values_max) continue;
    arm.lengths.add(score.length);
    arm.times.add(list.ts);
    users_of_arms_[i].add(user, value);
    std::vector<SlotSums>& sums = arm.sums;
    sums.resize(spec.metrics.size());
    for (std::size_t m = 0; m < spec.metrics.size(); ++m) {
      const std::optional<double> of_list = MetricPlan::value_of(metrics.metrics()[spec.metrics[m]], score);
      if (!of_list) continue;
      sums[m].s[slot_of(user)] += to_q32_wide(*of_list);
      sums[m].n[slot_of(user)] += to_q32(1);
    }
  }
}

ListTally& ListTally::operator+=(const ListTally& other) {
  lengths_ += other.lengths_;
  hit_ranks_ += other.hit_ranks_;
  halves_ += other.halves_;
  cut_ += other.cut_;
  acted_on_ += other.acted_on_;
  acted_later(other.is_acted_on_later_);
  has_propensities(other.has_propensities_);
  users_ += other.users_;
  acting_users_ += other.acting_users_;
  if (users_of_arms_.size() < other.users_of_arms_.size()) users_of_arms_.resize(other.users_of_arms_.size());
  for (std::size_t i = 0; i < other.users_of_arms_.size(); ++i) users_of_arms_[i] += other.users_of_arms_[i];
  if (arms_.size() < other.arms_.size()) arms_.resize(other.arms_.size());
  for (std::size_t i = 0; i < other.arms_.size(); ++i) {
    for (const auto& [value, more] : other.arms_[i]) {
      Arm& arm = arms_[i][value];
      arm.lengths += more.lengths;
      arm.times += more.times;
      arm.sums.resize(std::max(arm.sums.size(), more.sums.size()));
      for (std::size_t m = 0; m < more.sums.size(); ++m) arm.sums[m] += more.sums[m];
    }
  }
  return *this;
}

ListTally::Arms ListTally::arms(std::size_t segment) const {
  if (segment >= arms_.size() || has_too_many(segment)) return {};
  return arms_[segment];
}

std::vector<ListLengths> ListTally::lengths_of_arms(std::size_t segment) const {
  std::vector<ListLengths> out;
  for (const auto& [value, arm] : arms(segment)) out.push_back(arm.lengths);
  return out;
}

}  // namespace recmeter
