// Both estimates against their definitions, on random logs; and what is counted whatever the order.
#include "app/examination/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <map>
#include <numeric>

#include "examination/slow_estimate.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter::examining {
namespace {

using support::Dice;

struct Order {
  std::vector<std::size_t> items;
  bool is_shuffled = false;  // anew for each list
};

// Of few items or many, few user groups or all, ranks nobody clicks at, variants that move items about.
LookLog random_log(Dice& dice) {
  const auto items = static_cast<std::size_t>(dice.between(2, 12));
  const std::size_t groups = dice.pick<std::size_t>({1, 15, 64, 64, 64});
  std::vector<Order> variants(dice.pick<std::size_t>({1, 2, 3, 3, 5}));
  std::vector<std::size_t> usual(items);
  std::iota(usual.begin(), usual.end(), 0);
  const bool is_alike = dice.percent(80);  // neighbours are swapped, else all is another order
  for (std::size_t v = 0; v < variants.size(); ++v) {
    Order& variant = variants[v];
    variant.items = usual;
    const std::size_t from = v % 3 == 0 ? items : v % 3 - 1;
    for (std::size_t i = from; i + 1 < items; i += 2) std::swap(variant.items[i], variant.items[i + 1]);
    if (!is_alike) dice.shuffle(variant.items);
    variant.is_shuffled = dice.percent(10);
  }
  std::vector<std::size_t> percent(items);
  for (std::size_t& share : percent) share = dice.pick<std::size_t>({80, 50, 20, 20, 5, dice.percent(20) ? 0U : 10U});
  LookLog log;
  for (std::int64_t users = dice.between(0, 300); users > 0; --users) {
    const std::size_t variant = dice.below(variants.size());
    const std::size_t group = dice.below(groups);
    for (std::int64_t lists = dice.between(1, 3); lists > 0; --lists) {
      log.lists.push_back(group);
      std::vector<std::size_t> shown = variants[variant].items;
      if (variants[variant].is_shuffled) dice.shuffle(shown);
      shown.resize(std::min<std::size_t>(items, dice.below(7)));
      for (std::size_t i = 0; i < shown.size(); ++i) {
        log.looks.push_back({.item = shown[i],
                             .rank = static_cast<std::uint32_t>(i + 1),
                             .variant = variant,
                             .group = group,
                             .is_clicked = dice.percent(percent[i])});
      }
    }
  }
  return log;
}

void expect_near(const std::optional<double>& ours, const std::optional<double>& slow, const char* what) {
  ASSERT_EQ(ours.has_value(), slow.has_value()) << what;
  if (!ours) return;
  EXPECT_NEAR(*ours, *slow, 1e-9 * std::max(1.0, std::abs(*slow))) << what;
}

// How often each outcome was met.
using Seen = std::map<std::string, int>;

void expect_same(const Examined& ours, const SlowExamined& slow, Seen& seen) {
  ASSERT_EQ(ours.ranks.size(), slow.ranks.size());
  expect_near(ours.first, slow.first, "first");
  EXPECT_EQ(static_cast<double>(ours.moved), slow.moved);
  for (std::size_t i = 0; i < ours.ranks.size(); ++i) {
    const RankExamination& at = ours.ranks[i];
    const SlowRank& expected = slow.ranks[i];
    SCOPED_TRACE("rank " + std::to_string(i + 1));
    EXPECT_EQ(at.rank, i + 1);
    EXPECT_EQ(to_string(at.reason), expected.reason);
    EXPECT_EQ(static_cast<double>(at.shows.shown), expected.shown);
    EXPECT_EQ(static_cast<double>(at.shows.clicked), expected.clicked);
    EXPECT_EQ(static_cast<double>(at.comparisons), expected.comparisons);
    expect_near(at.value, expected.value, "value");
    ASSERT_EQ(at.ci.has_value(), expected.ci.has_value());
    if (at.ci) {
      expect_near(at.ci->first, expected.ci->first, "low end");
      expect_near(at.ci->second, expected.ci->second, "high end");
    }
    ++seen[expected.reason];
    if (i > 0 && at.value) ++seen[at.ci ? "interval" : "no interval"];
  }
}

EstimateOptions random_options(Dice& dice) {
  return {.min = dice.pick<std::uint64_t>({0, 1, 1, 20, 100}), .confidence = dice.pick<double>({0.95, 0.8, 0.99})};
}

void expect_all_outcomes(const Seen& seen) {
  if (support::under_sanitizer) return;
  for (const auto& [outcome, times] : seen) std::cout << "  " << (outcome.empty() ? "a value" : outcome) << " " << times;
  std::cout << '\n';
  for (const char* outcome : {"", "too_few", "no_clicks", "after", "interval", "no interval"}) {
    EXPECT_TRUE(seen.contains(outcome)) << "no log has `" << outcome << "`";
  }
}

TEST(Examination, of_random_order_is_what_its_definition_says) {
  Seen seen;
  support::for_each_seed(500, 5000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const LookLog log = random_log(dice);
    const EstimateOptions options = random_options(dice);
    const auto min = static_cast<double>(options.min);
    expect_same(random_order(log.counts(), options), slow_random_order(log, min, options.confidence), seen);
  });
  if (!support::number_from_environment("RECMETER_SEED")) expect_all_outcomes(seen);
}

