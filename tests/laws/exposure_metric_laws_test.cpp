// What holds for the metrics of exposure whatever was shown to whom.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "recmeter/metric/registry.h"
#include "recmeter/window/running_exposure.h"
#include "support/dice.h"
#include "support/effort.h"
#include "window/overlap.h"

namespace recmeter::laws {
namespace {

using support::Dice;
using Items = std::vector<Interner::Id>;  // distinct

struct ShownTo {
  std::size_t group;
  Items items;
};

Items random_items(Dice& dice, std::size_t different, std::size_t length) {
  Items items(different);
  for (std::size_t i = 0; i < different; ++i) items[i] = static_cast<Interner::Id>(i);
  dice.shuffle(items);
  items.resize(std::min(length, different));
  return items;
}

ExposureSnapshot snapshot_of(const std::vector<ShownTo>& lists, std::uint32_t k) {
  const std::vector<std::uint32_t> cutoff{k};
  Exposure exposure;
  for (const ShownTo& list : lists) {
    exposure.add(cutoff, list.items);
    exposure.add_counts(cutoff, list.items);
    exposure.add_compared(cutoff, list.items, 0, list.group, lists.size());
  }
  const ExposurePlan plan{.cutoffs = cutoff};
  RunningExposure running(1, &plan, nullptr);
  running.enter(exposure);
  ExposureSnapshot snapshot = running.snapshot().front();
  snapshot.overlap = std::make_shared<const OverlapFacts>(overlap_of(std::array{&exposure.sample()}, k, lists.size()));
  return snapshot;
}

ExposureValue measured(std::string_view metric, const ExposureFacts& facts, const MetricOptions& options = {}) {
  return find_metric(metric)->measure(facts, options, 0.95);
}

std::vector<CountLevel> random_levels(Dice& dice) {
  std::map<std::uint64_t, std::uint64_t> levels;
  for (std::size_t count = 1 + dice.below(12); count > 0; --count) {
    levels[1 + dice.below(dice.pick<std::size_t>({3, 50, 5000}))] += 1 + dice.below(20);
  }
  std::vector<CountLevel> out;
  for (const auto& [lists, items] : levels) out.push_back({.lists = lists, .items = items});
  return out;
}

ExposureFacts facts_of(std::span<const CountLevel> levels, std::uint64_t catalog_size) {
  ExposureFacts facts{.catalog_size = catalog_size, .levels = levels, .levels_in_catalog = levels};
  for (const CountLevel& level : levels) facts.distinct += level.items;
  facts.distinct_in_catalog = facts.distinct;
  return facts;
}

std::uint64_t exposures(std::span<const CountLevel> levels) {
  std::uint64_t total = 0;
  for (const CountLevel& level : levels) total += level.lists * level.items;
  return total;
}

MetricOptions drawing(std::uint64_t m) {
  MetricOptions options;
  options.exposures = m;
  return options;
}

TEST(Gini, is_zero_for_equal_exposure_and_near_one_for_one_item_alone) {
  for (const std::uint64_t size : {1U, 2U, 7U, 1000U}) {
    const std::vector<CountLevel> equal{{.lists = 13, .items = size}};
    EXPECT_EQ(measured("gini", facts_of(equal, size)).value, 0);
    const std::vector<CountLevel> one{{.lists = 13, .items = 1}};
    const double n = static_cast<double>(size);
    EXPECT_EQ(measured("gini", facts_of(one, size)).value, (n - 1) / n);
  }
}

TEST(Gini, lies_between_them_and_rises_when_exposure_moves_to_a_more_exposed_item) {
  Dice dice(21);
  for (std::uint64_t round = 0; round < support::effort(500); ++round) {
    std::vector<std::uint64_t> counts(2 + dice.below(30));
    for (std::uint64_t& count : counts) count = dice.below(20);
    counts.back() += 20;
    std::sort(counts.begin(), counts.end());
    const auto gini_of = [&](const std::vector<std::uint64_t>& each) {
      std::map<std::uint64_t, std::uint64_t> levels;
      for (const std::uint64_t count : each) ++levels[count];
      levels.erase(0);
      std::vector<CountLevel> out;
      for (const auto& [lists, items] : levels) out.push_back({.lists = lists, .items = items});
      return *measured("gini", facts_of(out, each.size())).value;
    };
    const double before = gini_of(counts);
    ASSERT_GE(before, 0);
    ASSERT_LT(before, 1);
    const auto poorer = std::find_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; });
    if (poorer + 1 >= counts.end()) continue;
    --*poorer;
    ++counts.back();
    ASSERT_GE(gini_of(counts), before);
  }
}

