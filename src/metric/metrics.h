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
extern const MetricDefinition novelty_metric;
extern const MetricDefinition popularity_metric;
extern const MetricDefinition serendipity_metric;
extern const MetricDefinition empty_list_share_metric;
extern const MetricDefinition short_list_share_metric;

}  // namespace recmeter
