// Few events: the worked examples, the laws, and the oracle. [S10.26], [S10.34].
#include "unit/experiment/worked_arms.h"

namespace recmeter {
namespace {

TEST(FewEvents, of_an_arm_with_none_are_the_first_worked_example) {
  const auto at = compare_arms(eight_slots(), few_sums(nothing, arm_lists), {.mde = 0.2, .range = share});
  ASSERT_TRUE(at);
  EXPECT_TRUE(at->is_few);
  EXPECT_FALSE(at->relative);
  expect_digits(at->evidence.y, -0.3738317757);
  expect_digits(at->evidence.variance, 0.0006265703559);
  EXPECT_EQ(at->evidence.df, 7);
  expect_digits(at->evidence.z, -4.77672555);
  expect_digits(at->evidence.log_e, 9.042324145);
  expect_digits(sequence_reach(8, 0.05), 3.035173021);
  expect_range(at->absolute.ci, -0.4330788221, -0.3145847293);
  expect_range(at->absolute.cs, -0.4903610608, -0.2573024906);
}

TEST(FewEvents, of_an_arm_where_all_lists_are_one_are_the_second_worked_example) {
  const auto at = compare_arms(eight_slots(), few_sums(arm_lists, arm_lists), {.mde = 0.2, .range = share});
  ASSERT_TRUE(at);
  expect_digits(at->evidence.y, 0.6261682243);
  expect_digits(at->evidence.variance, 0.0006265703559);
  EXPECT_EQ(at->evidence.df, 7);
  expect_digits(at->evidence.z, 5.424756735);
  expect_digits(at->evidence.log_e, 11.98049244);
}

TEST(FewEvents, of_arms_without_any_variance_are_the_third_worked_example) {
  const auto at =
      compare_arms(few_sums(nothing, control_lists), few_sums(arm_lists, arm_lists), {.mde = 0.2, .range = share});
  ASSERT_TRUE(at);
  EXPECT_EQ(at->evidence.y, 1);
  expect_digits(at->evidence.variance, 0.1652170551);
  EXPECT_EQ(at->evidence.df, 10);
  expect_digits(at->evidence.z, 2.123097259);
  expect_digits(at->evidence.log_e, 0.9047396977);
  expect_range(at->absolute.cs, -0.6414424208, 1);
  EXPECT_EQ(at->absolute.cs->second, 1) << "nothing lies beyond the range";
}

TEST(FewEvents, of_amounts_are_the_fourth_worked_example) {
  const auto at = compare_arms(few_sums(nothing, control_lists), few_sums({3, 0, 0, 0, 0, 4, 0, 0}, arm_lists),
                               {.mde = 0.2, .range = amount});
  ASSERT_TRUE(at);
  expect_digits(at->evidence.y, 0.06481481481);
  expect_digits(at->evidence.variance, 0.0090382469);
  EXPECT_EQ(at->evidence.df, 7);
  expect_digits(at->evidence.z, 0.648093444);
}

TEST(FewEvents, lift_the_variance_of_an_arm_that_lacks_them_as_the_fifth_worked_example_does) {
  const auto at = arms_of_amounts(64, [](std::size_t g) { return g % 8 == 7 ? 12.0 : 0.0; });
  ASSERT_TRUE(at);
  EXPECT_FALSE(at->is_few);
  expect_digits(at->evidence.y, -0.007843177461);
  expect_digits(at->evidence.variance, 0.03120791703);
  expect_digits(at->evidence.df, 27.46570732);
  expect_digits(at->evidence.z, -0.0439981512);
  expect_range(at->relative->cs, -0.4524699939, 0.7979581471);
}

TEST(FewEvents, of_which_a_few_users_make_nearly_all_are_the_sixth_worked_example) {
  const auto at = arms_of_amounts(32, [](std::size_t g) { return g == 7 ? 60.0 : g == 19 ? 30.0 : 0.0; });
  ASSERT_FALSE(at);
  EXPECT_EQ(at.error(), Missing::heavy);
}

struct Clicks {
  std::uint64_t control, arm;
  double y, variance, df, z, log_e;
  Interval cs;
};

TEST(FewEvents, of_clicks_are_the_table_of_worked_examples) {
  const std::vector<Clicks> table{
      {600, 0, -0.3, 0.0001406117647, 255, -17.87619708, 140.9273531, {-0.3363547852, -0.2636452148}},
      {600, 15, -0.2925, 0.0001423738165, 255, -17.55507551, 135.8705771, {-0.3290818628, -0.2559181372}},
      {1900, 2000, 0.05, 3.319529412e-05, 155.1200502, 7.822561903, 26.09804314, {0.03222042422, 0.06777957578}},
      {0, 2000, 1, 2.5e-06, 10, 10.04595945, 43.75529943, {0.9936148924, 1}},
      {16, 0, -0.008, 7.035723294e-06, 19.9636273, -2.704120472, 2.151284389, {-0.01721692766, 0.001216927658}},
  };
  for (const Clicks& row : table) {
    SCOPED_TRACE(std::to_string(row.control) + ", " + std::to_string(row.arm));
    const auto at = clicks(row.control, row.arm);
    ASSERT_TRUE(at);
    EXPECT_TRUE(at->is_few);
    expect_digits(at->evidence.y, row.y);
    expect_digits(at->evidence.variance, row.variance);
    expect_digits(at->evidence.df, row.df);
    expect_digits(at->evidence.z, row.z);
    expect_digits(at->evidence.log_e, row.log_e);
    expect_range(at->absolute.cs, row.cs.first, row.cs.second);
  }
}

TEST(FewEvents, of_which_nobody_did_any_are_bounded_where_the_mde_is_absolute) {
  const auto at = clicks(0, 0, {.is_absolute = true, .mde = 0.01});
  ASSERT_TRUE(at);
  EXPECT_EQ(at->evidence.y, 0);
  expect_digits(at->evidence.variance, 2.5e-06);
  expect_digits(at->evidence.log_e, -1.098612289);
  expect_range(at->absolute.cs, -0.006385107579, 0.006385107579);
  EXPECT_EQ(clicks(0, 0).error(), Missing::no_events);
}

TEST(FewEvents, are_no_more_where_both_arms_have_enough_of_them) {
  const auto at = clicks(40, 80, {.mde = 0.02});
  ASSERT_TRUE(at);
  EXPECT_FALSE(at->is_few);
  expect_digits(at->evidence.y, 0.6931471806);
  expect_digits(at->evidence.variance, 0.03711598431);
  expect_digits(at->evidence.df, 142.3625113);
  expect_digits(at->evidence.z, 3.513712109);
  EXPECT_NEAR(at->evidence.log_e, 0.05928408057, 1e-11);
  EXPECT_FALSE(at->relative->cs);
}

struct Draft {
  int lost, won;
  double y, variance, df, z, log_e;
  Interval cs;
};

TEST(FewEvents, of_drafts_are_the_table_of_worked_examples) {
  const std::vector<Draft> table{
      {0, 300, 1, 0.0002222222222, 10, 7.62921184, 24.77022029, {0.9398006284, 1}},
      {1, 299, 0.9933333333, 0.0002222222222, 10, 7.620875768, 24.71371992, {0.9331339618, 1}},
      {3, 37, 0.85, 0.006865714286, 7.96241562, 4.459463117, 0.5191019102, {-1, 1}},
  };
  for (const Draft& row : table) {
    SCOPED_TRACE(row.won);
    const auto at = compare_with_zero(drafted_lists(row.lost, row.won), {.mde = 0.02});
    ASSERT_TRUE(at);
    EXPECT_EQ(at->is_few, row.won > 100);
    expect_digits(at->evidence.y, row.y);
    expect_digits(at->evidence.variance, row.variance);
    expect_digits(at->evidence.df, row.df);
    expect_digits(at->evidence.z, row.z);
    expect_digits(at->evidence.log_e, row.log_e);
    expect_range(at->absolute.cs, row.cs.first, row.cs.second);
  }
}

TEST(FewEvents, of_a_draft_need_lists_in_two_slots) {
  SlotSums one;
  one.s[3] = one.n[3] = to_q32(9);
  EXPECT_EQ(compare_with_zero(one, {.mde = 0.02}).error(), Missing::no_lists);
  one.n[4] = to_q32(1);
  EXPECT_TRUE(compare_with_zero(one, {.mde = 0.02}));
}

TEST(FewEvents, cannot_be_compared_for_the_first_of_four_reasons) {
  const SlotSums many = users_who_click('A', 600);
  EXPECT_EQ(compare_arms(many, SlotSums(), {.mde = 0.05, .range = share}).error(), Missing::no_lists);
  SlotSums one_slot;
  one_slot.n[7] = to_q32(9);
  EXPECT_EQ(compare_arms(one_slot, many, {.mde = 0.05, .range = share}).error(), Missing::no_lists);
  const SlotSums none = users_who_click('B', 0);
  EXPECT_EQ(compare_arms(none, none, {.is_absolute = true, .mde = 0.05, .range = amount}).error(), Missing::no_events);
  SlotSums buyer = none;
  buyer.s[3] = to_q32(40);
  EXPECT_EQ(compare_arms(none, buyer, {.mde = 0.05, .range = amount}).error(), Missing::too_few);
  SlotSums heavy = many;
  heavy.s[7] += to_q32_wide(1e6);
  EXPECT_EQ(compare_arms(heavy, heavy, {.mde = 0.05, .range = amount}).error(), Missing::heavy);
}

TEST(FewEvents, and_many_are_what_the_oracle_makes_of_them) {
  std::mt19937_64 random(11);
  int few = 0, many = 0, missing = 0;
  for (int run = 0; run < 2000; ++run) {
    SCOPED_TRACE(run);
    const RandomRule of(random);
    const auto a = random_sums(random, of.is_share), b = random_sums(random, of.is_share);
    const auto should = support::compare_in_batch(a, b, of.batch);
    expect_like(should, compare_arms(sums_of_oracle(a), sums_of_oracle(b), of.rule));
    missing += should.missing.empty() ? 0 : 1;
    few += should.is_few ? 1 : 0;
    many += should.missing.empty() && !should.is_few ? 1 : 0;
    support::BatchLook::Sums draft = a;
    for (std::size_t g = 0; g < experiment_slots; ++g) draft.s[g] = 2 * b.s[g] > a.n[g] ? a.n[g] : -a.n[g] / 2;
    expect_like(support::compare_draft_in_batch(draft, of.batch), compare_with_zero(sums_of_oracle(draft), of.rule));
  }
  EXPECT_GT(few, 200);
  EXPECT_GT(many, 200);
  EXPECT_GT(missing, 100);
}

TEST(FewEvents, keep_their_laws) {
  std::mt19937_64 random(12);
  int few = 0;
  for (int run = 0; run < 2000; ++run) {
    SCOPED_TRACE(run);
    const RandomRule of(random);
    const SlotSums a = sums_of_oracle(random_sums(random, of.is_share)), b = sums_of_oracle(random_sums(random, of.is_share));
    const auto at = compare_arms(a, b, of.rule);
    const auto back = compare_arms(b, a, of.rule);
    ASSERT_EQ(at.has_value(), back.has_value()) << "arms exchanged";
    if (!at) continue;
    const auto close = [](double x, double y) { EXPECT_NEAR(x, y, 1e-9 * std::max(1.0, std::abs(x))); };
    close(at->evidence.y, -back->evidence.y);
    close(at->evidence.variance, back->evidence.variance);
    close(at->evidence.log_e, back->evidence.log_e);
    const auto& cs = at->decisive().cs;
    EXPECT_EQ(
        cs && (cs->first > 0 || cs->second < 0),
        std::abs(at->evidence.z) >=
            sequence_reach(at->is_few ? 8 : tau_of(of.rule) * tau_of(of.rule) / at->evidence.variance, of.rule.alpha_all));
    if (of.is_share) {
      for (const auto& range : {at->absolute.cs, at->absolute.ci}) {
        ASSERT_TRUE(range);
        EXPECT_GE(range->first, -1);
        EXPECT_LE(range->second, 1);
      }
    }
    if (!at->is_few) continue;
    ++few;
    ComparisonRule other = of.rule;
    other.mde *= 3;
    EXPECT_EQ(compare_arms(a, b, other)->evidence.log_e, at->evidence.log_e) << "the mde plays no part";
    SlotSums a_unit = a, b_unit = b;
    for (std::size_t g = 0; g < experiment_slots; ++g) a_unit.s[g] *= 16, b_unit.s[g] *= 16;
    other = of.rule;
    other.range.high *= 16;
    close(compare_arms(a_unit, b_unit, other)->evidence.z, at->evidence.z);
    if (!of.is_share) continue;
    // Where the share is of what did not happen, a comparison that is of few events by its own numbers is of few still.
    SlotSums a_rest = a, b_rest = b;
    for (std::size_t g = 0; g < experiment_slots; ++g) a_rest.s[g] = a.n[g] - a.s[g], b_rest.s[g] = b.n[g] - b.s[g];
    other = of.rule;
    other.is_absolute = true;
    const auto rest = compare_arms(a_rest, b_rest, other);
    ASSERT_TRUE(rest);
    if (!rest->is_few) continue;
    close(rest->evidence.y, -at->evidence.y);
    close(rest->evidence.variance, at->evidence.variance);
  }
  EXPECT_GT(few, 200);
}

}  // namespace
}  // namespace recmeter