TEST(Entropy, is_the_logarithm_of_the_number_of_equally_shown_items) {
  for (const std::uint64_t items : {1U, 2U, 3U, 8U, 1000U}) {
    const std::vector<CountLevel> levels{{.lists = 7, .items = items}};
    EXPECT_DOUBLE_EQ(*measured("entropy", facts_of(levels, 0)).value, std::log2(static_cast<double>(items)));
  }
}

TEST(Entropy, lies_between_zero_and_that_and_equal_counts_give_equal_bits) {
  Dice dice(22);
  for (std::uint64_t round = 0; round < support::effort(500); ++round) {
    const auto levels = random_levels(dice);
    const ExposureFacts facts = facts_of(levels, 0);
    const double bits = *measured("entropy", facts).value;
    ASSERT_GE(bits, 0);
    ASSERT_LE(bits, std::log2(static_cast<double>(facts.distinct)) + 1e-9);
    const auto copy = levels;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(bits),
              std::bit_cast<std::uint64_t>(*measured("entropy", facts_of(copy, 5)).value));
  }
}

TEST(RarefiedItems, rises_from_one_to_the_distinct_items) {
  Dice dice(23);
  for (std::uint64_t round = 0; round < support::effort(200); ++round) {
    const auto levels = random_levels(dice);
    const ExposureFacts facts = facts_of(levels, 0);
    const std::uint64_t total = exposures(levels);
    EXPECT_NEAR(*measured("rarefied_items", facts, drawing(1)).value, 1, 1e-12);
    EXPECT_EQ(measured("rarefied_items", facts, drawing(total)).value, static_cast<double>(facts.distinct));
    EXPECT_FALSE(measured("rarefied_items", facts, drawing(total + 1)).value);
    double before = 0;
    for (std::uint64_t m = 1; m <= total; m += 1 + m / 7) {
      const double items = *measured("rarefied_items", facts, drawing(m)).value;
      ASSERT_GE(items, before * (1 - 1e-12)) << "m " << m;
      ASSERT_LE(items, static_cast<double>(std::min(m, facts.distinct)) * (1 + 1e-12));
      before = items;
    }
  }
}

TEST(Personalisation, is_zero_for_identical_lists_and_one_for_disjoint_ones) {
  for (const std::uint32_t length : {1U, 3U, 10U}) {
    std::vector<ShownTo> same;
    std::vector<ShownTo> disjoint;
    for (std::size_t user = 0; user < 30; ++user) {
      Items items(length);
      for (std::uint32_t i = 0; i < length; ++i) items[i] = i;
      same.push_back({user, items});
      for (Interner::Id& item : items) item += static_cast<Interner::Id>(user) * length;
      disjoint.push_back({user, items});
    }
    const ExposureSnapshot of_same = snapshot_of(same, 10);
    EXPECT_NEAR(*measured("personalisation", of_same.facts(0)).value, 0, 1e-9 * std::sqrt(length));
    const ExposureSnapshot of_disjoint = snapshot_of(disjoint, 10);
    EXPECT_EQ(measured("personalisation", of_disjoint.facts(0)).value, 1);
    EXPECT_FALSE(measured("personalisation", of_disjoint.facts(0)).ci);
  }
}

double cosine(const Items& a, const Items& b) {
  const std::set<Interner::Id> in_a(a.begin(), a.end());
  const auto common = std::count_if(b.begin(), b.end(), [&](Interner::Id item) { return in_a.contains(item); });
  return static_cast<double>(common) / std::sqrt(static_cast<double>(a.size() * b.size()));
}

