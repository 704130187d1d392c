// The area under the ROC curve of a list, and what is made of it: lauc, auc, ranking_loss, kendall_boolean.
#include "metric/metrics.h"

#include <array>
#include <string>

#include "metric/confusion.h"
#include "metric/families.h"
#include "metric/ratio_form.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

namespace {

// In steps of one relevant by one irrelevant item; twice the area is an integer.
struct RocArea {
  Int128 doubled = 0;
  Int128 pairs = 0;  // P I
};

struct RocCurve {
  Confusion counts;
  std::uint64_t steps = 0;  // the area up to rank k; what follows is the straight line

  [[nodiscard]] RocArea area() const {
    const std::uint64_t seen_and_all = counts.tp + counts.relevant();
    return {.doubled = 2 * Int128{steps} + Int128{counts.tn} * seen_and_all,
            .pairs = Int128{counts.relevant()} * counts.irrelevant()};
  }
};

// A relevant item is a step up, an irrelevant one a step to the right, below which lie the hits before it. So every hit has
// below it the irrelevant items that come after it within k. From (fp, tp) a straight line leads to (I, P).
RocCurve curve_at(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  RocCurve curve{.counts = confusion_at(list, k, options)};
  std::uint64_t hits = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    ++hits;
    const std::uint64_t irrelevant_before = list.distinct_at(hit.rank) - hits;
    curve.steps += curve.counts.fp - irrelevant_before;
  }
  return curve;
}

template <bool whole_list>
struct CurveTo {
  static RocCurve curve(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    return curve_at(list, whole_list ? list.length : k, options);
  }
  static double lauc(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    const RocArea area = curve(list, k, options).area();
    return area.pairs == 0 ? 0 : static_cast<double>(area.doubled) / (2 * static_cast<double>(area.pairs));
  }
  // Steps and the straight line, over all of the square.
  static std::string text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
    const RocCurve of_list = curve(list, k, options);
    const auto number = [](std::uint64_t count) { return std::to_string(count); };
    const Confusion& counts = of_list.counts;
    return "(" + number(of_list.steps) + " + " + number(counts.tn) + " * (" + number(counts.tp) + " + " +
           number(counts.relevant()) + ") / 2) / (" + number(counts.relevant()) + " * " + number(counts.irrelevant()) + ")";
  }
};

// Pairs in the wrong order, tied ones half.
RocArea misordered(const RocArea& area) {
  return {.doubled = 2 * area.pairs - area.doubled, .pairs = area.pairs};
}

double ranking_loss(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const RocArea lost = misordered(CurveTo<true>::curve(list, k, options).area());
  return lost.pairs == 0 ? 0 : static_cast<double>(lost.doubled) / (2 * static_cast<double>(lost.pairs));
}

std::string ranking_loss_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return "1 - " + CurveTo<true>::text(list, k, options);
}

// Concordant less discordant pairs are twice the area less all of them.
Int128 concordant_surplus(const RocArea& area) {
  return area.doubled - area.pairs;
}

double kendall(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  const RocArea area = curve_at(list, k, options).area();
  return area.pairs == 0 ? 0 : static_cast<double>(concordant_surplus(area)) / static_cast<double>(area.pairs);
}

std::string kendall_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return "2 * " + CurveTo<false>::text(list, k, options) + " - 1";
}

constexpr std::size_t width = 3;  // 2^31 lists of 2 P I < 2^74

void add_misordered(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
  const RocArea lost = misordered(CurveTo<true>::curve(list, k, options).area());
  add_wide(columns.first(width), lost.doubled);
  add_wide(columns.subspan(width, width), lost.pairs);
}

template <bool whole_list>
void add_area(const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
  const RocArea area = CurveTo<whole_list>::curve(list, k, options).area();
  add_wide(columns.first(width), area.doubled);
  add_wide(columns.subspan(width, width), area.pairs);
}

