// The metrics of the batch evaluator, one function each, from the formulas of [S5] and [S8].
//
// Adding one: write its function in batch_metrics.cpp and its line in the table there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/metric/metric_spec.h"
#include "support/batch_exposure.h"
#include "support/batch_join.h"

namespace recmeter::support {

enum class MetricForm {
  mean_over_lists,  // value, interval, evidence
  share_of_lists,   // value and interval
  share_of_users,   // the same
  mean_over_users,  // the same, of what the lists of each add up to
  mean_over_pairs,  // the same, of lists of different users
  fact_of_window,   // value alone
  rank_of_lists,    // value of what lists with evidence hold, evidence; no interval
  of_all_together,  // value of what all lists in the mean hold, interval, evidence
  of_policy,        // of what another policy would be worth: batch_policy_rows.h
};

using ListsTogether = std::span<const ListRelevance* const>;

struct MetricDefinition {
  std::string_view name;
  MetricForm form;
  bool has_cutoff;
  double (*score)(const ListRelevance&, std::size_t k, const MetricOptions&);       // of a list
  bool (*has_evidence)(const ListRelevance&, std::size_t k, const MetricOptions&);  // null for facts
  std::optional<double> (*fact)(const Exposure&, const MetricOptions&);
  // of_all_together, rank_of_lists, and the unit `pooled`: nothing where it is not defined.
  std::optional<double> (*together)(ListsTogether, std::size_t k, const MetricOptions&) = nullptr;
  double low = 0;  // range of the value
  double high = 1;
  bool only_evidence = false;  // the mean is over lists with evidence alone, unless `over` says otherwise
  MetricOptionSet takes = {};  // what random_spec may ask of it
  bool needs_user = false;     // refused with `join.key: list`
  bool needs_catalog = false;
  bool needs_attributes = false;    // of the catalogue's items
  bool needs_ratings = false;       // refused without the action `rating`
  bool of_relevance = true;         // has given_relevant
  bool takes_action = false;        // may be of one action alone
  bool is_always_evidence = false;  // every list is
  bool needs_action = false;        // is of one always
  bool is_of_value = false;         // refused with `credit: every_touch`
  bool needs_lanes = false;         // refused without
  bool needs_whole_past = false;    // refused in live runs
  bool counts_once = false;         // mean_over_users: a user's value is at most 1
};

// Every metric there is, in no promised order.
[[nodiscard]] std::span<const MetricDefinition> batch_metrics();

// One published metric: a configured name at a cutoff.
struct MetricColumn {
  std::string key;  // "ndcg_list@10"
  const MetricDefinition* definition = nullptr;
  std::size_t k = 0;
  MetricOptions options;
  Over over = Over::all;
  std::optional<std::size_t> action = {};  // that it is of

  // "cut: R": at the number of items that are relevant to the user.
  [[nodiscard]] bool is_at_relevant() const { return options.cut == Cut::relevant; }
  [[nodiscard]] std::size_t k_of(const ListRelevance& of) const;  // `of`: as seen

  [[nodiscard]] const ListRelevance& seen(const ListRelevance& list) const {
    const auto& parts = options.grade == Grade::value ? list.by_worth : list.by_action;
    const ListRelevance& acted = action ? parts.at(*action) : list;
    return options.universe == Universe::list ? acted.alone.at(0) : acted;
  }
};

// Names x cutoffs in configured order. A name that is not known ends the program.
[[nodiscard]] std::vector<MetricColumn> metric_columns(const EvaluatorSpec& spec);

}  // namespace recmeter::support
