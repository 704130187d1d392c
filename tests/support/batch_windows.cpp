#include "support/batch_windows.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "support/batch_interval.h"
#include "support/batch_metrics.h"
#include "support/batch_policy_rows.h"
#include "support/batch_segments.h"

namespace recmeter::support {
namespace {

using Lists = std::vector<std::size_t>;

// Those that count: docs/semantics.md, section 13.
Lists counted(const std::vector<BatchList>& lists) {
  Lists result;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (!lists[i].is_left_out) result.push_back(i);
  }
  return result;
}

// A condensed list: what was not shown is taken out, the others close up.
template <class T>
void keep_seen(std::vector<T>& by_rank, const std::vector<bool>& seen) {
  std::vector<T> rest;
  for (std::size_t i = 0; i < by_rank.size(); ++i) {
    if (seen[i]) rest.push_back(by_rank[i]);
  }
  by_rank = std::move(rest);
}
// What is said of it beside what was shown is of the whole list.
ListRelevance condensed(ListRelevance list, const std::vector<bool>& seen) {
  keep_seen(list.items, seen);
  keep_seen(list.grades, seen);
  keep_seen(list.scores, seen);
  keep_seen(list.ratings, seen);
  keep_seen(list.rated_again, seen);
  keep_seen(list.judged, seen);
  keep_seen(list.attributes, seen);
  keep_seen(list.popularity.users_of, seen);
  keep_seen(list.popularity.popular, seen);
  keep_seen(list.worth, seen);
  keep_seen(list.acted_ms, seen);
  if (list.known) keep_seen(*list.known, seen);
  list.first_ms = list.reach_ms;
  for (const auto& acted : list.acted_ms) list.first_ms = std::min(list.first_ms, acted.value_or(list.reach_ms));
  for (auto* const parts : {&list.by_action, &list.by_worth}) {
    for (auto& [action, part] : *parts) part = condensed(std::move(part), seen);
  }
  for (ListRelevance& alone : list.alone) alone = condensed(std::move(alone), seen);
  return list;
}

// "starts are multiples of the slide since the epoch (plus offset)": the lists of each window, by its start.
std::map<std::int64_t, Lists> windows_of(const WindowSpec& window, const std::vector<BatchList>& lists) {
  std::map<std::int64_t, Lists> result;
  if (window.is_whole()) {
    Lists all = counted(lists);
    const auto first = std::ranges::min_element(all, {}, [&](std::size_t i) { return lists[i].ts; });
    if (first != all.end()) result[lists[*first].ts] = std::move(all);
    return result;
  }
  for (const std::size_t i : counted(lists)) {
    const std::int64_t ts = lists[i].ts - window.offset.ms;
    std::int64_t newest = ts / window.slide.ms * window.slide.ms;
    if (newest > ts) newest -= window.slide.ms;
    for (std::int64_t start = newest; start + window.size.ms > ts; start -= window.slide.ms) {
      result[start + window.offset.ms].push_back(i);
    }
  }
  return result;
}

// What every list is worth at one horizon, column by column.
class HorizonScores {
 public:
  HorizonScores(const EvaluatorSpec& spec, const std::vector<MetricColumn>& columns, const BatchJoin& join, std::size_t lists,
                Duration horizon, bool is_condensed)
      : columns_(columns.size()), actions_(spec.join.actions.size()) {
    values_.resize(lists * columns_);
    evidence_.resize(lists * columns_);
    counts_.resize(lists * actions_);
    relevance_.resize(lists);
    join.visit_relevance(horizon, [&](std::size_t list, const ListRelevance& joined) {
      const ListRelevance whole = is_condensed ? condensed(joined, joined.shown.seen) : joined;
      relevance_[list] = whole;
      for (std::size_t c = 0; c < columns_; ++c) {
        const MetricDefinition& metric = *columns[c].definition;
        const ListRelevance& relevance = columns[c].seen(whole);
        if (metric.has_evidence == nullptr) continue;
        const bool evidence = metric.has_evidence(relevance, columns[c].k_of(relevance), columns[c].options);
        evidence_[list * columns_ + c] = evidence;
        if (metric.score == nullptr) continue;
        // "A list without evidence has the value 0 and counts in the mean"
        if (evidence)
          values_[list * columns_ + c] = to_fixed(metric.score(relevance, columns[c].k_of(relevance), columns[c].options));
      }
      for (std::size_t a = 0; a < actions_; ++a) {
        counts_[list * actions_ + a] = {whole.credited[a], whole.repeated[a]};
      }
    });
  }

