// What an action brought in: income by lists, reward by shown ranks.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "metric/income.h"
#include "metric/metrics.h"
#include "metric/ratio_form.h"

namespace recmeter {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double list_max = 0x1p59;

double worth_of(const Hit& hit, const MetricOptions& options) {
  return options.cap ? std::min(hit.grade, *options.cap) : hit.grade;
}

// Per list: 1 below.
RatioParts income_of(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  return {income_of_list(list, options), 1};
}

// Per rank: k below.
RatioParts reward_of(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  RatioParts parts{.denominator = static_cast<double>(k)};
  for (const Hit& hit : list.hits) parts.numerator += hit.rank <= k ? hit.grade : 0;
  parts.numerator = std::min(parts.numerator, list_max);
  return parts;
}

using Income = RatioForm<income_of>;
using Reward = RatioForm<reward_of>;
constexpr PooledForm income_form = [] {
  PooledForm form = Income::form(MovedBy::every_list, infinite);
  static_assert(Income::width == income_width);
  form.uncut_at = std::exchange(form.columns, form.columns + income_width);
  form.add = [](const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
    Income::add(list, k, options, columns.first(2 * income_width));
    add_uncut(list, options, columns.last(income_width));
  };
  return form;
}();
constexpr PooledForm reward_form = Reward::form(MovedBy::every_list, infinite);

std::string income_text(const ScoredList& list, std::uint32_t, const MetricOptions& options) {
  std::vector<std::string> terms;
  for (const Hit& hit : list.hits) terms.push_back(four_decimals(worth_of(hit, options)));
  return sum_text(terms);
}

const MetricOptions purchases{.action = "purchase"};
const MetricOptions capped{.action = "purchase", .cap = 15};

const std::array income_examples{
    WorkedExample{"B", 0, "20 was paid for c", 20, purchases},
    WorkedExample{"ABCD", 0, "(0 + 20 + 0 + 0) / 4", 5, purchases},
    WorkedExample{"ABCD", 0, "(0 + 15 + 0 + 0) / 4", 3.75, capped},
};
const std::array reward_examples{
    WorkedExample{"B", 5, "20 / 5", 4, purchases},
    WorkedExample{"B", 1, "0 / 1: c stands at rank 3", 0, purchases},
};

}  // namespace

double income_of_list(const ScoredList& list, const MetricOptions& options) {
  double sum = 0;
  for (const Hit& hit : list.hits) sum += worth_of(hit, options);
  return std::min(sum, list_max);
}

void add_uncut(const ScoredList& list, const MetricOptions& options, std::span<std::int64_t> columns) {
  MetricOptions without = options;
  without.cap.reset();
  add_wide(columns, to_q32_wide(income_of_list(list, without)));
}

const MetricDefinition income_metric{
    .name = "income",
    .family = Family::pooled,
    .moved_by = MovedBy::every_list,
    .has_cutoff = false,
    .needs_action = true,
    .is_of_value = true,
    .needs = {ListPart::value},
    .high = infinite,
    .takes = {MetricOption::cap},
    .laws = {Law::none_beyond_family},  // a quotient of sums, of one list too
    .formula =
        "sum over the list's items of max(0, values of the action, credited and repeated, less what was taken back), each at "
        "most cap where that is set",
    .unit = "of the values",
    .says =
        "Its mean is what a list brings in: of purchases, revenue per list. A few large orders can make most of it, so it "
        "needs many lists; fix a `cap` beforehand where they do.",
    .edges =
        "Every list counts. An action without `value` is worth 0 (`without_value` in the report). All purchases of an item "
        "count, not the first alone; returns that come within the horizon are taken back.",
    .elsewhere =
        "Dashboards divide by visitors or sessions, and count what was bought without any list. The first purchase alone "
        "counts in tools that join by item.",
    .source = "Kohavi, Tang, Xu: Trustworthy Online Controlled Experiments. Cambridge 2020, chapter 7",
    .examples = income_examples,
    .arithmetic = income_text,
    .pooled = &income_form,
};

const MetricDefinition reward_metric{
    .name = "reward",
    .family = Family::pooled,
    .moved_by = MovedBy::every_list,
    .needs_action = true,
    .is_of_value = true,
    .needs = {ListPart::value},
    .high = infinite,
    .laws = {Law::none_beyond_family},
    .formula = "sum over items of ranks 1..k of max(0, values of the action less what was taken back), divided by k",
    .unit = "of the values",
    .says =
        "What a shown rank brings in. As income it follows a few large orders; unlike it, it sees whether what sells stands "
        "on "
        "top.",
    .edges = "Divided by k, however short the list. An item that stands there twice counts at its first rank.",
    .elsewhere = "With every value 1 it is the precision of the action.",
    .source =
        "Schröder, Thiele, Lehner: Setting goals and choosing metrics for recommender system evaluations. UCERSTI 2 at "
        "RecSys 2011, section 3.1",
    .examples = reward_examples,
    .arithmetic = Reward::arithmetic,
    .pooled = &reward_form,
};

}  // namespace recmeter
