// The conformance numbers of [S16], with four groups that are enough.
#include "recmeter/attribution/attribution.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace recmeter {
namespace {

constexpr double close = 1e-9;

using Counts = std::array<std::int64_t, 4>;

MeanRow row_of(const Counts& sums, const Counts& lists, const Counts& evidence) {
  auto out = std::make_shared<GroupSums>();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    out->value[g] = Int128{sums[g]} << q32_fraction_bits;
    out->lists[g] = static_cast<std::uint64_t>(lists[g]);
    out->evidence[g] = static_cast<std::uint64_t>(evidence[g]);
  }
  return {mean_facts(*out), out};
}

MeanRow both(const MeanRow& first, const MeanRow& second) {
  auto sums = std::make_shared<GroupSums>(*first.sums);
  *sums += *second.sums;
  return {mean_facts(*sums), sums};
}

struct Example {
  KeyRows surface{"surface",
                  {{"home", row_of({30, 22, 41, 17}, {100, 80, 130, 60}, {40, 30, 52, 22}),
                    row_of({33, 26, 44, 21}, {120, 90, 140, 75}, {45, 33, 57, 27})},
                   {"mail", row_of({24, 18, 20, 13}, {50, 40, 45, 30}, {28, 22, 25, 15}),
                    row_of({12, 11, 13, 8}, {40, 35, 40, 25}, {18, 15, 17, 11})}}};
  MeanRow a = both(surface.segments[0].a, surface.segments[1].a);
  MeanRow b = both(surface.segments[0].b, surface.segments[1].b);
  AttributionRule rule{.groups_min = 0};

  [[nodiscard]] Attribution attributed() const { return attribute(a, b, std::span(&surface, 1), rule); }
};

double in_units(double amount) {
  return amount / part_unit_bounded;
}

TEST(Attribution, parts_of_segments_are_exact) {
  const Attribution found = Example().attributed();
  ASSERT_EQ(found.by.size(), 1u);
  const auto& parts = found.by[0].parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(in_units(parts[0].within.amount), -4391428541.0);
  EXPECT_EQ(in_units(parts[1].within.amount), -42887717023.0);
  EXPECT_EQ(in_units(parts[0].mix.amount), -1802305333.0);
  EXPECT_EQ(in_units(parts[1].mix.amount), -4189073588.0);
  EXPECT_EQ(in_units(found.difference.amount), -53270524485.0);
  EXPECT_EQ(found.by[0].within + found.by[0].mix, found.difference.amount);
}

TEST(Attribution, the_difference_has_the_interval_of_groups_left_out_of_both) {
  const Attribution found = Example().attributed();
  ASSERT_TRUE(found.difference.ci);
  EXPECT_NEAR(found.difference.ci->first, -0.088554170076154, close);
  EXPECT_NEAR(found.difference.ci->second, -0.008344349483849, close);
}

TEST(Attribution, factors_add_up) {
  const Attribution found = Example().attributed();
  ASSERT_TRUE(found.factors);
  EXPECT_NEAR(found.factors->first.amount, -0.032958106701699, close);
  EXPECT_NEAR(found.factors->second.amount, -0.015491153078074, close);
  EXPECT_EQ(found.factors->first.amount + found.factors->second.amount, found.difference.amount);
  EXPECT_TRUE(found.factors->first.ci);
}

TEST(Attribution, the_cause_is_the_segment_that_did_not_change_as_others) {
  const Attribution found = Example().attributed();
  ASSERT_TRUE(found.by[0].unevenness);
  EXPECT_NEAR(found.by[0].unevenness->q, 46.422036501596, close);
  ASSERT_TRUE(found.cause);
  EXPECT_EQ(found.cause->kind, CauseKind::segment);
  EXPECT_EQ(found.cause->key, "surface");
  EXPECT_EQ(found.cause->value, "mail");
  EXPECT_EQ(found.cause->factor, Factor::relevant_share);
  EXPECT_EQ(found.cause->part, found.by[0].parts[1].within.amount);
}

TEST(Attribution, twenty_groups_with_evidence_are_needed_for_an_interval_and_a_cause) {
  Example example;
  example.rule.groups_min = evidence_groups_min;
  const Attribution found = example.attributed();
  EXPECT_FALSE(found.difference.ci);
  EXPECT_FALSE(found.by[0].parts[0].within.ci);
  EXPECT_FALSE(found.by[0].cause);
  EXPECT_FALSE(found.cause);
  EXPECT_EQ(in_units(found.difference.amount), -53270524485.0);
}

TEST(Attribution, rows_without_sums_have_parts_and_no_interval) {
  Example example;
  for (MeanRow* row : {&example.a, &example.b, &example.surface.segments[1].a}) row->sums = nullptr;
  const Attribution found = example.attributed();
  EXPECT_EQ(in_units(found.by[0].parts[1].within.amount), -42887717023.0);
  EXPECT_FALSE(found.difference.ci);
  EXPECT_FALSE(found.cause);
}

TEST(Attribution, a_value_that_is_missing_on_one_side_takes_the_others) {
  Example example;
  example.surface.segments[1].b = {};
  example.b = example.surface.segments[0].b;
  const Attribution found = example.attributed();
  EXPECT_EQ(found.by[0].parts[1].within.amount, 0);
  EXPECT_NE(found.by[0].parts[1].mix.amount, 0);
  EXPECT_EQ(found.by[0].within + found.by[0].mix, found.difference.amount);
}

TEST(Attribution, a_cause_of_a_mix_comes_before_one_of_a_segment_and_then_the_larger_part) {
  const auto key = [](std::string name, CauseKind kind, double part) {
    return KeyParts{.key = name, .parts = {}, .cause = Cause{.kind = kind, .key = name, .part = part}};
  };
  EXPECT_EQ(first_cause({}), std::nullopt);
  const std::vector<KeyParts> keys{key("a", CauseKind::everywhere, -9), key("b", CauseKind::segment, -1),
                                   key("c", CauseKind::segment, -2), key("d", CauseKind::segment, -2)};
  EXPECT_EQ(first_cause(keys)->key, "c");
  const std::vector<KeyParts> mixed{keys[2], key("e", CauseKind::mix, -1)};
  EXPECT_EQ(first_cause(mixed)->key, "e");
}

}  // namespace
}  // namespace recmeter
