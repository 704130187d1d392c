#include "config/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace recmeter::config {
namespace {

constexpr std::array<std::string_view, 5> names{"precision", "hit_rate", "ndcg_list", "recall", "mrr"};

TEST(EditDistance, counts_a_swap_of_neighbours_once) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("skew", "skwe"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, forgives_case_and_separators) {
  EXPECT_EQ(nearest("HitRate", names), "hit_rate");
  EXPECT_EQ(nearest("hit-rate", names), "hit_rate");
}

TEST(Nearest, finds_typing_mistakes_and_beginnings) {
  EXPECT_EQ(nearest("precison", names), "precision");
  EXPECT_EQ(nearest("reacll", names), "recall");
  EXPECT_EQ(nearest("ndcg", names), "ndcg_list");
}

TEST(Nearest, does_not_guess) {
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("-", names), std::nullopt);
  EXPECT_EQ(nearest("xyz", names), std::nullopt);
  EXPECT_EQ(nearest(std::string(100'000, 'p'), names), std::nullopt);
}

TEST(Nearest, is_asked_for_or_all_there_is_is_named) {
  EXPECT_EQ(name_question("reacll", names), "did you mean `recall`?");
  EXPECT_EQ(name_question("xyz", names), "");
  const std::array<std::string_view, 2> few{"click", "order"};
  EXPECT_EQ(question_or_choices("clik", few), "did you mean `click`?");
  EXPECT_EQ(question_or_choices("xyz", few), "write `click` or `order`");
}

TEST(OneOf, reads_as_a_sentence) {
  EXPECT_EQ(one_of(std::array<std::string_view, 1>{"a"}), "`a`");
  EXPECT_EQ(one_of(std::array<std::string_view, 3>{"a", "b", "c"}), "`a`, `b` or `c`");
}

}  // namespace
}  // namespace recmeter::config