// Users fall into groups by a hash: every way in which they can fall is gone through. Among the ways in which groups have the
// same sizes, the mean is that over all pairs of users.
TEST(Personalisation, is_unbiased_over_all_ways_in_which_users_fall_into_groups) {
  Dice dice(24);
  constexpr std::size_t users = 5;
  constexpr std::size_t groups = 3;  // 3^5 = 243 ways
  for (std::uint64_t round = 0; round < support::effort(10); ++round) {
    std::vector<ShownTo> lists;
    for (std::size_t user = 0; user < users; ++user) lists.push_back({0, random_items(dice, 8, 1 + dice.below(5))});
    double truth = 0;
    for (std::size_t a = 0; a < users; ++a) {
      for (std::size_t b = 0; b < a; ++b) truth += (1 - cosine(lists[a].items, lists[b].items)) / (users * (users - 1) / 2.0);
    }
    std::map<std::vector<std::size_t>, std::vector<double>> values;  // by sizes of groups
    for (std::size_t way = 0; way < 243; ++way) {
      std::vector<std::size_t> sizes(groups, 0);
      std::size_t rest = way;
      for (ShownTo& list : lists) {
        list.group = rest % groups;
        rest /= groups;
        ++sizes[list.group];
      }
      const ExposureSnapshot snapshot = snapshot_of(lists, 10);
      if (const auto value = measured("personalisation", snapshot.facts(0)).value) values[sizes].push_back(*value);
    }
    for (const auto& [sizes, of_sizes] : values) {
      double mean = 0;
      for (const double value : of_sizes) mean += value / static_cast<double>(of_sizes.size());
      ASSERT_NEAR(mean, truth, 1e-9);
    }
  }
}

TEST(Personalisation, has_the_interval_of_the_values_without_one_group_each) {
  Dice dice(25);
  for (std::uint64_t round = 0; round < support::effort(20); ++round) {
    std::vector<ShownTo> lists;
    for (std::size_t user = 0; user < 60; ++user)
      lists.push_back({dice.below(64), random_items(dice, 12, 1 + dice.below(6))});
    const ExposureSnapshot all = snapshot_of(lists, 10);
    const ExposureValue value = measured("personalisation", all.facts(0));
    ASSERT_TRUE(value.value && value.se && value.ci);
    EXPECT_LT(value.ci->first, *value.value);
    EXPECT_GT(value.ci->second, *value.value);
    std::vector<double> without;
    for (std::size_t group = 0; group < 64; ++group) {
      std::vector<ShownTo> rest;
      std::copy_if(lists.begin(), lists.end(), std::back_inserter(rest),
                   [&](const auto& list) { return list.group != group; });
      if (rest.size() == lists.size()) continue;
      const ExposureSnapshot of_rest = snapshot_of(rest, 10);
      without.push_back(*measured("personalisation", of_rest.facts(0)).value);
    }
    double mean = 0;
    for (const double each : without) mean += each / static_cast<double>(without.size());
    double squares = 0;
    for (const double each : without) squares += (each - mean) * (each - mean);
    const double g = static_cast<double>(without.size());
    EXPECT_NEAR(*value.se, std::sqrt((g - 1) / g * squares), 1e-12);
  }
}

TEST(IntraListDiversity, does_not_depend_on_order_and_lies_between_zero_and_one) {
  Dice dice(26);
  const MetricDefinition& metric = *find_metric("intra_list_diversity");
  for (std::uint64_t round = 0; round < support::effort(300); ++round) {
    std::vector<std::vector<std::uint32_t>> known(2 + dice.below(8));
    for (auto& attributes : known) {
      std::set<std::uint32_t> some;
      for (std::size_t count = dice.below(4); count > 0; --count) some.insert(static_cast<std::uint32_t>(dice.below(6)));
      attributes.assign(some.begin(), some.end());
    }
    std::vector<std::uint32_t> distinct(known.size() + 1);
    for (std::uint32_t i = 0; i < distinct.size(); ++i) distinct[i] = i;
    std::vector<std::span<const std::uint32_t>> shown(known.begin(), known.end());
    ScoredList list{.length = static_cast<std::uint32_t>(known.size()), .distinct = distinct};
    list.attributes = shown;
    const std::uint32_t k = list.length;
    if (!metric.has_evidence(list, k, {})) continue;
    const double value = metric.evaluate(list, k, {});
    ASSERT_GE(value, 0);
    ASSERT_LE(value, 1);
    dice.shuffle(shown);
    ASSERT_NEAR(metric.evaluate(list, k, {}), value, 1e-12);
    std::fill(shown.begin(), shown.end(),
              known[0].empty() ? std::span<const std::uint32_t>(distinct) : std::span<const std::uint32_t>(known[0]));
    ASSERT_EQ(metric.evaluate(list, k, {}), 0);
  }
}

}  // namespace
}  // namespace recmeter::laws