  [[nodiscard]] std::int64_t value(std::size_t list, std::size_t column) const { return values_[list * columns_ + column]; }
  [[nodiscard]] bool evidence(std::size_t list, std::size_t column) const { return evidence_[list * columns_ + column]; }
  [[nodiscard]] const ListRelevance& relevance(std::size_t list) const { return relevance_[list]; }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> counts(std::size_t list, std::size_t action) const {
    return counts_[list * actions_ + action];
  }

 private:
  std::size_t columns_;
  std::size_t actions_;
  std::vector<std::int64_t> values_;
  std::vector<bool> evidence_;
  std::vector<ListRelevance> relevance_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_;  // credited, repeated
};

class RowMaker {
 public:
  RowMaker(const EvaluatorSpec& spec, const AcceptedEvents& events, const std::vector<MetricColumn>& columns,
           const LogBounds& bounds)
      : spec_(spec), events_(events), columns_(columns), bounds_(bounds) {
    times_shown_.assign(events.item_ids.size(), 0);
    shown_in_.assign(events.item_ids.size(), 0);
    for (const std::string& item : events.item_ids) {
      in_catalog_.push_back(spec.catalog && spec.catalog->items.contains(item));
    }
  }

  Row make(const WindowSpec& window, std::int64_t start, Duration horizon, const SegmentGroup& group,
           const HorizonScores& scores) {
    Row row;
    row.evaluator = spec_.name;
    row.config = spec_.config_hash;
    row.window = window.name;
    row.start = EventTime{start};
    row.end = row.start + window.size;
    if (window.is_whole()) {
      row.end = row.start;
      for (const std::size_t list : counted(events_.lists))
        row.end = std::max(row.end, EventTime{events_.lists[list].ts + 1});
    }
    row.horizon = horizon;
    row.segment = group.segment;
    row.lists = group.lists.size();
    set_stage(row, group.lists);
    if (starts_too_early(start, horizon)) row.incomplete.emplace_back("start");
    for (std::size_t a = 0; a < spec_.join.actions.size(); ++a) {
      ActionCount& count = row.feedback.emplace_back();
      count.action = spec_.join.actions[a].name;
      for (const std::size_t list : group.lists) {
        const auto [credited, repeated] = scores.counts(list, a);
        count.credited += credited;
        count.repeated += repeated;
      }
    }
    bool too_many_items = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      row.metrics.push_back(value(c, group.lists, scores, too_many_items));
    }
    if (too_many_items) row.incomplete.emplace_back("distinct_items");
    return row;
  }

 private:
  // [S7.10].
  [[nodiscard]] bool starts_too_early(std::int64_t start, Duration horizon) const {
    if (events_.first_time && start < *events_.first_time) return true;
    if (!bounds_.first_after_cut) return false;
    std::int64_t trusted = *bounds_.first_after_cut + touched_before_ms(spec_.join);
    if (spec_.join.credit != Credit::last_touch) trusted += horizon.ms;
    return start < trusted;
  }

  // Final: end + h + skew ≤ the log's last event time; else truncated, with the share of lists that are whole ([S7.6]).
  void set_stage(Row& row, const Lists& lists) const {
    const std::int64_t wait = row.horizon.ms + spec_.join.skew.ms;
    row.stage = bounds_.last && row.end.ms + wait <= *bounds_.last ? Stage::final : Stage::truncated;
    if (row.stage == Stage::final) return;
    const auto whole = std::count_if(lists.begin(), lists.end(), [&](std::size_t list) {
      return bounds_.last && events_.lists[list].ts + wait <= *bounds_.last;
    });
    row.matured = static_cast<double>(whole) / static_cast<double>(lists.size());
  }

  MetricValue value(std::size_t column, const Lists& lists, const HorizonScores& scores, bool& too_many_items) {
    switch (columns_[column].definition->form) {
      case MetricForm::mean_over_lists:
      case MetricForm::share_of_lists:
      case MetricForm::rank_of_lists:
      case MetricForm::of_all_together: return estimated(column, lists, scores);
      case MetricForm::share_of_users:
        return published(columns_[column], user_coverage(events_, lists, is_empty(lists, scores), spec_.metrics.confidence));
      case MetricForm::mean_over_users: return published(columns_[column], per_user(column, lists, scores));
      case MetricForm::mean_over_pairs: return pairs(columns_[column], lists, too_many_items);
      case MetricForm::of_policy: return of_policy(columns_[column], lists, scores);
      case MetricForm::fact_of_window: break;
    }
    return fact(columns_[column], lists, too_many_items);
  }

