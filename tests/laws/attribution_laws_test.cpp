// Laws of attribution on made-up sums: parts add up in any order, swapping sides negates them, and a second opinion finds the
// same. [S16].
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "recmeter/attribution/attribution.h"
#include "support/batch_attribution.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/mean_rows.h"

namespace recmeter {
namespace {

using support::BatchSegment;
using support::Dice;

// Some groups and sides are empty, some segments alike, some not.
std::vector<BatchSegment> made_up_segments(Dice& dice) {
  const std::size_t count = 1 + dice.below(6);
  const std::size_t groups = dice.pick<std::size_t>({1, 3, 19, 20, 40, 64});
  const std::size_t heaviness = dice.pick<std::size_t>({2, 30, 400});
  std::vector<BatchSegment> out;
  for (std::size_t s = 0; s < count; ++s) {
    BatchSegment segment{.value = std::string(1, static_cast<char>('a' + s)), .a = {}, .b = {}};
    const auto before = 5 + dice.below(60);
    const auto after = dice.percent(60) ? before : 5 + dice.below(60);
    const auto fill = [&](support::GroupSums& sums, std::size_t level, std::size_t more) {
      for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t list = dice.below(heaviness * more); list > 0; --list) {
          ++sums[g].lists;
          if (!dice.percent(level)) continue;
          ++sums[g].evidence;
          sums[g].sum += static_cast<support::WideSum>(dice.between(1, std::int64_t{1} << 32));
        }
      }
    };
    if (!dice.percent(10)) fill(segment.a, before, 1);
    if (!dice.percent(10)) fill(segment.b, after, 1 + dice.below(3));
    out.push_back(segment);
  }
  return out;
}

struct Rows {
  MeanRow a;
  MeanRow b;
  KeyRows key{"key", {}};
};

Rows rows_of(const std::vector<BatchSegment>& segments) {
  Rows rows;
  GroupSums a;
  GroupSums b;
  for (const BatchSegment& segment : segments) {
    rows.key.segments.push_back({segment.value, support::mean_row_of(segment.a), support::mean_row_of(segment.b)});
    a += *rows.key.segments.back().a.sums;
    b += *rows.key.segments.back().b.sums;
  }
  rows.a = {mean_facts(a), std::make_shared<GroupSums>(a)};
  rows.b = {mean_facts(b), std::make_shared<GroupSums>(b)};
  return rows;
}

// check(segments, rows): of made-up sums where both sides have lists.
template <class Check>
void for_each_change(const Check& check) {
  support::for_each_seed(150, 3000, [&](std::uint64_t seed) {
    SCOPED_TRACE("RECMETER_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const auto segments = made_up_segments(dice);
    const Rows rows = rows_of(segments);
    if (!rows.a.facts.value || !rows.b.facts.value) return;
    check(segments, rows, dice);
  });
}

std::vector<double> all_parts(const KeyParts& key) {
  std::vector<double> parts;
  for (const SegmentPart& part : key.parts) parts.push_back(part.within.amount);
  for (const SegmentPart& part : key.parts) parts.push_back(part.mix.amount);
  return parts;
}

Attribution attributed(const Rows& rows, const AttributionRule& rule = {}) {
  return attribute(rows.a, rows.b, std::span(&rows.key, 1), rule);
}

// Tells whether the cause and that value have parts that are equal but for rounding, so that either may be the largest.
bool is_tied(const KeyParts& key, const std::string& value) {
  const auto at = std::ranges::find(key.parts, value, &SegmentPart::value);
  if (at == key.parts.end() || key.cause->value == value) return false;
  const double part = key.cause->kind == CauseKind::mix ? at->mix.amount : at->within.amount;
  return std::abs(part - key.cause->part) <= 2 * part_unit_bounded;
}

TEST(AttributionLaws, parts_add_up_to_the_difference_in_any_order) {
  for_each_change([](const auto& /*segments*/, const Rows& rows, Dice& dice) {
    const Attribution found = attributed(rows);
    std::vector<double> parts = all_parts(found.by[0]);
    for (int shuffle = 0; shuffle < 5; ++shuffle) {
      dice.shuffle(parts);
      EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0.0), found.difference.amount);
    }
    if (found.factors) {
      EXPECT_EQ(found.factors->first.amount + found.factors->second.amount, found.difference.amount);
    }
  });
}

TEST(AttributionLaws, swapping_the_rows_negates_the_parts) {
  for_each_change([](const auto& segments, const Rows& rows, Dice& /*dice*/) {
    auto swapped = segments;
    for (BatchSegment& segment : swapped) std::swap(segment.a, segment.b);
    const Attribution there = attributed(rows);
    const Attribution back = attributed(rows_of(swapped));
    EXPECT_EQ(back.difference.amount, -there.difference.amount);
    std::vector<double> parts = all_parts(back.by[0]);
    for (double& part : parts) part = part == 0 ? 0 : -part;
    EXPECT_EQ(parts, all_parts(there.by[0]));
    ASSERT_EQ(there.cause.has_value(), back.cause.has_value());
    if (there.cause) {
      EXPECT_EQ(there.cause->kind, back.cause->kind);
    }
  });
}

