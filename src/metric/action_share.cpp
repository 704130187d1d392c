// How often people do something: action_rate by lists, action_per_item by what was shown.
#include <array>
#include <string>

#include "metric/metrics.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

std::string rate_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  const std::size_t items = list.hits.size();
  if (items > 0 && list.hits.front().rank == 0) return "1: the list has it";
  return std::string(items > 0 ? "1: " : "0: ") + std::to_string(items) + (items == 1 ? " item has it" : " items have it");
}

RatioParts of_items(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  return {static_cast<double>(list.hits.size()), static_cast<double>(list.distinct_at(list.length))};
}

using PerItem = RatioForm<of_items>;

const MetricOptions clicks{.action = "click"};
const MetricOptions purchases{.action = "purchase"};

const std::array rate_examples{
    WorkedExample{"A", 0, "two items were clicked", 1, clicks},
    WorkedExample{"ABCD", 0, "(1 + 1 + 1 + 0) / 4", 0.75, clicks},
    WorkedExample{"ABCD", 0, "(0 + 1 + 0 + 0) / 4", 0.25, purchases},
};
const std::array per_item_examples{
    WorkedExample{"A", 0, "2 / 4", 0.5, clicks},
    WorkedExample{"AC", 0, "(2 + 1) / (4 + 10)", 0.2143, clicks},
};

}  // namespace

const MetricDefinition action_rate_metric{
    .name = "action_rate",
    .has_cutoff = false,
    .needs_action = true,
    .is_of_list = true,
    .takes = {MetricOption::unit_user, MetricOption::over},
    .laws = {Law::order_within_k_is_free, Law::zero_without_hits},
    .formula = "1 if some item of the list, or the list itself, has the action, else 0",
    .says =
        "Its mean is the share of lists in which somebody did it. Of clicks it is what most mean by click-through rate; of "
        "purchases, the conversion rate of lists. It does not see where in the list, nor how often: lists of 10 and of 100 "
        "items compare badly.",
    .edges = "Every list counts, empty ones too. The first feedback on each item counts, later ones are repeats.",
    .elsewhere =
        "A click-through rate is divided by lists here, by shown items in advertising (that is action_per_item), and by "
        "sessions or users elsewhere.",
    .source = "Kohavi, Tang, Xu: Trustworthy Online Controlled Experiments. Cambridge 2020, chapter 7",
    .examples = rate_examples,
    .evaluate = [](const ScoredList& list, std::uint32_t, const MetricOptions&) { return list.hits.empty() ? 0.0 : 1.0; },
    .arithmetic = rate_text,
};

const MetricDefinition action_per_item_metric{
    .name = "action_per_item",
    .family = Family::pooled,
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .needs_action = true,
    .needs = {ListPart::distinct},
    .laws = {Law::none_beyond_family},  // a quotient of sums, of one list too
    .formula = "sum over all lists of the items that have the action / sum over all lists of the distinct items shown",
    .says =
        "Actions per shown item: the click-through rate of advertising. Longer lists lower it, for people rarely act on more "
        "than a few items: compare lists of one length.",
    .edges = "Null when no item was shown. An item that a list shows twice counts once.",
    .elsewhere = "Averaged over lists first by some tools; here items, not lists, have equal weight.",
    .source = "Richardson, Dominowska, Ragno: Predicting clicks. WWW 2007, section 1",
    .examples = per_item_examples,
    .arithmetic = PerItem::arithmetic,
    .pooled = &PerItem::pooled<MovedBy::every_list>,
};

}  // namespace recmeter