  MetricValue of_policy(const MetricColumn& column, const Lists& lists, const HorizonScores& scores) const {
    std::vector<PolicyList> judging;
    for (const std::size_t list : lists) {
      if (!events_.lists[list].policy) continue;
      judging.push_back(*events_.lists[list].policy);
      judging.back().rewards = rewards_of(column, scores.relevance(list));
    }
    return policy_value(column, judging, lists.size(), spec_.metrics.confidence);
  }

  // By list of `lists`: whether it has nothing that metrics of lists see.
  static std::vector<bool> is_empty(const Lists& lists, const HorizonScores& scores) {
    std::vector<bool> result;
    for (const std::size_t list : lists) result.push_back(scores.relevance(list).grades.empty());
    return result;
  }

  static MetricValue published(const MetricColumn& column, const Estimate& estimate) {
    MetricValue result;
    result.key = column.key;
    result.value = estimate.value;
    result.se = estimate.se;
    result.ci = estimate.ci;
    return result;
  }

  // The lists a metric is over, and of what its relevant_share is the share.
  struct Chosen {
    Lists in_mean;
    std::size_t shown = 0;  // all lists, or those with items
    std::size_t with_evidence = 0;
  };
  // [S6.22]: "with R_user > 0", of the action where the metric is of one.
  bool is_user_relevant(std::size_t column, std::size_t list, const HorizonScores& scores) const {
    const ListRelevance& seen = columns_[column].seen(scores.relevance(list));
    return !seen.missed.empty() || std::ranges::any_of(seen.grades, [](double grade) { return grade > 0; });
  }
  Chosen choose(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const Over over = columns_[column].over;
    Chosen chosen;
    for (const std::size_t list : lists) {
      const bool wants_items = over == Over::nonempty || over == Over::nonempty_relevant;
      if (wants_items && scores.relevance(list).grades.empty()) continue;
      const bool evidence = scores.evidence(list, column);
      ++chosen.shown;
      const bool is_out = over == Over::user_relevant && !is_user_relevant(column, list, scores);
      // "Where every list is evidence, the share is that of the lists in the mean."
      chosen.with_evidence += evidence && !(is_out && columns_[column].definition->is_always_evidence) ? 1U : 0U;
      if ((over == Over::relevant || over == Over::nonempty_relevant) && !evidence) continue;
      if (is_out) continue;
      chosen.in_mean.push_back(list);
    }
    return chosen;
  }

  MetricValue estimated(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    const Chosen chosen = choose(column, lists, scores);
    const Unit unit = columns_[column].options.unit.value_or(Unit::list);
    Estimate estimate;
    if (metric.form == MetricForm::of_all_together && unit != Unit::pooled) {
      return mean_of_own_values(column, lists, scores);
    }
    if (metric.form == MetricForm::rank_of_lists) {
      estimate.value = whole(column, chosen.in_mean, scores);
    } else if (unit == Unit::pooled) {
      estimate = together(column, chosen.in_mean, scores);
    } else if (unit == Unit::user) {
      estimate = mean_of_users(column, lists, scores);
    } else {
      estimate = mean(column, chosen.in_mean, scores);
    }
    MetricValue result = published(columns_[column], estimate);
    result.has_evidence = metric.form != MetricForm::share_of_lists;
    if (!result.has_evidence) return result;
    if (metric.of_relevance) result.given_relevant = estimate.given_relevant;
    if (unit == Unit::user) {
      result.relevant_share = estimate.relevant_share;
    } else if (chosen.shown > 0) {
      result.relevant_share = static_cast<double>(chosen.with_evidence) / static_cast<double>(chosen.shown);
    }
    return result;
  }

  // value = Σ v / (number of lists in the mean)
  Estimate mean(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    GroupSums sums{};
    for (const std::size_t list : lists) {
      GroupSum& group = sums[events_.lists[list].group];
      group.sum += scores.value(list, column);
      ++group.lists;
      group.evidence += scores.evidence(list, column) ? 1U : 0U;
    }
    return estimate_mean(sums, spec_.metrics.confidence, {metric.low, metric.high});
  }

