#include "app/examination/estimate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/estimate.h"

namespace recmeter::examining {

namespace {

constexpr int rate_bits = 56;  // m and clicks are below 2^32 each

// Of a pair of ranks: sums over items.
struct PairSums {
  Int128 upper = 0;  // of m * click rate at rank k
  Int128 lower = 0;  // at rank k + 1
  std::uint64_t comparisons = 0;

  [[nodiscard]] std::optional<double> ratio() const {
    if (upper <= 0 || lower <= 0) return std::nullopt;
    return quotient_of(lower, upper);
  }
  PairSums& operator+=(const PairSums& other) {
    upper += other.upper;
    lower += other.lower;
    comparisons += other.comparisons;
    return *this;
  }
  friend PairSums operator-(const PairSums& a, const PairSums& b) {
    return {a.upper - b.upper, a.lower - b.lower, a.comparisons - b.comparisons};
  }
};

// Of a pair: all, and what it is without each group.
struct PairOfRanks {
  PairSums all;
  std::array<PairSums, user_groups> change{};  // less without the group by so much; of unsigned members modulo 2^64
  std::uint64_t moved = 0;

  [[nodiscard]] PairSums without(std::size_t group) const { return all - change[group]; }
};

// One item at one rank.
struct VariantShows {
  std::uint8_t variant = 0;
  GroupedShows shows;
};
struct ItemAtRank {
  std::uint32_t rank = 0;
  std::vector<VariantShows> variants;  // ascending
};

Int128 weighted_rate(std::uint64_t m, const Shows& shows) {
  return (Int128{m} * static_cast<Int128>(shows.clicked) << rate_bits) / static_cast<Int128>(shows.shown);
}

// visit(variant's shows at rank k, at rank k + 1), null where it has none.
template <class Visit>
void for_each_variant(const ItemAtRank& upper, const ItemAtRank& lower, Visit&& visit) {
  std::size_t u = 0;
  std::size_t l = 0;
  while (u < upper.variants.size() || l < lower.variants.size()) {
    const bool has_upper =
        u < upper.variants.size() && (l == lower.variants.size() || upper.variants[u].variant <= lower.variants[l].variant);
    const bool has_lower =
        l < lower.variants.size() && (u == upper.variants.size() || lower.variants[l].variant <= upper.variants[u].variant);
    visit(has_upper ? &upper.variants[u].shows : nullptr, has_lower ? &lower.variants[l].shows : nullptr);
    u += has_upper ? 1U : 0U;
    l += has_lower ? 1U : 0U;
  }
}

// What one item says of a pair of ranks: variants that show it at one of the two alone. `of(shows)`: all of it, or without a
// group.
template <class Of>
PairSums compared(const ItemAtRank& upper, const ItemAtRank& lower, const Of& of, std::uint64_t* moved = nullptr) {
  Shows at_upper;
  Shows at_lower;
  for_each_variant(upper, lower, [&](const GroupedShows* above, const GroupedShows* below) {
    const Shows first = above != nullptr ? of(*above) : Shows{};
    const Shows second = below != nullptr ? of(*below) : Shows{};
    if (first.shown > 0 && second.shown > 0) {
      if (moved != nullptr) *moved += first.shown + second.shown;
      return;
    }
    at_upper += first;
    at_lower += second;
  });
  const std::uint64_t m = std::min(at_upper.shown, at_lower.shown);
  if (m == 0) return {};
  return {.upper = weighted_rate(m, at_upper), .lower = weighted_rate(m, at_lower), .comparisons = m};
}

void add_item(const std::vector<ItemAtRank>& ranks, std::vector<PairOfRanks>& pairs) {
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    const ItemAtRank& upper = ranks[i];
    const ItemAtRank& lower = ranks[i + 1];
    if (lower.rank != upper.rank + 1) continue;
    PairOfRanks& pair = pairs[upper.rank - 1];
    const PairSums all = compared(upper, lower, [](const GroupedShows& shows) { return shows.all; }, &pair.moved);
    pair.all += all;
    for (std::size_t g = 0; g < user_groups; ++g) {
      const auto has_group = [g](const VariantShows& one) { return one.shows.by_group[g].shown > 0; };
      if (std::ranges::none_of(upper.variants, has_group) && std::ranges::none_of(lower.variants, has_group)) continue;
      pair.change[g] += all - compared(upper, lower, [g](const GroupedShows& shows) { return shows.without(g); });
    }
  }
}

// By rank k: of k with k + 1.
std::vector<PairOfRanks> pairs_of(ShowCounts& counts) {
  std::vector<PairOfRanks> pairs(counts.by_rank().size());
  std::vector<ItemAtRank> ranks;
  std::uint32_t item = 0;
  for (const ShowCounts::Entry& entry : counts.entries()) {
    if (entry.item != item) {
      add_item(ranks, pairs);
      ranks.clear();
      item = entry.item;
    }
    if (ranks.empty() || ranks.back().rank != entry.rank) ranks.push_back({.rank = entry.rank, .variants = {}});
    auto& variants = ranks.back().variants;
    if (variants.empty() || variants.back().variant != entry.variant) {
      variants.push_back({.variant = entry.variant, .shows = {}});
    }
    variants.back().shows.add(entry.group, {.shown = entry.shown, .clicked = entry.clicked});
  }
  add_item(ranks, pairs);
  return pairs;
}

// The interval of the value at a rank. `without(group)`: the value without it.
template <class Without>
std::optional<std::pair<double, double>> interval_of(const ShowCounts& counts, std::size_t rank, double value,
                                                     double confidence, const Without& without) {
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (counts.lists()[g] == 0) continue;
    left_out.add(g, without(g));
    const auto ranks = counts.by_rank().first(rank);
    const bool says_something = std::ranges::any_of(ranks, [g](const auto& at) { return at.by_group[g].clicked > 0; });
    left_out.evidence_groups += says_something ? 1U : 0U;
  }
  return estimate_left_out(value, left_out, {}, {0, std::numeric_limits<double>::infinity()}, confidence).ci;
}

