#include "app/definitions/example_text.h"

#include <vector>

#include "app/console/text_layout.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

std::string grades_text(const ScoredList& list) {
  std::vector<std::string> parts;
  for (const Hit& hit : list.hits) parts.push_back("rank " + std::to_string(hit.rank) + ": " + four_decimals(hit.grade));
  return joined(", ", parts);
}

std::string missed_text(const ScoredList& list) {
  std::vector<std::string> parts;
  for (const GradeCount& level : list.missed) {
    parts.push_back(std::to_string(level.items) + " of grade " + four_decimals(level.grade));
  }
  return joined(", ", parts);
}

std::string ratings_text(const ScoredList& list) {
  std::vector<std::string> parts;
  for (const Rating& rating : list.ratings) {
    parts.push_back("rank " + std::to_string(rating.rank) + ": " + four_decimals(rating.rating) +
                    (rating.has_prediction ? " (score " + four_decimals(rating.prediction) + ")" : ""));
  }
  return joined(", ", parts);
}

std::string retests_text(const ScoredList& list) {
  std::vector<std::string> parts;
  for (const Retest& retest : list.retests) {
    parts.push_back("rank " + std::to_string(retest.rank) + ": " + four_decimals(retest.again));
  }
  return joined(", ", parts);
}

std::string policy_text(const ScoredList& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; list.policy && at < list.policy->target.size(); ++at) {
    std::string text = four_decimals(list.policy->target[at]) + " / " + four_decimals(list.policy->logged[at]);
    if (!list.policy->predicted.empty()) {
      text += " (predicted " + four_decimals(list.policy->predicted[at]) + ", expected " +
              four_decimals(list.policy->expected[at]) + ")";
    }
    parts.push_back("rank " + std::to_string(at + 1) + ": " + text);
  }
  return joined(", ", parts);
}

std::string items_text(const ExampleList& example) {
  std::vector<std::string> items;
  for (const std::string_view item : example.items) items.emplace_back(item.empty() ? "(none)" : item);
  return joined(" ", items);
}

std::string before_text(const ExampleList& example) {
  const ScoredList& list = example.scored;
  if (list.acting_users == 0) return "";
  std::vector<std::string> parts;
  for (std::size_t rank = 0; rank < list.acting_users_of.size(); ++rank) {
    if (list.distinct[rank + 1] == list.distinct[rank]) continue;
    parts.push_back(std::to_string(list.acting_users_of[rank]) + " on " + std::string(example.items[rank]));
  }
  return std::to_string(list.acting_users) + " users acted: " + joined(", ", parts) + "; an item is popular from " +
         std::to_string(list.popular_from) + " on";
}

std::string list_text(const ExampleList& example) {
  std::vector<std::string> parts{example.items.empty() ? "no items" : items_text(example)};
  const auto add = [&parts](std::string_view what, const std::string& text) {
    if (!text.empty()) parts.push_back(std::string(what) + text);
  };
  add("grades ", grades_text(example.scored));
  add("missed ", missed_text(example.scored));
  add("ratings ", ratings_text(example.scored));
  add("rated again ", retests_text(example.scored));
  add("before it ", before_text(example));
  add("p / propensity ", policy_text(example.scored));
  return joined("; ", parts);
}

std::string example_text(const WorkedExample& example) {
  const std::uint64_t catalog = example.options.catalog_size;
  return (example.lists.size() > 1 ? " of lists " : " of list ") + std::string(example.lists) +
         (catalog > 0 ? " and a catalogue of " + std::to_string(catalog) : "") + " is " + four_decimals(example.value) +
         ": " + std::string(example.arithmetic);
}

}  // namespace recmeter