RocArea summed(const ColumnSums& sums) {
  return {.doubled = wide_sum<Int128>(sums.columns.first(width)),
          .pairs = wide_sum<Int128>(sums.columns.subspan(width, width))};
}

std::optional<double> pooled_area(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const RocArea area = summed(sums);
  if (area.pairs == 0) return std::nullopt;
  return quotient_of(area.doubled, 2 * area.pairs);
}
std::optional<double> pooled_surplus(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const RocArea area = summed(sums);
  if (area.pairs == 0) return std::nullopt;
  return quotient_of(concordant_surplus(area), area.pairs);
}

constexpr PooledForm pooled_lauc{.columns = 2 * width,
                                 .moved_by = MovedBy::relevant,
                                 .add = add_area<false>,
                                 .value = pooled_area,
                                 .exact = first_by_next<width>};
constexpr PooledForm pooled_auc{.columns = 2 * width,
                                .moved_by = MovedBy::relevant,
                                .add = add_area<true>,
                                .value = pooled_area,
                                .exact = first_by_next<width>};
constexpr PooledForm pooled_kendall{.columns = 2 * width,
                                    .moved_by = MovedBy::relevant,
                                    .add = add_area<false>,
                                    .value = pooled_surplus,
                                    .exact = first_by_next<width>,
                                    .low = -1};

constexpr PooledForm pooled_loss{.columns = 2 * width,
                                 .moved_by = MovedBy::relevant,
                                 .add = add_misordered,
                                 .value = pooled_area,
                                 .exact = first_by_next<width>};

constexpr LawSet laws_claimed{Law::swap_up_never_lowers, Law::one_when_ideal};

const std::array lauc_examples{
    WorkedExample{"A", 5, "(3 + 10 * (2 + 8) / 2) / (8 * 12): steps of 2 and 1, then the line", 0.5521, of_20_items},
    WorkedExample{"C", 5, "(0 + 14 * (0 + 1) / 2) / (1 * 19): no hit in five steps, then the line", 0.3684, of_20_items},
    WorkedExample{"AC", 5, "(53 + 7) / (96 + 19)", 0.5217, of_20_items_pooled},
};
const std::array auc_examples{
    WorkedExample{"A", 0, "n = 4: as lauc@4, 53 / 96", 0.5521, of_20_items},
    WorkedExample{"C", 0, "n = 10: the hit at rank 7 is above 3 of the 9 shown, then 10 * (1 + 1) / 2; 13 / 19", 0.6842,
                  of_20_items},
    WorkedExample{"AC", 0, "(53 + 13) / (96 + 19)", 0.5739, of_20_items_pooled},
    WorkedExample{"A",
                  0,
                  "of its own items b and d are irrelevant: a stands above both, c above d: 3 / (2 * 2)",
                  0.75,
                  {.universe = Universe::list}},
};
const std::array loss_examples{
    WorkedExample{"A", 0, "1 - 53 / 96", 0.4479, of_20_items},
    WorkedExample{"A", 0, "of its own items only b before c is misordered: 1 / (2 * 2)", 0.25, {.universe = Universe::list}},
    WorkedExample{"AC", 0, "1 - (53 + 13) / (96 + 19)", 0.4261, of_20_items_pooled},
};
const std::array kendall_examples{
    WorkedExample{"A", 5, "2 * 53/96 - 1", 0.1042, of_20_items},
    WorkedExample{"C", 5, "2 * 7/19 - 1", -0.2632, of_20_items},
    WorkedExample{"AC", 5, "2 * 60/115 - 1", 0.0435, of_20_items_pooled},
};

}  // namespace

