#include "laws/list_samples.h"

#include <algorithm>
#include <functional>

namespace recmeter::laws {

ScoredList ListSample::list() const {
  ScoredList list{.length = length, .hits = hits, .missed = missed, .missed_items = 0, .distinct = distinct};
  for (const AssignedFeedback& of_action : feedback) list.credited += of_action.credited;
  for (const GradeCount& level : missed) list.missed_items += level.items;
  return list;
}

void ListSample::take_feedback_away() {
  hits.clear();
  feedback.clear();
}

ListSample random_sample(support::Dice& dice) {
  const std::vector<double> grades{0.25, 1, 1, 2, 3, 30, 1e-9};
  ListSample sample;
  sample.length = dice.percent(10) ? 0 : static_cast<std::uint32_t>(dice.between(1, dice.percent(5) ? 1500 : 12));
  const std::size_t hit_percent = dice.pick<std::size_t>({0, 5, 30, 100});
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    if (dice.percent(hit_percent)) sample.hits.push_back({rank, dice.pick(grades)});
  }
  if (dice.percent(30)) {
    std::vector<double> missed{0.25, 1, 2, 3, 30};
    dice.shuffle(missed);
    missed.resize(1 + dice.below(missed.size()));
    std::sort(missed.begin(), missed.end(), std::greater<>());
    for (const double grade : missed) sample.missed.push_back({grade, static_cast<std::uint64_t>(dice.between(1, 4))});
  }
  if (dice.percent(50)) sample.feedback = {{dice.below(3), dice.below(3)}, {dice.below(2), 0}};
  // Some ranks repeat an item or are empty; the relevant ones are neither.
  sample.distinct.push_back(0);
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    const bool relevant =
        std::any_of(sample.hits.begin(), sample.hits.end(), [&](const Hit& hit) { return hit.rank == rank; });
    sample.distinct.push_back(sample.distinct.back() + (relevant || !dice.percent(10) ? 1 : 0));
  }
  // Few groups, or all of them: intervals need 20.
  sample.group = dice.percent(30) ? dice.below(3) : dice.below(64);
  sample.user = dice.below(3);
  sample.matured = dice.percent(80);
  return sample;
}

std::vector<ListSample> random_samples(support::Dice& dice, std::size_t count) {
  std::vector<ListSample> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(random_sample(dice));
  return samples;
}

}  // namespace recmeter::laws
