#include "metric/metrics.h"

#include <array>

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{.lists = "AD", .arithmetic = "two users, one was shown an empty list only: 1 / 2", .value = 0.5},
};

}  // namespace

const MetricDefinition user_coverage_metric{
    .name = "user_coverage",
    .family = Family::audience,
    .has_cutoff = false,
    .laws = {Law::none_beyond_family},
    .formula = "users with a list that is not empty / users with any list",
    .says =
        "The share of the users who asked the recommender and got an answer at least once. It grows with the window, since "
        "one answer is enough: compare windows of one length.",
    .edges =
        "The user is that of the intervals: the user id, else the list id. A user counts once per window, however many "
        "lists. The interval is over users.",
    .elsewhere = "Others divide by all known users; users who never asked are not in the log.",
    .source = "Herlocker et al. 2004, section 5.1; Ge, Delgado-Battenfeld, Jannach 2010",
    .examples = examples,
};

}  // namespace recmeter