TEST(AttributionLaws, other_keys_change_nothing) {
  for_each_change([](const auto& /*segments*/, const Rows& rows, Dice& /*dice*/) {
    const KeyRows whole{"whole", {{"all", rows.a, rows.b}}};
    const std::vector<KeyRows> keys{whole, rows.key};
    const Attribution both = attribute(rows.a, rows.b, keys, {});
    const Attribution one = attributed(rows);
    EXPECT_EQ(all_parts(both.by[1]), all_parts(one.by[0]));
    EXPECT_EQ(both.difference, one.difference);
    EXPECT_EQ(both.by[1].cause, one.by[0].cause);
  });
}

TEST(AttributionLaws, a_second_opinion_finds_the_same) {
  constexpr double close = 1e-9;
  std::size_t causes = 0;
  for_each_change([&](const std::vector<BatchSegment>& segments, const Rows& rows, Dice& dice) {
    const AttributionRule rule{.groups_min = dice.pick<std::size_t>({1, 4, 20})};
    const Attribution found = attributed(rows, rule);
    const auto expected = support::batch_attribution(segments, rule.confidence, rule.groups_min);
    EXPECT_NEAR(found.difference.amount, expected.difference, close);
    const auto expect_interval = [&](const auto& ci, const support::BatchInterval& other) {
      ASSERT_EQ(ci.has_value(), other.has_value());
      if (!ci) return;
      EXPECT_NEAR(ci->first, other->first, close);
      EXPECT_NEAR(ci->second, other->second, close);
    };
    expect_interval(found.difference.ci, expected.ci);
    const std::vector<double> parts = all_parts(found.by[0]);
    ASSERT_EQ(parts.size(), expected.parts.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      EXPECT_NEAR(parts[p], expected.parts[p], close);
      const SegmentPart& part = found.by[0].parts[p % segments.size()];
      // Between equal values only the last bits say whether there is an interval.
      const auto& ci = p < segments.size() ? part.within.ci : part.mix.ci;
      if (ci && expected.part_cis[p]) expect_interval(ci, expected.part_cis[p]);
    }
    if (found.factors) {
      EXPECT_NEAR(found.factors->first.amount, expected.factors[0], close);
      EXPECT_NEAR(found.factors->second.amount, expected.factors[1], close);
    }
    ASSERT_EQ(found.by[0].cause.has_value(), expected.cause.has_value());
    if (expected.q) {
      ASSERT_TRUE(found.by[0].unevenness);
      EXPECT_NEAR(found.by[0].unevenness->q, *expected.q, 1e-6 * (1 + *expected.q));
    }
    if (!expected.cause) return;
    ++causes;
    EXPECT_EQ(to_string(found.by[0].cause->kind), expected.cause->kind);
    if (is_tied(found.by[0], expected.cause->value)) return;
    EXPECT_EQ(found.by[0].cause->value.value_or(""), expected.cause->value);
    const auto factor = found.by[0].cause->factor;
    EXPECT_EQ(factor ? to_string(*factor) : "", expected.cause->factor);
  });
  if (!support::number_from_environment("RECMETER_SEED")) {
    EXPECT_GT(causes, 0u);
  }
}

TEST(ExactPartsLaws, units_are_those_of_a_slow_apportionment) {
  support::for_each_seed(300, 20000, [](std::uint64_t seed) {
    SCOPED_TRACE("RECMETER_SEED=" + std::to_string(seed));
    Dice dice(seed);
    const double unit = std::ldexp(1.0, -static_cast<int>(dice.between(0, 40)));
    std::vector<double> parts;
    double whole = 0;
    for (std::size_t count = 1 + dice.below(20); count > 0; --count) {
      // Many ties: multiples of a quarter unit.
      parts.push_back(unit * static_cast<double>(dice.between(-40, 40)) / dice.pick<double>({4, 3, 1}));
      whole += parts.back();
    }
    const ExactParts found = exact_parts(parts, whole, unit);
    std::vector<double> expected;
    for (const std::int64_t units : support::batch_units(parts, whole, unit)) {
      expected.push_back(static_cast<double>(units) * unit);
    }
    EXPECT_EQ(found.parts, expected);
    EXPECT_EQ(std::accumulate(found.parts.begin(), found.parts.end(), 0.0), found.whole);
  });
}

}  // namespace
}  // namespace recmeter
