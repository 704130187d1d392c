// The tables of presets. A row is there because tests/conformance/tools compared it with the tool.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "recmeter/metric/preset.h"

namespace recmeter {

namespace {

constexpr auto by_relevant = ApDenominator::relevant;
constexpr auto by_shown = PrecisionDenominator::shown;

const std::array trec_eval_names{
    PresetName{"P", "precision", {.over = Over::nonempty}},
    PresetName{"recall", "recall", {.over = Over::nonempty}},
    PresetName{"set_recall", "recall", {.over = Over::nonempty, .cut = Cut::none}},
    PresetName{"success", "hit_rate", {.over = Over::nonempty}},
    PresetName{"recip_rank", "mrr", {.over = Over::nonempty, .cut = Cut::none}, "not cut at k"},
    PresetName{"map_cut", "map_user", {.ap_denominator = by_relevant, .over = Over::nonempty}},
    PresetName{"map", "map_user", {.ap_denominator = by_relevant, .over = Over::nonempty, .cut = Cut::none}, "not cut at k"},
    PresetName{"ndcg_cut", "ndcg_user", {.over = Over::nonempty}},
    PresetName{"ndcg", "ndcg_user", {.over = Over::nonempty, .cut = Cut::none}, "not cut at k"},
    PresetName{"Rprec", "precision", {.over = Over::nonempty, .cut = Cut::relevant}, "cut at R"},
    PresetName{"relative_P", "recall", {.recall_denominator = RecallDenominator::min, .over = Over::nonempty}},
    PresetName{
        "set_P", "precision", {.precision_denominator = by_shown, .over = Over::nonempty, .cut = Cut::none}, "not cut at k"},
    PresetName{"set_F",
               "f1",
               {.precision_denominator = by_shown, .over = Over::nonempty, .cut = Cut::none},
               "beta=1, its default; not cut at k"},
    PresetName{"rbp",
               "rbp",
               {.over = Over::nonempty, .cut = Cut::none, .persistence = 0.9},
               "of trec_eval 10, p=0.9, its default; grades of 1; not cut at k"},
    PresetName{"map_list",
               "map_list",
               {.ap_denominator = by_relevant, .over = Over::nonempty},
               "map_cut fed with judgments of shown items only"},
    PresetName{"ndcg_list", "ndcg_list", {.over = Over::nonempty}, "ndcg_cut fed with judgments of shown items only"},
};
constexpr std::array trec_eval_refused{
    PresetRefusal{"bpref", "it tells judged from unjudged items, and feedback is unary"},
    PresetRefusal{"gm_bpref", "it tells judged from unjudged items, and feedback is unary"},
    PresetRefusal{"infAP", "it tells sampled from missing judgments, and feedback is unary"},
    PresetRefusal{"gm_map", "it is a geometric mean over the user's relevant items; gmap is one over those of the list"},
    PresetRefusal{"Rprec_mult", "it is cut at multiples of the number of relevant items, not at k"},
    PresetRefusal{"set_map", "it has no ranks: it is precision times recall"},
    PresetRefusal{"set_relative_P", "it divides by the smaller of relevant and shown items"},
    PresetRefusal{"iprec_at_recall", "it rounds the hits that a level of recall takes, which ap_11 with a level must reach"},
    PresetRefusal{"11pt_avg", "it rounds the hits that a level of recall takes, which ap_11 must reach"},
    PresetRefusal{"Rndcg",
                  "it is the mean over the numbers of items of each grade and better; ndcg_user with `cut: R` is cut once"},
    PresetRefusal{"ndcg_rel", "it is cut where the ideal has gained all, not at k"},
    PresetRefusal{"G", "it has a discount of its own"},
    PresetRefusal{"binG", "it has a discount of its own"},
    PresetRefusal{"utility", "it subtracts what is not relevant"},
};

const std::array ranx_names{
    PresetName{"precision", "precision"},
    PresetName{"recall", "recall"},
    PresetName{"f1", "f1"},
    PresetName{"hit_rate", "hit_rate"},
    PresetName{"mrr", "mrr"},
    PresetName{"map", "map_user", {.ap_denominator = by_relevant}},
    PresetName{"ndcg", "ndcg_user"},
    PresetName{"ndcg_burges", "ndcg_user", {.gain = GainKind::exp2}},
    PresetName{"r-precision", "precision", {.cut = Cut::relevant}, "cut at R"},
    PresetName{"rbp", "rbp", {.cut = Cut::none}, "rbp.95 is p=0.95; grades of 1, which it adds up; not cut at k"},
    PresetName{"dcg", "dcg"},
    PresetName{"dcg_burges", "dcg", {.gain = GainKind::exp2}},
    PresetName{"hits", "dcg", {.gain = GainKind::binary, .discount = Discount::none}},
    PresetName{"map_list", "map_list", {.ap_denominator = by_relevant}, "map fed with shown items only"},
    PresetName{"ndcg_list", "ndcg_list", {}, "ndcg fed with shown items only"},
};
constexpr std::array ranx_refused{
    PresetRefusal{"bpref", "it tells judged from unjudged items, and feedback is unary"},
    PresetRefusal{"interpolated_precision_at_recall",
                  "it is eleven values; write {name: ap_11, level: 0.5, cut: none, preset: none} for one of them"},
};

const std::array sklearn_names{
    PresetName{"precision_score", "precision", {.precision_denominator = by_shown}, "y_pred: the first k ranks"},
    PresetName{"recall_score", "recall", {}, "y_pred: the first k ranks"},
    PresetName{"f1_score", "f1", {.precision_denominator = by_shown}, "y_pred: the first k ranks"},
    PresetName{"fbeta_score", "fbeta", {.precision_denominator = by_shown}, "y_pred: the first k ranks"},
    PresetName{"ndcg_score", "ndcg_list", {}, "y_true: the grades of shown items"},
    PresetName{"dcg_score", "dcg", {}, "y_true: the grades of shown items"},
    PresetName{"average_precision_score",
               "map_list",
               {.ap_denominator = by_relevant, .cut = Cut::none},
               "y_true: shown items; not cut at k"},
    PresetName{"roc_auc_score", "auc", {.universe = Universe::list}, "y_true: shown items, each once; of both kinds"},
    PresetName{"label_ranking_loss",
               "ranking_loss",
               {.over = Over::all, .universe = Universe::list},
               "y_true: shown items, each once; 0 without both kinds"},
};
constexpr std::array sklearn_refused{
    PresetRefusal{"ndcg_user", "to ndcg_score items that were not shown are tied, and share the gain of the ranks they fill"},
    PresetRefusal{"map_user", "to average_precision_score items that were not shown are a last, large rank"},
    PresetRefusal{"label_ranking_average_precision_score", "a list without relevant items has 1"},
    PresetRefusal{"coverage_error", "it is a rank, and has no range"},
    PresetRefusal{"accuracy_score", "recmeter has no such measure: most items are rightly not shown"},
};

const std::array recbole_names{
    PresetName{"hit", "hit_rate", {.over = Over::user_relevant}},
    PresetName{"mrr", "mrr", {.over = Over::user_relevant}},
    PresetName{"precision", "precision", {.over = Over::user_relevant}},
    PresetName{"recall", "recall", {.over = Over::relevant}},
    PresetName{"map", "map_user", {.over = Over::relevant}},
    PresetName{"ndcg", "ndcg_user", {.gain = GainKind::binary, .over = Over::relevant}, "knows no grades"},
    PresetName{"itemcoverage", "catalog_coverage"},
};
constexpr std::array recbole_refused{
    PresetRefusal{"shannonentropy", "it is in natural units and divided by the number of items shown"},
    PresetRefusal{"gauc", "it ranks all candidates and weighs users by their positives"},
    PresetRefusal{"auc", "it is over all pairs of a user and a candidate, scored or sampled, not over lists"},
    PresetRefusal{"logloss", "scores are not taken as probabilities"},
    PresetRefusal{"averagepopularity", "it counts interactions of the training log"},
    PresetRefusal{"tailpercentage", "it counts interactions of the training log"},
};

const std::array rectools_names{
    PresetName{"Precision", "precision", {.over = Over::user_relevant}},
    PresetName{"Recall", "recall", {.over = Over::relevant}},
    PresetName{"F1Beta", "f1", {.over = Over::relevant}, "beta=1, its default"},
    PresetName{"HitRate", "hit_rate", {.over = Over::user_relevant}},
    PresetName{"MRR", "mrr", {.over = Over::user_relevant}},
    PresetName{"MAP", "map_user", {.ap_denominator = by_relevant, .over = Over::relevant}},
    PresetName{
        "MAP_divide_by_k", "map_user", {.ap_denominator = ApDenominator::k, .over = Over::relevant}, "MAP(divide_by_k=True)"},
    PresetName{"NDCG",
               "ndcg_user",
               {.gain = GainKind::binary, .ideal = IdealDcg::ones, .over = Over::relevant},
               "knows no grades; its ideal is k relevant items, even if the user has fewer"},
    PresetName{"NDCG_divide_by_achievable",
               "ndcg_user",
               {.gain = GainKind::binary, .over = Over::relevant},
               "NDCG(divide_by_achievable=True)"},
    PresetName{"fbeta", "fbeta", {.over = Over::relevant}, "F1Beta(beta=...)"},
};
constexpr std::array rectools_refused{
    PresetRefusal{"Accuracy", "recmeter has no such measure: most items are rightly not shown"},
    PresetRefusal{"MCC", "it takes k items as shown even where the list is shorter, and leaves [-1, 1]"},
    PresetRefusal{"PAP", "recmeter has no partial area"},
    PresetRefusal{"PartialAUC", "recmeter has no partial area"},
    PresetRefusal{"IntraListDiversity", "its distances are the user's own function"},
    PresetRefusal{"MeanInvUserFreq", "it counts interactions of the training log"},
    PresetRefusal{"Serendipity", "it counts interactions of the training log"},
    PresetRefusal{"AvgRecPopularity", "it counts interactions of the training log"},
    PresetRefusal{"CatalogCoverage", "its catalogue is an argument, and what was shown beyond it counts"},
};

const std::array evidently_names{
    PresetName{"PrecisionTopK", "precision", {.precision_denominator = by_shown, .over = Over::relevant}},
    PresetName{"MAP", "map_list", {.ap_denominator = by_relevant, .over = Over::relevant}},
    PresetName{"NDCG", "ndcg_list", {.over = Over::relevant}},
    PresetName{"MRR", "mrr", {.over = Over::relevant}},
    PresetName{"HitRate", "hit_rate", {.over = Over::relevant}},
    PresetName{"RecallTopK", "recall", {.over = Over::relevant, .universe = Universe::list}},
};
constexpr std::array evidently_refused{
    PresetRefusal{"FBetaTopK", "it is made of mean precision and mean recall, not a mean of lists"},
    PresetRefusal{"MAR", "it sums recalls and exceeds 1"},
    PresetRefusal{"Diversity", "it is over features given to the tool"},
    PresetRefusal{"Novelty", "it counts interactions of the training log"},
    PresetRefusal{"Serendipity", "it is over features and the training log"},
    PresetRefusal{"Personalization", "it takes every pair of users, and lists of one length"},
    PresetRefusal{"PopularityBiasMetric", "it counts interactions of the training log"},
};

const std::array torchmetrics_names{
    PresetName{"RetrievalPrecision", "precision", {.over = Over::nonempty}},
    PresetName{"RetrievalPrecision_adaptive_k",
               "precision",
               {.precision_denominator = by_shown, .over = Over::nonempty},
               "RetrievalPrecision(adaptive_k=True)"},
    PresetName{"RetrievalHitRate", "hit_rate", {.over = Over::nonempty}},
    PresetName{"RetrievalMRR", "mrr", {.over = Over::nonempty}},
    PresetName{"RetrievalMAP", "map_list", {.ap_denominator = ApDenominator::hits, .over = Over::nonempty}},
    PresetName{"RetrievalNormalizedDCG", "ndcg_list", {.over = Over::nonempty}},
    PresetName{"RetrievalRecall", "recall", {.over = Over::nonempty, .universe = Universe::list}},
    PresetName{"RetrievalRPrecision",
               "precision",
               {.over = Over::nonempty, .cut = Cut::relevant, .universe = Universe::list},
               "cut at R"},
    PresetName{"RetrievalFallOut",
               "fallout",
               {.over = Over::nonempty, .universe = Universe::list},
               "lists that show each item once"},
    PresetName{"RetrievalAUROC",
               "auc",
               {.over = Over::nonempty, .universe = Universe::list},
               "top_k=None, its default; scores in [0, 1]; lists that show each item once; 0 without both kinds"},
};
constexpr std::array torchmetrics_refused{
    PresetRefusal{"RetrievalPrecisionRecallCurve", "it averages precision and recall by k over lists first"},
    PresetRefusal{"RetrievalRecallAtFixedPrecision", "it is read off an averaged curve"},
};

constexpr std::array presets{
    Preset{.name = "trec_eval",
           .version = "trec_eval 9.0.8 (pytrec_eval-terrier 0.5.11)",
           .holds =
               "gains that are whole numbers; fed with every relevant item of the user, and 0 for other shown ones. Lists "
               "without items are left out, as without its option -c (pytrec_eval counts 0 for an empty run)",
           .whole_grades = true,
           .names = trec_eval_names,
           .refused = trec_eval_refused},
    Preset{.name = "ranx",
           .version = "ranx 0.3.21",
           .holds = "gains that are whole numbers; fed with every relevant item of the user",
           .whole_grades = true,
           .names = ranx_names,
           .refused = ranx_refused},
    Preset{.name = "sklearn",
           .version = "scikit-learn 1.9.1",
           .holds = "called once a list, zero_division=0; the mean over lists is recmeter's",
           .names = sklearn_names,
           .refused = sklearn_refused},
    Preset{.name = "recbole",
           .version = "RecBole 1.2.1",
           .holds = "lists of at least k items, which are all that RecBole makes; users with a relevant item. RecBole rounds "
                    "its means to metric_decimal_place",
           .names = recbole_names,
           .refused = recbole_refused},
    Preset{.name = "rectools",
           .version = "RecTools 0.19.0",
           .holds = "users with a relevant item, one list a user",
           .names = rectools_names,
           .refused = rectools_refused},
    Preset{.name = "evidently",
           .version = "Evidently 0.7.23",
           .holds =
               "lists of equal length, of at least k items: with others Evidently counts last rows again. Fed with shown "
               "items; lists without a relevant one are left out (no_feedback_users=False)",
           .names = evidently_names,
           .refused = evidently_refused},
    Preset{.name = "torchmetrics",
           .version = "TorchMetrics 1.9.0",
           .holds = "fed with shown items, scores above 0, empty_target_action='neg'; to 1e-6, since it computes in float32",
           .names = torchmetrics_names,
           .refused = torchmetrics_refused},
};

}  // namespace

const PresetName* Preset::find(std::string_view wanted) const noexcept {
  auto found = std::ranges::find(names, wanted, &PresetName::name);
  if (found == names.end()) found = std::ranges::find(names, wanted, &PresetName::metric);
  return found == names.end() ? nullptr : &*found;
}

const PresetRefusal* Preset::refusal(std::string_view wanted) const noexcept {
  const auto found = std::ranges::find(refused, wanted, &PresetRefusal::name);
  return found == refused.end() ? nullptr : &*found;
}

std::optional<SpeltPersistence> spelt_persistence(std::string_view name) {
  const std::size_t point = name.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const std::string fraction = "0" + std::string(name.substr(point));
  double p = 0;
  const auto [end, error] = std::from_chars(fraction.data(), fraction.data() + fraction.size(), p, std::chars_format::fixed);
  if (error != std::errc() || end != fraction.data() + fraction.size() || !(p > 0)) return std::nullopt;
  return SpeltPersistence{.name = name.substr(0, point), .p = p};
}

std::span<const Preset> all_presets() noexcept {
  return presets;
}

const Preset* find_preset(std::string_view name) noexcept {
  const auto found = std::ranges::find(presets, name, &Preset::name);
  return found == presets.end() ? nullptr : &*found;
}

}  // namespace recmeter
