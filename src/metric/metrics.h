// Every metric's definition by name; and what each of their files needs to say one.
#pragma once

#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

extern const MetricDefinition precision_metric, hit_rate_metric, mrr_metric, map_list_metric, map_user_metric,
    ndcg_list_metric, ndcg_user_metric, recall_metric, f1_metric, fbeta_metric, fallout_metric, miss_rate_metric,
    inverse_precision_metric, inverse_recall_metric, informedness_metric, markedness_metric, mcc_metric, lauc_metric,
    auc_metric, kendall_boolean_metric, gmap_metric, hmap_metric, qmap_metric, distinct_items_metric, catalog_coverage_metric,
    gini_metric, entropy_metric, rarefied_items_metric, user_coverage_metric, personalisation_metric,
    intra_list_diversity_metric, novelty_metric, popularity_metric, serendipity_metric, empty_list_share_metric,
    short_list_share_metric, mae_metric, nmae_metric, mae_extremes_metric, mse_metric, rmse_metric, reversals_metric,
    pearson_metric, spearman_metric, kendall_tau_b_metric, ndpm_metric, half_life_utility_metric, error_rate_metric,
    prediction_coverage_metric, action_rate_metric, action_per_item_metric, time_to_metric, rbp_metric, err_metric,
    half_life_metric, ap_11_metric, average_informedness_metric, average_markedness_metric, income_metric, reward_metric,
    users_acting_metric, income_per_user_metric, lists_per_user_metric, latency_metric, croc_auc_metric, rated_auc_metric,
    judged_share_metric, overlap_metric, retest_mae_metric, retest_rmse_metric, catalog_prediction_coverage_metric,
    ips_metric, ips_clipped_metric, snips_metric, dr_metric, rips_metric, slate_ips_metric, pseudo_inverse_metric,
    replay_match_metric, weight_mean_metric, ess_metric, ess_users_metric, max_weight_share_metric, matches_metric,
    known_share_metric, coec_metric, dcg_metric, ranking_loss_metric;

}  // namespace recmeter