std::optional<double> rate_ratio(const Shows& at, const Shows& first) {
  if (at.clicked == 0 || first.clicked == 0) return std::nullopt;
  return quotient_of(Int128{at.clicked} * first.shown, Int128{at.shown} * first.clicked);
}

// A rank for each that something was shown at, still without a value but for the first.
Examined ranks_of(const ShowCounts& counts, std::uint64_t min) {
  Examined out;
  for (const GroupedShows& at : counts.by_rank()) {
    out.ranks.push_back({.rank = static_cast<std::uint32_t>(out.ranks.size() + 1), .value = {}, .ci = {}, .shows = at.all});
  }
  if (out.ranks.empty()) return out;
  RankExamination& first = out.ranks.front();
  first.reason = first.shows.shown < min ? Reason::too_few : first.shows.clicked == 0 ? Reason::no_clicks : Reason::none;
  if (first.reason == Reason::none) first.value = 1;
  return out;
}

std::optional<double> rate_at_first(const Examined& examined) {
  double clicks = 0;
  double looks = 0;
  for (const RankExamination& at : std::span(examined.ranks).first(examined.known())) {
    clicks += static_cast<double>(at.shows.clicked);
    looks += static_cast<double>(at.shows.shown) * *at.value;
  }
  if (looks == 0) return std::nullopt;
  return clicks / looks;
}

}  // namespace

std::string_view to_string(Reason reason) noexcept {
  constexpr std::array<std::string_view, 4> words{"", "too_few", "no_clicks", "after"};
  return words[static_cast<std::size_t>(reason)];
}

std::size_t Examined::known() const {
  const auto end = std::ranges::find_if(ranks, [](const RankExamination& at) { return !at.value; });
  return static_cast<std::size_t>(end - ranks.begin());
}

Examined random_order(const ShowCounts& counts, const EstimateOptions& options) {
  Examined out = ranks_of(counts, options.min);
  const auto by_rank = counts.by_rank();
  for (std::size_t i = 1; i < out.ranks.size(); ++i) {
    RankExamination& at = out.ranks[i];
    if (!out.ranks.front().value) {
      at.reason = Reason::after;
    } else if (at.shows.shown < options.min) {
      at.reason = Reason::too_few;
    } else if (at.value = rate_ratio(by_rank[i].all, by_rank[0].all); !at.value) {
      at.reason = Reason::no_clicks;
    } else {
      at.ci = interval_of(counts, i + 1, *at.value, options.confidence,
                          [&](std::size_t g) { return rate_ratio(by_rank[i].without(g), by_rank[0].without(g)); });
    }
  }
  if (!out.ranks.empty() && out.ranks.front().value) {
    const Shows& first = out.ranks.front().shows;
    out.first = share_of(first.clicked, first.shown);
  }
  return out;
}

Examined harvested(ShowCounts& counts, const EstimateOptions& options) {
  Examined out = ranks_of(counts, options.min);
  if (out.ranks.empty()) return out;
  const std::vector<PairOfRanks> pairs = pairs_of(counts);
  std::array<std::optional<double>, user_groups> chain{};
  chain.fill(1.0);
  for (std::size_t i = 1; i < out.ranks.size(); ++i) {
    RankExamination& at = out.ranks[i];
    const PairOfRanks& pair = pairs[i - 1];
    at.comparisons = pair.all.comparisons;
    out.moved += pair.moved;
    const std::optional<double> before = out.ranks[i - 1].value;
    if (!before) {
      at.reason = Reason::after;
      continue;
    }
    const std::optional<double> step = pair.all.ratio();
    if (at.comparisons < options.min || !step) {
      at.reason = at.comparisons < options.min ? Reason::too_few : Reason::no_clicks;
      continue;
    }
    at.value = *before * *step;
    for (std::size_t g = 0; g < user_groups; ++g) {
      const std::optional<double> without = pair.without(g).ratio();
      chain[g] = chain[g] && without ? std::optional(*chain[g] * *without) : std::nullopt;
    }
    at.ci = interval_of(counts, i + 1, *at.value, options.confidence, [&](std::size_t g) { return chain[g]; });
  }
  out.first = rate_at_first(out);
  return out;
}

}  // namespace recmeter::examining
