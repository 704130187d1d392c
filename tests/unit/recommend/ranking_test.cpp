#include "recmeter/recommend/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

namespace recmeter {
namespace {

LearningLog items_named(std::size_t count) {
  LearningLog log;
  log.users.number("u");
  for (std::size_t i = 0; i < count; ++i) log.items.number("i" + std::to_string(i));
  return log;
}

// The definition: everything sorted by (score rounded to 2^-32 descending, hash ascending, bytes).
std::vector<std::uint32_t> sorted_by_definition(const LearningLog& log, const ListRequest& request,
                                                const std::vector<double>& scores, const std::vector<std::uint8_t>& is_out,
                                                std::size_t length, std::uint64_t seed) {
  std::vector<std::tuple<double, std::uint64_t, std::string, std::uint32_t>> all;
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    if (is_out[i] != 0) continue;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(scores[i], 32)), -32);
    all.emplace_back(-rounded, tie_hash(log.items.text(i), "u", request.ts, seed), log.items.text(i), i);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < std::min(length, all.size()); ++i) out.push_back(std::get<3>(all[i]));
  return out;
}

TEST(Ranking, is_as_the_definition_sorts_all) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t items = random() % 40 + 1;
    const LearningLog log = items_named(items);
    const ListRequest request{
        .ts = EventTime{static_cast<std::int64_t>(random() % 1000)}, .user = 0, .targets = {}, .shown = {}, .segments = {}};
    std::vector<double> scores;
    std::vector<std::uint8_t> is_out;
    for (std::size_t i = 0; i < items; ++i) {
      // Few values, so that there are ties; some that only rounding makes equal; some beyond the fast way of rounding.
      const double tiny = static_cast<double>(random() % 3) * 1e-11;
      const double large = random() % 10 == 0 ? 1e8 : 1;
      scores.push_back((static_cast<double>(random() % 4) - 1.5) * large + tiny);
      is_out.push_back(random() % 4 == 0 ? 1 : 0);
    }
    std::vector<std::uint32_t> candidates(items);
    std::iota(candidates.begin(), candidates.end(), 0U);
    const std::size_t length = random() % 12;
    const std::uint64_t seed = random() % 3;
    Ranking ranking(log, seed);
    std::vector<std::uint32_t> ranked;
    for (const RankedItem& one : ranking.best(request, candidates, scores, is_out, length)) ranked.push_back(one.item);
    EXPECT_EQ(ranked, sorted_by_definition(log, request, scores, is_out, length, seed));
  }
}

TEST(Ranking, has_ties_in_an_order_anew_for_each_time_user_and_seed) {
  const LearningLog log = items_named(20);
  std::vector<std::uint32_t> candidates(20);
  std::iota(candidates.begin(), candidates.end(), 0U);
  const std::vector<double> scores(20, 0.5);
  const std::vector<std::uint8_t> is_out(20, 0);
  std::set<std::vector<std::uint32_t>> orders;
  for (std::int64_t ts = 0; ts < 10; ++ts) {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      Ranking ranking(log, seed);
      std::vector<std::uint32_t> order;
      const ListRequest request{.ts = EventTime{ts}, .user = 0, .targets = {}, .shown = {}, .segments = {}};
      for (const RankedItem& one : ranking.best(request, candidates, scores, is_out, 20)) order.push_back(one.item);
      EXPECT_EQ(order.size(), 20U);
      orders.insert(order);
    }
  }
  EXPECT_EQ(orders.size(), 20U);
}

TEST(Ranking, hashes_the_item_the_user_and_the_time) {
  // XXH3-64 of "a", 0, "u", 0, "1700000000000", by another implementation (xxhash for Python).
  EXPECT_EQ(tie_hash("a", "u", EventTime{1'700'000'000'000}, 0), 0xd9ca26c6b43f6ca0U);
  EXPECT_EQ(tie_hash("a", "u", EventTime{1'700'000'000'000}, 7), 0xf891f32437a9eed1U);
  EXPECT_NE(tie_hash("a", "u", EventTime{1}, 0), tie_hash("a", "u1", EventTime{1}, 0));
  EXPECT_NE(tie_hash("a", "u", EventTime{11}, 0), tie_hash("a", "u1", EventTime{1}, 0)) << "the parts are told apart";
}

}  // namespace
}  // namespace recmeter