TEST(Examination, of_variants_is_what_its_definition_says) {
  Seen seen;
  support::for_each_seed(500, 5000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const LookLog log = random_log(dice);
    const EstimateOptions options = random_options(dice);
    ShowCounts counts = log.counts();
    const auto min = static_cast<double>(options.min);
    expect_same(harvested(counts, options), slow_harvested(log, min, options.confidence), seen);
  });
  if (!support::number_from_environment("RECMETER_SEED")) expect_all_outcomes(seen);
}

void expect_same_bits(const Examined& one, const Examined& other) {
  EXPECT_EQ(one.first, other.first);
  EXPECT_EQ(one.moved, other.moved);
  ASSERT_EQ(one.ranks.size(), other.ranks.size());
  for (std::size_t i = 0; i < one.ranks.size(); ++i) {
    EXPECT_EQ(one.ranks[i].value, other.ranks[i].value);
    EXPECT_EQ(one.ranks[i].ci, other.ranks[i].ci);
    EXPECT_EQ(one.ranks[i].comparisons, other.ranks[i].comparisons);
  }
}

TEST(Examination, is_the_same_bits_whatever_the_order) {
  support::for_each_seed(50, 500, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    LookLog log = random_log(dice);
    const EstimateOptions options{.min = 1};
    ShowCounts counts = log.counts();
    dice.shuffle(log.looks);
    dice.shuffle(log.lists);
    ShowCounts shuffled = log.counts();
    expect_same_bits(random_order(counts, options), random_order(shuffled, options));
    expect_same_bits(harvested(counts, options), harvested(shuffled, options));
  });
}

// An item is at rank 1 in A 300 times (150 clicks) and at rank 2 in B 100 times (20 clicks): 0.2 / 0.5. Another stands at 1
// in B and at 2 in A alike, with a rate of 0.4 and 0.2. m is 100 for both: (20 + 20) / (50 + 40).
TEST(Examination, of_two_items_by_hand) {
  ShowCounts counts;
  const auto show = [&](const char* item, std::uint32_t rank, std::size_t variant, int shown, int clicked) {
    for (int i = 0; i < shown; ++i) counts.add(item, rank, variant, static_cast<std::size_t>(i % 64), i < clicked);
  };
  show("x", 1, 0, 300, 150);
  show("x", 2, 1, 100, 20);
  show("y", 1, 1, 100, 40);
  show("y", 2, 0, 300, 60);
  const Examined examined = harvested(counts, {});
  ASSERT_EQ(examined.ranks.size(), 2U);
  EXPECT_DOUBLE_EQ(*examined.ranks[1].value, 40.0 / 90.0);
  EXPECT_EQ(examined.ranks[1].comparisons, 200U);
  EXPECT_EQ(examined.moved, 0U);
  // Clicks over looks: (190 + 80) / (400 + 400 * 40 / 90).
  EXPECT_DOUBLE_EQ(*examined.first, 270 / (400 + 400 * 40.0 / 90));
}

TEST(ShowCounts, keep_what_is_counted_when_entries_are_put_together) {
  ShowCounts counts(1000);
  constexpr std::uint64_t times = 2'500'000;  // more than are kept apart
  for (std::uint64_t i = 0; i < times; ++i) {
    counts.add(i % 2 == 0 ? "x" : "y", 1, 0, i % 64, i % 5 == 0);
  }
  EXPECT_FALSE(counts.is_full());
  std::uint64_t shown = 0;
  std::uint64_t clicked = 0;
  EXPECT_EQ(counts.entries().size(), 64U);  // an item has the groups of one parity
  for (const ShowCounts::Entry& entry : counts.entries()) {
    shown += entry.shown;
    clicked += entry.clicked;
  }
  EXPECT_EQ(shown, times);
  EXPECT_EQ(clicked, times / 5);
  EXPECT_EQ(counts.by_rank()[0].all.shown, times);
}

TEST(ShowCounts, say_when_items_are_too_many) {
  ShowCounts counts(1000);
  for (int i = 0; i < 1'100'000; ++i) counts.add("i" + std::to_string(i), 1, 0, 0, false);
  EXPECT_TRUE(counts.is_full());
}

}  // namespace
}  // namespace recmeter::examining
