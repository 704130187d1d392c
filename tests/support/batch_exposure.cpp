#include "support/batch_exposure.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>

namespace recmeter::support {
namespace {

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// The distinct items of a list's top k, ascending.
std::vector<ItemNumber> top_items(const BatchList& list, std::size_t k) {
  std::set<ItemNumber> items;
  for (std::size_t i = 0; i < std::min(k, list.ranks.size()); ++i) {
    if (list.ranks[i].item) items.insert(*list.ranks[i].item);
  }
  return {items.begin(), items.end()};
}

// Those with items; of more than lists_max, those whose hash begins with j zero bits, for the smallest j that leaves no more.
std::vector<std::size_t> compared(const AcceptedEvents& events, const std::vector<std::size_t>& lists,
                                  std::size_t lists_max) {
  for (int zeros = 0;; ++zeros) {
    std::vector<std::size_t> drawn;
    for (const std::size_t list : lists) {
      const BatchList& of = events.lists[list];
      if (std::none_of(of.ranks.begin(), of.ranks.end(), [](const ShownItem& shown) { return shown.item.has_value(); }))
        continue;
      std::uint64_t hash = XXH3_64bits_withSeed(of.list_id.data(), of.list_id.size(), static_cast<std::uint64_t>(of.ts));
      int leading = 0;
      for (; leading < 64 && (hash >> 63) == 0; hash <<= 1) ++leading;
      if (leading >= zeros) drawn.push_back(list);
    }
    if (drawn.size() <= lists_max) return drawn;
  }
}

struct PairSum {
  WideSum similarity = 0;  // in 2^-64
  std::uint64_t pairs = 0;

  [[nodiscard]] double value() const {
    const auto mean = static_cast<long double>(similarity) / static_cast<long double>(pairs) / 18446744073709551616.0L;
    return static_cast<double>(std::max(0.0L, 1 - mean));
  }
};

}  // namespace

std::optional<double> distinct_items(const Exposure& shown, const MetricOptions&) {
  return static_cast<double>(shown.counts.size());
}

std::optional<double> catalog_coverage(const Exposure& shown, const MetricOptions&) {
  const auto size = static_cast<double>(shown.catalog_size);
  if (shown.catalog_has_items) return static_cast<double>(shown.counts_in_catalog.size()) / size;
  return std::min(1.0, static_cast<double>(shown.counts.size()) / size);
}

// Σ_i (2i − N − 1)·x_(i) / (N·Σx)
std::optional<double> gini(const Exposure& shown, const MetricOptions&) {
  std::vector<std::uint64_t> x = shown.catalog_has_items ? shown.counts_in_catalog : shown.counts;
  if (total(x) == 0) return std::nullopt;
  x.resize(std::max<std::size_t>(x.size(), shown.catalog_size), 0);
  std::sort(x.begin(), x.end());
  const auto size = static_cast<double>(x.size());
  double sum = 0;
  for (std::size_t i = 1; i <= x.size(); ++i) sum += (2 * static_cast<double>(i) - size - 1) * static_cast<double>(x[i - 1]);
  return sum / (size * static_cast<double>(total(x)));
}

std::optional<double> entropy(const Exposure& shown, const MetricOptions&) {
  if (shown.counts.empty()) return std::nullopt;
  double bits = 0;
  for (const std::uint64_t x : shown.counts) {
    const double share = static_cast<double>(x) / static_cast<double>(total(shown.counts));
    bits -= share * std::log2(share);
  }
  return bits;
}

// Σ_i [1 − C(T−x_i, m)/C(T, m)]: none of m drawn is one of the x_i with (T−x_i)/T · (T−x_i−1)/(T−1) · ...
std::optional<double> rarefied_items(const Exposure& shown, const MetricOptions& options) {
  const std::uint64_t all = total(shown.counts);
  if (all < options.exposures) return std::nullopt;
  double items = 0;
  for (const std::uint64_t x : shown.counts) {
    double none = 1;
    for (std::uint64_t drawn = 0; drawn < options.exposures; ++drawn) {
      const std::uint64_t others = all - x > drawn ? all - x - drawn : 0;
      none *= static_cast<double>(others) / static_cast<double>(all - drawn);
    }
    items += 1 - none;
  }
  return items;
}

Estimate user_coverage(const AcceptedEvents& events, const std::vector<std::size_t>& lists, const std::vector<bool>& is_empty,
                       double confidence) {
  std::map<std::string, std::pair<std::uint8_t, bool>> users;  // group, whether some list has items
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const BatchList& of = events.lists[lists[i]];
    auto& user = users[of.user];
    user.first = of.group;
    user.second = user.second || !is_empty[i];
  }
  GroupSums sums{};
  for (const auto& [id, user] : users) {
    GroupSum& group = sums[user.first];
    group.sum += to_fixed(user.second ? 1 : 0);
    ++group.lists;
    ++group.evidence;
  }
  return estimate_mean(sums, confidence, {});
}

std::optional<Estimate> personalisation(const AcceptedEvents& events, const std::vector<std::size_t>& lists, std::size_t k,
                                        std::size_t lists_max, double confidence) {
  std::vector<std::pair<std::uint8_t, std::vector<ItemNumber>>> shown;
  for (const std::size_t list : compared(events, lists, lists_max)) {
    auto items = top_items(events.lists[list], k);
    if (!items.empty()) shown.emplace_back(events.lists[list].group, std::move(items));
  }
  PairSum all;
  std::array<PairSum, user_groups> of_group{};  // pairs with a list of the group
  std::set<std::uint8_t> groups;
  std::vector<ItemNumber> common;
  for (std::size_t a = 0; a < shown.size(); ++a) {
    groups.insert(shown[a].first);
    for (std::size_t b = 0; b < a; ++b) {
      if (shown[a].first == shown[b].first) continue;
      const auto& [group_a, items_a] = shown[a];
      const auto& [group_b, items_b] = shown[b];
      common.clear();
      std::set_intersection(items_a.begin(), items_a.end(), items_b.begin(), items_b.end(), std::back_inserter(common));
      // Each list's 1/√d is rounded once.
      const WideSum weight = WideSum{to_fixed(1 / std::sqrt(static_cast<double>(items_a.size())))} *
                             to_fixed(1 / std::sqrt(static_cast<double>(items_b.size())));
      for (PairSum* sum : {&all, &of_group[group_a], &of_group[group_b]}) {
        sum->similarity += static_cast<WideSum>(common.size()) * weight;
        ++sum->pairs;
      }
    }
  }
  if (all.pairs == 0) return std::nullopt;
  std::vector<std::optional<double>> without;
  for (const std::uint8_t group : groups) {
    PairSum rest = all;
    rest.similarity -= of_group[group].similarity;
    rest.pairs -= of_group[group].pairs;
    without.push_back(rest.pairs > 0 ? std::optional(rest.value()) : std::nullopt);
  }
  return estimate_left_out(all.value(), without, groups.size(), confidence, {});
}

}  // namespace recmeter::support
