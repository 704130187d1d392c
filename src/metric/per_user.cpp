// What users do, whatever the number of their lists: users_acting, income_per_user, lists_per_user.
#include <array>
#include <limits>
#include <string>

#include "metric/income.h"
#include "metric/metrics.h"
#include "metric/wide_column.h"
#include "recmeter/metric/user_form.h"

namespace recmeter {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Int128 one = Int128{1} << q32_fraction_bits;

constexpr UserForm acting_form{
    .total = UserTotal::is_acting,
    .columns = 1,
    .add = [](const ScoredList& list, const MetricOptions&,
              std::span<std::int64_t> columns) { columns[0] += list.hits.empty() ? 0 : 1; },
    .value = [](std::span<const std::int64_t> columns, std::uint64_t) { return columns[0] > 0 ? one : Int128{0}; },
};

constexpr UserForm income_form{
    .columns = 2 * income_width,
    .uncut_at = income_width,
    .add =
        [](const ScoredList& list, const MetricOptions& options, std::span<std::int64_t> columns) {
          add_wide(columns.first(income_width), to_q32_wide(income_of_list(list, options)));
          add_uncut(list, options, columns.last(income_width));
        },
    .value =
        [](std::span<const std::int64_t> columns, std::uint64_t) {
          const std::array<Int128, income_width> sums{columns[0], columns[1], columns[2]};
          return wide_sum<Int128>(sums);
        },
};

constexpr UserForm lists_form{
    .total = UserTotal::lists,
    .value = [](std::span<const std::int64_t>, std::uint64_t lists) { return one * static_cast<std::int64_t>(lists); },
};

const MetricOptions clicks{.action = "click"};
const MetricOptions purchases{.action = "purchase"};

// Each list of the example is of a user of its own.
const std::array acting_examples{
    WorkedExample{"ABCD", 0, "the users of A, B and C clicked: 3 / 4", 0.75, clicks},
    WorkedExample{"ABCD", 0, "the user of B bought: 1 / 4", 0.25, purchases},
};
const std::array income_examples{
    WorkedExample{"ABCD", 0, "the user of B paid 20: 20 / 4", 5, purchases},
};
const std::array lists_examples{
    WorkedExample{"ABCD", 0, "four users, a list each: 4 / 4", 1},
};

}  // namespace

const MetricDefinition users_acting_metric{
    .name = "users_acting",
    .family = Family::audience,
    .has_cutoff = false,
    .needs_action = true,
    .laws = {Law::none_beyond_family},
    .formula = "users with the action on some list / users with any list",
    .says =
        "The conversion rate of users. One action is enough, so it grows with the window: compare windows of one length. It "
        "cannot see who acts again.",
    .edges = "The user is that of the intervals: the user id, else the list id.",
    .elsewhere = "Dashboards divide by visitors of the site, many of whom never saw a list.",
    .source = "Kohavi, Tang, Xu: Trustworthy Online Controlled Experiments. Cambridge 2020, chapter 7",
    .examples = acting_examples,
    .per_user = &acting_form,
};

const MetricDefinition income_per_user_metric{
    .name = "income_per_user",
    .family = Family::audience,
    .has_cutoff = false,
    .needs_action = true,
    .is_of_value = true,
    .needs = {ListPart::value},
    .high = infinite,
    .takes = {MetricOption::cap},
    .laws = {Law::none_beyond_family},
    .formula = "the income of all lists / users with any list",
    .unit = "of the values",
    .says =
        "Revenue per user. Unlike `income` it does not fall when people are shown more lists, so it is the fairer one for "
        "experiments that change how often they come.",
    .edges = "`cap` cuts what an item of a list brings in, not what a user does. As for `income`, returns are taken back.",
    .elsewhere = "Dashboards also count what was bought without any list.",
    .source = "Kohavi, Tang, Xu: Trustworthy Online Controlled Experiments. Cambridge 2020, chapter 7",
    .examples = income_examples,
    .per_user = &income_form,
};

const MetricDefinition lists_per_user_metric{
    .name = "lists_per_user",
    .family = Family::audience,
    .has_cutoff = false,
    .high = infinite,
    .laws = {Law::none_beyond_family},
    .formula = "lists / users with any list",
    .unit = "lists",
    .says =
        "How much people use what shows the lists. A change that drives them away, or makes them search longer, shows here "
        "first: a guardrail for experiments.",
    .edges = "The user is that of the intervals: the user id, else the list id. Empty lists count.",
    .source = "Kohavi, Tang, Xu: Trustworthy Online Controlled Experiments. Cambridge 2020, chapter 7",
    .examples = lists_examples,
    .per_user = &lists_form,
};

}  // namespace recmeter
