// The metrics of the batch evaluator, one function each, from the formulas of SEMANTICS §5 and §8.
//
// Adding one: write its function in batch_metrics.cpp and its line in the table there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_exposure.h"
#include "support/batch_join.h"

namespace recmeter::support {

enum class MetricForm {
  mean_over_lists,   // value, interval, evidence
  mean_of_evidence,  // the same over the lists with evidence alone
  share_of_lists,    // value and interval
  share_of_users,    // the same
  mean_over_pairs,   // the same, of lists of different users
  fact_of_window,    // value alone
};

struct MetricDefinition {
  std::string_view name;
  MetricForm form;
  bool has_cutoff;
  double (*score)(const ListRelevance&, std::size_t k, const MetricOptions&);  // of a list; null where there is none
  bool (*has_evidence)(const ListRelevance&, std::size_t k);                   // null there too
  std::optional<double> (*fact)(const Exposure&, const MetricOptions&) = nullptr;
};

// One published metric: a configured name at a cutoff.
struct MetricColumn {
  std::string key;  // "ndcg_list@10"
  const MetricDefinition* definition = nullptr;
  std::size_t k = 0;
  MetricOptions options;
};

// Names x cutoffs in configured order. A name that is not known ends the program.
[[nodiscard]] std::vector<MetricColumn> metric_columns(const MetricSpec& spec);

}  // namespace recmeter::support
