// How far users are from what they said themselves: retest_mae, retest_rmse. [S5.43].
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "metric/error_sums.h"
#include "metric/families.h"
#include "metric/metrics.h"

namespace recmeter {

namespace {

template <class Visit>
void for_each_retest(const ScoredList& list, Visit&& visit) {
  for (const Retest& retest : list.retests)
    visit(RatingPair{.prediction = to_q32(retest.again), .rating = to_q32(retest.first)});
}
bool is_retested(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  return !list.retests.empty();
}

void add_errors(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  for_each_retest(list, [&](const RatingPair& pair) { error_sums::add_absolute(pair, columns); });
}
void add_squares(const ScoredList& list, std::uint32_t, const MetricOptions&, std::span<std::int64_t> columns) {
  for_each_retest(list, [&](const RatingPair& pair) { error_sums::add_square(pair, columns); });
}

std::string errors_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  std::vector<std::string> errors;
  for_each_retest(list, [&](const RatingPair& pair) { errors.push_back(error_sums::absolute_text(pair)); });
  return error_sums::mean_text(errors);
}
std::string root_text(const ScoredList& list, std::uint32_t, const MetricOptions&) {
  std::vector<std::string> squares;
  for_each_retest(list, [&](const RatingPair& pair) { squares.push_back(error_sums::square_text(pair)); });
  return "sqrt(" + error_sums::mean_text(squares) + ")";
}

const std::array mae_examples{
    WorkedExample{.lists = "R", .arithmetic = "a had 5 and then 4, d had 1 and then 3: (1 + 2) / 2", .value = 1.5},
    WorkedExample{.lists = "RS", .arithmetic = "b of S had 2 twice: (1 + 2 + 0) / 3", .value = 1},
    WorkedExample{.lists = "RS", .arithmetic = "((1 + 2) / 2 + 0) / 2", .value = 0.75, .options = {.unit = Unit::list}},
};
const std::array rmse_examples{
    WorkedExample{.lists = "R", .arithmetic = "sqrt((1 + 4) / 2)", .value = 1.5811},
};

struct MeanChange {
  static constexpr PooledForm pooled = error_sums::of_absolute(add_errors);
};
struct RootOfMeanSquareChange {
  static constexpr PooledForm pooled = error_sums::of_squares(add_squares, error_sums::root);
};

template <class Sums>
constexpr MetricDefinition of_retests(MetricDefinition own) {
  own = of_feedback_sums<Sums>(of_ratings(own));
  own.high = std::numeric_limits<double>::infinity();
  own.better = Better::lower;
  own.needs = {ListPart::feedback, ListPart::retests};
  own.own_evidence = "an item rated again";
  own.unit = "rating";
  own.has_evidence = is_retested;
  return own;
}

}  // namespace

constinit const MetricDefinition retest_mae_metric = of_retests<MeanChange>({
    .name = "retest_mae",
    .laws = {Law::shift_of_scores},
    .formula =
        "sum over all repeated ratings of |r' - r|, divided by their number; r is the first rating that the item got in "
        "its list, r' a repeated one",
    .says = "How far users are from what they said themselves, which bounds what predictions can reach: where users err at "
            "random and each time anew, no mae can be below about 0.71 times this.",
    .edges =
        "Null without repeated ratings. Each is compared with the first of its list and item; one without a value, or of "
        "an item whose first has none, counts in no sum. No scores are needed.",
    .source = "Herlocker et al. 2004, section 6.1; Hill, Stead, Rosenstein, Furnas: Recommending and evaluating choices in a "
              "virtual community of use, CHI 1995",
    .examples = mae_examples,
    .arithmetic = errors_text,
});

constinit const MetricDefinition retest_rmse_metric = of_retests<RootOfMeanSquareChange>({
    .name = "retest_rmse",
    .laws = {Law::shift_of_scores},
    .formula = "square root of the mean over all repeated ratings of (r' - r)^2",
    .says = "As retest_mae, but a change by two points counts four times as much as one by one point. Where users err at "
            "random and each time anew, no rmse can be below this divided by the root of 2.",
    .edges = "As retest_mae.",
    .source = "Herlocker et al. 2004, section 6.1",
    .examples = rmse_examples,
    .arithmetic = root_text,
});

}  // namespace recmeter
