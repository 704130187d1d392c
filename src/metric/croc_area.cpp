// The area under the customer ROC curve: every list is cut at the same ranks, whatever its scores.
#include <array>
#include <string>

#include "metric/confusion.h"
#include "metric/metrics.h"
#include "metric/wide_int.h"

namespace recmeter {

namespace {

// Where the sums stand: P, I, then of each rank its hits and its other items.
constexpr std::size_t width = 2;  // 2^31 lists of 2^41 items
constexpr std::size_t at_ranks = 2 * width;
constexpr std::size_t per_rank = 2;

void add(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
  const Confusion counts = confusion_at(list, k, options);
  add_wide(columns.first(width), counts.relevant());
  add_wide(columns.subspan(width, width), counts.irrelevant());
  const auto ranks = columns.subspan(at_ranks);
  for (std::uint32_t i = 0; i < k && i < list.length; ++i) {
    ranks[i * per_rank + 1] += std::int64_t{list.distinct_at(i + 1)} - std::int64_t{list.distinct_at(i)};
  }
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++ranks[(hit.rank - 1) * per_rank];
    --ranks[(hit.rank - 1) * per_rank + 1];
  }
}

// In steps of one relevant by one irrelevant item, so that twice the area is an integer: under the points, and then under the
// line to (I, P).
struct CrocArea {
  Int128 doubled_to_k = 0;
  Int128 tp = 0;
  Int128 fp = 0;
  Int128 relevant = 0;
  Int128 irrelevant = 0;

  [[nodiscard]] WideInt doubled() const { return WideInt(doubled_to_k) + WideInt(irrelevant - fp) * WideInt(tp + relevant); }
  [[nodiscard]] WideInt doubled_square() const { return WideInt(2 * relevant) * WideInt(irrelevant); }
};

CrocArea area_of(std::span<const Int128> columns) {
  CrocArea area{.relevant = wide_sum<Int128>(columns.first(width)),
                .irrelevant = wide_sum<Int128>(columns.subspan(width, width))};
  const auto ranks = columns.subspan(at_ranks);
  for (std::size_t i = 0; i < ranks.size(); i += per_rank) {
    area.doubled_to_k += ranks[i + 1] * (2 * area.tp + ranks[i]);
    area.tp += ranks[i];
    area.fp += ranks[i + 1];
  }
  return area;
}

Quotient share_of_square(const ColumnSums& sums) {
  const CrocArea area = area_of(sums.columns);
  return {area.doubled(), area.doubled_square()};
}

std::optional<double> value(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const Quotient share = share_of_square(sums);
  if (share.denominator == 0) return std::nullopt;
  return rounded_quotient(share.numerator, share.denominator, 0);
}

constexpr PooledForm form{.columns = at_ranks,
                          .columns_per_rank = per_rank,
                          .moved_by = MovedBy::every_list,
                          .add = add,
                          .value = value,
                          .exact = share_of_square};

std::string area_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  std::vector<std::int64_t> columns(form.columns_at(k), 0);
  add(list, k, options, columns);
  const CrocArea area = area_of(std::vector<Int128>(columns.begin(), columns.end()));
  const auto number = [](Int128 count) { return std::to_string(static_cast<std::uint64_t>(count)); };
  return "(" + number(area.doubled_to_k) + " + " + number(area.irrelevant - area.fp) + " * (" + number(area.tp) + " + " +
         number(area.relevant) + ")) / (2 * " + number(area.relevant) + " * " + number(area.irrelevant) + ")";
}

const std::array worked_examples{
    WorkedExample{"A", 5, "steps of 2 and 1, then the line, twice: (6 + 10 * (2 + 8)) / (2 * 8 * 12)", 0.5521, of_20_items},
    WorkedExample{"AC", 5, "fp and tp together: 1 1, 3 1, 4 2, 6 2, 7 2; (1 + 4 + 3 + 8 + 4 + 24 * (2 + 9)) / (2 * 9 * 31)",
                  0.5090, of_20_items},
};

}  // namespace

const MetricDefinition croc_auc_metric{
    .name = "croc_auc",
    .family = Family::pooled,
    .scope = Scope::user,
    .evidence = Evidence::relevant_of_user,
    .moved_by = MovedBy::every_list,
    .needs_catalog = true,
    .needs = {ListPart::missed, ListPart::distinct},
    .laws = {Law::swap_up_never_lowers, Law::one_when_ideal},
    .formula =
        "area under the line through (0, 0), the points (sum of fp@i / sum of I, sum of tp@i / sum of P) over all lists, "
        "i = 1 .. k, and (1, 1); P = R_user, I = N - P",
    .says =
        "What lauc is for one list, for a recommender that shows every user as many items: the i-th point is what cutting "
        "all "
        "lists at rank i gives. 0.5 is chance. Lists with more relevant items count more.",
    .edges =
        "0.5 for empty lists. Null where no list has a relevant item, or none an irrelevant one. A list shorter than k "
        "stays where it ends. Of one list it is lauc. It sums two columns for each rank up to the largest cutoff.",
    .elsewhere = "Not the ROC over all lists together, which cuts at scores and so shows some users more than others.",
    .source =
        "Schein, Popescul, Ungar, Pennock: Methods and metrics for cold-start recommendations. SIGIR 2002, section 3.4 "
        "(CROC curves)",
    .examples = worked_examples,
    .arithmetic = area_text,
    .pooled = &form,
};

}  // namespace recmeter