constinit const MetricDefinition lauc_metric = of_confusion({
    .name = "lauc",
    .over = Over::relevant,
    .moved_by = MovedBy::relevant,
    .laws = laws_claimed,
    .formula =
        "area under the ROC curve that steps over the distinct items of the first k ranks (up by 1/P for a relevant one, "
        "right by 1/I for another) and then goes straight to (1, 1); P = R_user, I = N - P",
    .own_evidence = "P > 0 and I > 0",
    .says =
        "Probability that a relevant item ranks above an irrelevant one, all items outside the top k tied. 0.5 is chance. "
        "Lists without evidence are left out of the mean, since 0 would be worse than chance.",
    .edges = "0.5 for an empty list. 1 when all relevant items come first and fit into k.",
    .elsewhere = "scikit-learn: roc_auc_score with everything outside the top k tied last. Cornac counts ties as lost.",
    .source = "Schröder et al. 2011, section 5.2",
    .examples = lauc_examples,
    .evaluate = CurveTo<false>::lauc,
    .arithmetic = CurveTo<false>::text,
    .has_evidence = has_both_kinds,
    .pooled = &pooled_lauc,
});

constinit const MetricDefinition auc_metric = of_confusion({
    .name = "auc",
    .over = Over::relevant,
    .moved_by = MovedBy::relevant,
    .has_cutoff = false,
    .laws = laws_claimed,
    .formula = "lauc at k = n, the length of the list",
    .own_evidence = "P > 0 and I > 0",
    .says = "As lauc, over all shown items. Lists of different length are cut at different ranks.",
    .edges = "0.5 for an empty list.",
    .elsewhere =
        "RecBole, Cornac and others rank the whole catalogue for auc; recmeter knows only what was shown. scikit-learn's "
        "roc_auc_score and TorchMetrics RetrievalAUROC, fed with the list, are auc with `universe: list`.",
    .source = "Schröder et al. 2011, section 5.2",
    .examples = auc_examples,
    .evaluate = CurveTo<true>::lauc,
    .arithmetic = CurveTo<true>::text,
    .has_evidence = has_both_kinds,
    .pooled = &pooled_auc,
});

constinit const MetricDefinition ranking_loss_metric = of_confusion({
    .name = "ranking_loss",
    .over = Over::relevant,
    .moved_by = MovedBy::relevant,
    .has_cutoff = false,
    .better = Better::lower,
    .laws = {Law::swap_up_never_raises},
    .formula =
        "share of the pairs of a relevant and an irrelevant item that the list orders wrongly, tied ones half; = 1 - auc",
    .own_evidence = "P > 0 and I > 0",
    .says = "How often an irrelevant item stands above a relevant one, all items that were not shown tied behind; smaller is "
            "better. 0.5 is chance.",
    .edges = "0.5 for an empty list.",
    .elsewhere =
        "scikit-learn: label_ranking_loss, fed with the list, is that of `universe: list` and `over: all`, where a list "
        "without both kinds counts 0, the best value.",
    .source = "Tsoumakas, Katakis, Vlahavas: Mining multi-label data. Data Mining and Knowledge Discovery Handbook, 2010",
    .examples = loss_examples,
    .evaluate = ranking_loss,
    .arithmetic = ranking_loss_text,
    .has_evidence = has_both_kinds,
    .pooled = &pooled_loss,
});

constinit const MetricDefinition kendall_boolean_metric = of_confusion({
    .name = "kendall_boolean",
    .over = Over::relevant,
    .moved_by = MovedBy::relevant,
    .low = -1,
    .laws = laws_claimed,
    .formula =
        "(concordant - discordant) / (P I) over pairs of a relevant and an irrelevant item, all outside the top k tied; "
        "= 2 lauc - 1",
    .own_evidence = "P > 0 and I > 0",
    .says = "As lauc on a scale from -1 to 1, with 0 for chance.",
    .edges = "0 for an empty list. Pooled: 2 pooled lauc - 1.",
    .elsewhere = "SciPy: somersd(relevance, rank). Not kendall_tau_b, which compares ratings with scores.",
    .source = "Schröder et al. 2011, section 4.3",
    .examples = kendall_examples,
    .evaluate = kendall,
    .arithmetic = kendall_text,
    .has_evidence = has_both_kinds,
    .pooled = &pooled_kendall,
});

}  // namespace recmeter
