// Every metric's definition by name, for the registry; one declaration a metric, next to its line there.
#pragma once

#include "recmeter/metric/definition.h"

namespace recmeter {

extern const MetricDefinition precision_metric;
extern const MetricDefinition hit_rate_metric;
extern const MetricDefinition mrr_metric;
extern const MetricDefinition map_list_metric;
extern const MetricDefinition map_user_metric;
extern const MetricDefinition ndcg_list_metric;
extern const MetricDefinition ndcg_user_metric;
extern const MetricDefinition recall_metric;
extern const MetricDefinition f1_metric;
extern const MetricDefinition fbeta_metric;
extern const MetricDefinition fallout_metric;
extern const MetricDefinition miss_rate_metric;
extern const MetricDefinition inverse_precision_metric;
extern const MetricDefinition inverse_recall_metric;
extern const MetricDefinition informedness_metric;
extern const MetricDefinition markedness_metric;
extern const MetricDefinition mcc_metric;
extern const MetricDefinition lauc_metric;
extern const MetricDefinition auc_metric;
extern const MetricDefinition kendall_boolean_metric;
extern const MetricDefinition gmap_metric;
extern const MetricDefinition hmap_metric;
extern const MetricDefinition qmap_metric;
extern const MetricDefinition distinct_items_metric;
extern const MetricDefinition catalog_coverage_metric;
extern const MetricDefinition gini_metric;
extern const MetricDefinition entropy_metric;
extern const MetricDefinition rarefied_items_metric;
extern const MetricDefinition user_coverage_metric;
extern const MetricDefinition personalisation_metric;
extern const MetricDefinition intra_list_diversity_metric;
extern const MetricDefinition novelty_metric;
extern const MetricDefinition popularity_metric;
extern const MetricDefinition serendipity_metric;
extern const MetricDefinition empty_list_share_metric;
extern const MetricDefinition short_list_share_metric;
extern const MetricDefinition mae_metric;
extern const MetricDefinition nmae_metric;
extern const MetricDefinition mae_extremes_metric;
extern const MetricDefinition mse_metric;
extern const MetricDefinition rmse_metric;
extern const MetricDefinition reversals_metric;
extern const MetricDefinition pearson_metric;
extern const MetricDefinition spearman_metric;
extern const MetricDefinition kendall_tau_b_metric;
extern const MetricDefinition ndpm_metric;
extern const MetricDefinition half_life_utility_metric;
extern const MetricDefinition error_rate_metric;
extern const MetricDefinition prediction_coverage_metric;

}  // namespace recmeter
