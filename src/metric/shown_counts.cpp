#include "recmeter/metric/shown_counts.h"

#include <algorithm>
#include <string_view>

#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

bool has_rank_parts(const PlannedMetric& metric) {
  const std::string_view name = metric.definition->name;
  const bool is_precision = name == "precision";
  if (!is_precision && name != "hit_rate" && name != "mrr") return false;
  const bool is_over_k = !is_precision || metric.options.precision_denominator == PrecisionDenominator::k;
  return is_over_k && is_mean_over_lists(metric) && metric.over == Over::all && metric.cutoff > 0 &&
         metric.cutoff <= shown_ranks_max;
}

bool has_item_group_parts(const PlannedMetric& metric) {
  return has_rank_parts(metric) && std::string_view(metric.definition->name) == "precision";
}

void add_to_ranks(const ScoredList& list, std::uint32_t k, std::span<std::int64_t> columns) {
  for (const Hit& hit : list.hits) {
    const std::uint32_t rank = std::max<std::uint32_t>(hit.rank, 1);
    if (rank <= k) ++columns[2 * std::size_t{rank} - 2];
  }
  if (list.hits.empty()) return;
  const std::uint32_t first = std::max<std::uint32_t>(list.hits.front().rank, 1);
  if (first <= k) ++columns[2 * std::size_t{first} - 1];
}

void add_to_groups(const ScoredList& list, std::uint32_t k, std::span<std::int64_t> columns) {
  const std::size_t shown = std::min<std::size_t>(list.groups.size(), k);
  for (std::size_t rank = 0; rank < shown; ++rank) ++columns[2 * std::size_t{list.groups[rank]}];
  for (const Hit& hit : list.hits) {
    const std::size_t rank = std::max<std::size_t>(hit.rank, 1);
    if (rank <= shown) ++columns[2 * std::size_t{list.groups[rank - 1]} + 1];
  }
}

namespace {

std::uint64_t count_in(std::span<const Int128> columns, std::size_t at) {
  return columns.empty() ? 0 : static_cast<std::uint64_t>(columns[at]);
}

}  // namespace

std::vector<ShownCounts::OfRank> ranks_of(std::span<const Int128> columns, std::uint32_t k) {
  std::vector<ShownCounts::OfRank> ranks;
  for (std::size_t i = 0; i < k; ++i) {
    ranks.push_back({.hits = count_in(columns, 2 * i), .first = count_in(columns, 2 * i + 1)});
  }
  return ranks;
}

std::vector<ShownCounts::OfGroup> groups_of(std::span<const Int128> columns, std::size_t groups) {
  std::vector<ShownCounts::OfGroup> all;
  for (std::size_t g = 0; g < groups; ++g) {
    all.push_back({.shown = count_in(columns, 2 * g), .hits = count_in(columns, 2 * g + 1)});
  }
  return all;
}

// One block of columns for the ranks of all metrics that look at the same action, and one for the groups of each cutoff.
void MetricPlan::add_shown_counts(const ShownCountsSpec& spec) {
  const auto block_for = [this](const ShownBlock& wanted) {
    const auto same = std::ranges::find_if(shown_, [&](const ShownBlock& other) {
      return other.of_groups == wanted.of_groups && other.action == wanted.action &&
             (!wanted.of_groups || other.cutoff == wanted.cutoff);
    });
    if (same != shown_.end()) return static_cast<std::size_t>(same - shown_.begin());
    shown_.push_back(wanted);
    return shown_.size() - 1;
  };
  for (PlannedMetric& metric : metrics_) {
    if (spec.ranks && has_rank_parts(metric)) {
      metric.rank_block = block_for({.action = metric.action, .cutoff = metric.cutoff});
      ShownBlock& block = shown_[metric.rank_block];
      block.cutoff = std::max(block.cutoff, metric.cutoff);
      block.columns = rank_columns(block.cutoff);
    }
    if (spec.item_groups > 0 && has_item_group_parts(metric)) {
      metric.group_block = block_for(
          {.action = metric.action, .of_groups = true, .cutoff = metric.cutoff, .columns = group_columns(spec.item_groups)});
      needs_.add({ListPart::groups});
    }
  }
  for (ShownBlock& block : shown_) {
    block.column = columns_;
    columns_ += block.columns;
    if (!block.of_groups) block.moved_by = block.action == AskedAction::none ? MovedBy::hits : MovedBy::action;
  }
}

void MetricPlan::add_to_shown(const ShownBlock& block, const ScoredList& list, std::span<std::int64_t> columns) const {
  const ScoredList seen = block.action == AskedAction::none ? list : list.of_action(block.action);
  const auto own = columns.subspan(block.column, block.columns);
  block.of_groups ? add_to_groups(seen, block.cutoff, own) : add_to_ranks(seen, block.cutoff, own);
}

}  // namespace recmeter