  // "value = (1/U) Σ_u (Σ_{lists of u} v / n_u) over the U users with a list in the mean, each quotient rounded once to
  // 2^-32; relevant_share the same of the evidence, given_relevant = value / relevant_share". [S6.3].
  Estimate mean_of_users(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    std::map<std::string, Lists> users;
    for (const std::size_t list : lists) users[events_.lists[list].user].push_back(list);
    GroupSums sums{};
    std::uint64_t shown = 0;
    WideSum shares = 0;
    WideSum values = 0;
    for (const auto& [user, own] : users) {
      const Chosen chosen = choose(column, own, scores);
      if (chosen.shown > 0) {
        ++shown;
        shares += fixed_quotient(static_cast<WideSum>(chosen.with_evidence) << 32, chosen.shown);
      }
      if (chosen.in_mean.empty()) continue;
      WideSum sum = 0;
      for (const std::size_t list : chosen.in_mean) sum += scores.value(list, column);
      GroupSum& group = sums[events_.lists[own.front()].group];
      group.sum += fixed_quotient(sum, chosen.in_mean.size());
      values += fixed_quotient(sum, chosen.in_mean.size());
      ++group.lists;
      group.evidence += chosen.with_evidence > 0 ? 1U : 0U;
    }
    Estimate estimate = estimate_mean(sums, spec_.metrics.confidence, {metric.low, metric.high});
    const bool leaves_out = columns_[column].over == Over::relevant || columns_[column].over == Over::nonempty_relevant;
    estimate.relevant_share.reset();
    estimate.given_relevant.reset();
    if (shown == 0) return estimate;
    estimate.relevant_share = static_cast<double>(shares) / 4294967296.0 / static_cast<double>(shown);
    if (shares > 0) {
      estimate.given_relevant = leaves_out ? estimate.value : static_cast<double>(values) / static_cast<double>(shares);
    }
    return estimate;
  }

  // A value for each user, of what its lists add up to.
  Estimate per_user(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    std::map<std::string, std::pair<WideSum, std::uint8_t>> users;
    for (const std::size_t list : lists) {
      auto& [sum, group] = users[events_.lists[list].user];
      const ListRelevance& seen = columns_[column].seen(scores.relevance(list));
      sum += to_fixed_wide(metric.score(seen, 0, columns_[column].options));
      group = events_.lists[list].group;
    }
    GroupSums sums{};
    for (const auto& [user, value] : users) {
      GroupSum& group = sums[value.second];
      group.sum += metric.counts_once ? std::min(value.first, WideSum{1} << 32) : value.first;
      ++group.lists;
      ++group.evidence;
    }
    return estimate_mean(sums, spec_.metrics.confidence, {metric.low, metric.high});
  }

  [[nodiscard]] std::optional<double> whole(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    std::vector<const ListRelevance*> all;
    for (const std::size_t list : lists) all.push_back(&columns_[column].seen(scores.relevance(list)));
    return columns_[column].definition->together(all, columns_[column].k, columns_[column].options);
  }

  // "the mean over lists (users) of the value over their own pairs, over those for which it exists". [S5.41].
  MetricValue mean_of_own_values(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    std::map<std::string, Lists> owners;
    for (const std::size_t list : lists) {
      const bool of_users = columns_[column].options.unit == Unit::user;
      owners[of_users ? events_.lists[list].user : std::to_string(list)].push_back(list);
    }
    GroupSums sums{};
    std::size_t with_value = 0;
    for (const auto& [owner, own] : owners) {
      const auto value = metric.together(seen(column, own, scores), columns_[column].k, columns_[column].options);
      if (!value) continue;
      ++with_value;
      GroupSum& group = sums[events_.lists[own.front()].group];
      group.sum += to_fixed_wide(*value);
      ++group.lists;
      ++group.evidence;
    }
    MetricValue result =
        published(columns_[column], estimate_mean(sums, spec_.metrics.confidence, {metric.low, metric.high}));
    result.has_evidence = true;
    result.relevant_share = static_cast<double>(with_value) / static_cast<double>(owners.size());
    return result;
  }

  // The lists as the metric sees them, but for those of a group.
  std::vector<const ListRelevance*> seen(std::size_t column, const Lists& lists, const HorizonScores& scores,
                                         std::optional<std::uint8_t> left_out = {}) const {
    std::vector<const ListRelevance*> rest;
    for (const std::size_t list : lists) {
      if (events_.lists[list].group != left_out) rest.push_back(&columns_[column].seen(scores.relevance(list)));
    }
    return rest;
  }

  // "the value without group g" is computed from the lists that are left.
  Estimate together(std::size_t column, const Lists& lists, const HorizonScores& scores) const {
    const MetricDefinition& metric = *columns_[column].definition;
    std::map<std::uint8_t, bool> groups;  // with evidence
    for (const std::size_t list : lists) {
      bool& evidence = groups[events_.lists[list].group];
      evidence = evidence || scores.evidence(list, column);
    }
    const auto value_without = [&](std::optional<std::uint8_t> left_out) {
      return metric.together(seen(column, lists, scores, left_out), columns_[column].k, columns_[column].options);
    };
    std::vector<std::optional<double>> without;
    std::size_t with_evidence = 0;
    for (const auto& [group, evidence] : groups) {
      without.push_back(value_without(group));
      with_evidence += evidence ? 1U : 0U;
    }
    return estimate_left_out(value_without(std::nullopt), without, with_evidence, spec_.metrics.confidence,
                             {metric.low, metric.high});
  }

