#include "examination/slow_estimate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "support/batch_interval.h"

namespace recmeter::examining {

namespace {

constexpr std::size_t no_group = 64;

struct Tally {
  double shown = 0;
  double clicked = 0;

  void add(const Look& look) {
    ++shown;
    clicked += look.is_clicked ? 1 : 0;
  }
  void add(const Tally& other) {
    shown += other.shown;
    clicked += other.clicked;
  }
  [[nodiscard]] double rate() const { return clicked / shown; }
};

Tally tally_at(const LookLog& log, std::uint32_t rank, std::size_t left_out = no_group) {
  Tally tally;
  for (const Look& look : log.looks) {
    if (look.rank == rank && look.group != left_out) tally.add(look);
  }
  return tally;
}

// A value by what is left when a group is left out.
using ValueWithout = std::function<std::optional<double>(std::size_t left_out)>;

std::optional<std::pair<double, double>> interval(const LookLog& log, std::uint32_t rank, double confidence,
                                                  const ValueWithout& value) {
  const std::set<std::size_t> groups(log.lists.begin(), log.lists.end());
  std::vector<std::optional<double>> without;
  for (const std::size_t group : groups) without.push_back(value(group));
  std::set<std::size_t> with_clicks;
  for (const Look& look : log.looks) {
    if (look.is_clicked && look.rank <= rank) with_clicks.insert(look.group);
  }
  return support::estimate_left_out(value(no_group), without, with_clicks.size(), confidence,
                                    {0, std::numeric_limits<double>::infinity()})
      .ci;
}

SlowExamined with_ranks(const LookLog& log, double min) {
  SlowExamined out;
  std::uint32_t deepest = 0;
  for (const Look& look : log.looks) deepest = std::max(deepest, look.rank);
  for (std::uint32_t rank = 1; rank <= deepest; ++rank) {
    const Tally tally = tally_at(log, rank);
    out.ranks.push_back({.value = {}, .ci = {}, .reason = "", .shown = tally.shown, .clicked = tally.clicked});
  }
  if (out.ranks.empty()) return out;
  SlowRank& first = out.ranks.front();
  first.reason = first.shown < min ? "too_few" : first.clicked == 0 ? "no_clicks" : "";
  if (first.reason.empty()) first.value = 1;
  return out;
}

// Of ranks k and k + 1: "θ_{k+1}/θ_k = Σ m·ctr_{k+1} / Σ m·ctr_k", an item counting by those variants that show it at one of
// the two alone.
struct Pair {
  double upper = 0;
  double lower = 0;
  double comparisons = 0;
  double moved = 0;
};

Pair pair_of(const LookLog& log, std::uint32_t rank, std::size_t left_out) {
  std::map<std::size_t, std::map<std::size_t, std::array<Tally, 2>>> items;  // by item and variant: at k, at k + 1
  for (const Look& look : log.looks) {
    if (look.group == left_out || (look.rank != rank && look.rank != rank + 1)) continue;
    items[look.item][look.variant][look.rank - rank].add(look);
  }
  Pair pair;
  for (const auto& [item, variants] : items) {
    Tally upper;
    Tally lower;
    for (const auto& [variant, at] : variants) {
      if (at[0].shown > 0 && at[1].shown > 0) {
        pair.moved += at[0].shown + at[1].shown;
        continue;
      }
      upper.add(at[0]);
      lower.add(at[1]);
    }
    const double m = std::min(upper.shown, lower.shown);
    if (m == 0) continue;
    pair.upper += m * upper.rate();
    pair.lower += m * lower.rate();
    pair.comparisons += m;
  }
  return pair;
}

std::optional<double> chained(const LookLog& log, std::uint32_t rank, std::size_t left_out) {
  double value = 1;
  for (std::uint32_t k = 1; k < rank; ++k) {
    const Pair pair = pair_of(log, k, left_out);
    if (pair.upper == 0 || pair.lower == 0) return std::nullopt;
    value *= pair.lower / pair.upper;
  }
  return value;
}

}  // namespace

ShowCounts LookLog::counts() const {
  ShowCounts counts;
  for (const std::size_t group : lists) counts.add_list(group);
  for (const Look& look : looks) {
    counts.add("i" + std::to_string(look.item), look.rank, look.variant, look.group, look.is_clicked);
  }
  return counts;
}

SlowExamined slow_random_order(const LookLog& log, double min, double confidence) {
  SlowExamined out = with_ranks(log, min);
  if (out.ranks.empty()) return out;
  if (out.ranks[0].value) out.first = tally_at(log, 1).rate();
  for (std::uint32_t rank = 2; rank <= out.ranks.size(); ++rank) {
    SlowRank& at = out.ranks[rank - 1];
    const ValueWithout value = [&](std::size_t left_out) -> std::optional<double> {
      const Tally first = tally_at(log, 1, left_out);
      const Tally here = tally_at(log, rank, left_out);
      if (first.clicked == 0 || here.clicked == 0) return std::nullopt;
      return here.rate() / first.rate();
    };
    if (!out.ranks[0].value) {
      at.reason = "after";
    } else if (at.shown < min) {
      at.reason = "too_few";
    } else if (at.value = value(no_group); !at.value) {
      at.reason = "no_clicks";
    } else {
      at.ci = interval(log, rank, confidence, value);
    }
  }
  return out;
}

SlowExamined slow_harvested(const LookLog& log, double min, double confidence) {
  SlowExamined out = with_ranks(log, min);
  for (std::uint32_t rank = 2; rank <= out.ranks.size(); ++rank) {
    SlowRank& at = out.ranks[rank - 1];
    const Pair pair = pair_of(log, rank - 1, no_group);
    at.comparisons = pair.comparisons;
    out.moved += pair.moved;
    if (!out.ranks[rank - 2].value) {
      at.reason = "after";
    } else if (at.comparisons < min) {
      at.reason = "too_few";
    } else if (pair.upper == 0 || pair.lower == 0) {
      at.reason = "no_clicks";
    } else {
      at.value = chained(log, rank, no_group);
      at.ci = interval(log, rank, confidence, [&](std::size_t left_out) { return chained(log, rank, left_out); });
    }
  }
  double clicks = 0;
  double looks = 0;
  for (const SlowRank& at : out.ranks) {
    if (!at.value) break;
    clicks += at.clicked;
    looks += at.shown * *at.value;
  }
  if (looks > 0) out.first = clicks / looks;
  return out;
}

}  // namespace recmeter::examining