  MetricValue fact(const MetricColumn& column, const Lists& lists, bool& too_many_items) {
    MetricValue result;
    result.key = column.key;
    const Exposure shown = column.definition->has_cutoff ? exposure(lists, column.k) : shown_with_score(lists);
    if (shown.counts.size() > spec_.limits.distinct_items) {
      too_many_items = true;
    } else {
      result.value = column.definition->fact(shown, column.options);
    }
    return result;
  }

  MetricValue pairs(const MetricColumn& column, const Lists& lists, bool& too_many_items) {
    MetricValue result;
    result.key = column.key;
    if (exposure(lists, column.k).counts.size() > spec_.limits.distinct_items) {
      too_many_items = true;
      return result;
    }
    const auto estimate = personalisation(events_, lists, column.k, spec_.limits.compared_lists, spec_.metrics.confidence);
    return estimate ? published(column, *estimate) : result;
  }

  // Items shown in the top k of the lists; "an item counts once per list".
  Exposure exposure(const Lists& lists, std::size_t k) {
    return exposure(lists, [k](std::size_t i, const ShownItem&) { return i < k; });
  }
  Exposure shown_with_score(const Lists& lists) {
    return exposure(lists, [](std::size_t, const ShownItem& shown) { return shown.score.has_value(); });
  }
  template <class Counts>
  Exposure exposure(const Lists& lists, const Counts& counts) {
    Exposure result;
    std::vector<ItemNumber> items;
    for (const std::size_t list : lists) {
      ++stamp_;
      const std::vector<ShownItem>& ranks = events_.lists[list].ranks;
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (!counts(i, ranks[i])) continue;
        if (!ranks[i].item || shown_in_[*ranks[i].item] == stamp_) continue;
        const ItemNumber item = *ranks[i].item;
        shown_in_[item] = stamp_;
        if (times_shown_[item]++ == 0) items.push_back(item);
      }
    }
    for (const ItemNumber item : items) {
      const std::uint64_t count = std::exchange(times_shown_[item], 0);
      result.counts.push_back(count);
      if (in_catalog_[item]) result.counts_in_catalog.push_back(count);
    }
    if (spec_.catalog) {
      result.catalog_size = spec_.catalog->size;
      result.catalog_has_items = !spec_.catalog->items.empty();
    }
    return result;
  }

  const EvaluatorSpec& spec_;
  const AcceptedEvents& events_;
  const std::vector<MetricColumn>& columns_;
  LogBounds bounds_;
  std::vector<bool> in_catalog_;            // by item number
  std::vector<std::uint64_t> times_shown_;  // by item number; all 0 between calls
  std::vector<std::uint64_t> shown_in_;     // by item number: the last stamp
  std::uint64_t stamp_ = 0;                 // one for each list gone through
};

}  // namespace

std::vector<Row> window_rows(const EvaluatorSpec& spec, const AcceptedEvents& events, const BatchJoin& join,
                             const LogBounds& bounds) {
  const std::vector<MetricColumn> columns = metric_columns(spec);
  const BatchSegments segments(spec, events);
  RowMaker maker(spec, events, columns, bounds);
  std::vector<std::pair<std::size_t, Row>> rows;  // with the place of the window in the configuration
  for (const Duration horizon : spec.join.horizons) {
    const HorizonScores scores(spec, columns, join, events.lists.size(), horizon, events.is_condensed);
    for (std::size_t w = 0; w < spec.windows.size(); ++w) {
      for (const auto& [start, lists] : windows_of(spec.windows[w], events.lists)) {
        for (const SegmentGroup& group : segments.split(lists)) {
          rows.emplace_back(w, maker.make(spec.windows[w], start, horizon, group, scores));
        }
      }
    }
  }
  // The whole window last; by (end + h, window order, start, h), final before truncated; the segments of a window already
  // stand in their order.
  std::stable_sort(rows.begin(), rows.end(), [&spec](const auto& a, const auto& b) {
    const auto place = [&spec](const std::pair<std::size_t, Row>& entry) {
      const Row& row = entry.second;
      return std::tuple(spec.windows[entry.first].is_whole(), row.stage == Stage::truncated, row.end + row.horizon,
                        entry.first, row.start, row.horizon);
    };
    return place(a) < place(b);
  });
  std::vector<Row> result;
  for (auto& [window, row] : rows) result.push_back(std::move(row));
  return result;
}

}  // namespace recmeter::support
