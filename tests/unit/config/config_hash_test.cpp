#include "config/config_hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loading.h"

namespace recmeter::testing {
namespace {

std::string hash_of(std::string_view yaml) {
  const auto config = load(yaml);
  if (config) return config->spec.config_hash;
  ADD_FAILURE() << all_text(config.error());
  return {};
}

TEST(ConfigHash, canonical_text_is_pinned) {
  const auto config = load(
      "join: {horizons: [1h, 1d], not_users: [b, a], actions: {look: {}, buy: {gain: 2.5, after: look, horizon: 1d}}}\n"
      "catalog: {file: items.txt}\n"
      "metrics: {cutoffs: [10, 5], names: [{name: ndcg_list, as: n2, gain: exp2}, map_list, fbeta, empty_list_share]}\n");
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  EXPECT_EQ(config_canonical_text(config->spec),
            "recmeter.config/1\n"
            "join key=user credit=last_touch skew=0 same_list=1800000 assemble=10000\n"
            "not_user \"a\"\n"
            "not_user \"b\"\n"
            "action \"buy\" gain=2.5 after=\"look\" horizon=86400000\n"
            "action \"look\" gain=1\n"
            "ratings min=1 max=5 extremes=2,4 reversal=3 half_life=5 default_vote=3\n"
            "catalog items=3 hash=0000000000001234\n"
            "confidence 0.95\n"
            "metric empty_list_share of empty_list_share\n"
            "metric fbeta of fbeta beta=2 k=5,10\n"
            "metric map_list of map_list ap_denominator=min k=5,10\n"
            "metric n2 of ndcg_list gain=exp2 k=5,10\n");
}

TEST(ConfigHash, of_the_defaults_is_pinned) {
  EXPECT_EQ(hash_of(""), "c0b95f4a0a730e41");
}

TEST(ConfigHash, follows_what_changes_the_meaning_of_values) {
  const std::string base = hash_of("");
  for (const char* yaml :
       {"join: {credit: first_touch}", "join: {skew: 1s}", "join: {same_list: 1h}", "join: {assemble: 1s}",
        "join: {not_users: [a]}", "join: {actions: {click: {gain: 1}}}", "ratings: {reversal: 2}", "ratings: {liked: 3}",
        "catalog: {size: 3}", "metrics: {gain: exp2}", "metrics: {ap_denominator: k}", "metrics: {cutoffs: [10]}",
        "metrics: {confidence: 0.9}", "metrics: {names: [mrr]}"}) {
    EXPECT_NE(hash_of(yaml), base) << yaml;
  }
}

// Options that came later are written where they are not the default, so that hashes stay.
TEST(ConfigHash, knows_later_options_only_where_they_say_something) {
  const std::string plain = hash_of("metrics: {names: [ndcg_user]}");
  EXPECT_EQ(hash_of("metrics: {names: [{name: ndcg_user, discount: log2}]}"), plain);
  EXPECT_NE(hash_of("metrics: {names: [{name: ndcg_user, discount: rank}]}"), plain);
  EXPECT_NE(hash_of("metrics: {names: [{name: ap_11, level: 0}]}"), hash_of("metrics: {names: [ap_11]}"));
  EXPECT_NE(hash_of("metrics: {names: [{name: recall, universe: list}]}"), hash_of("metrics: {names: [recall]}"));
  EXPECT_EQ(hash_of("metrics: {names: [{name: ndcg_user, cut: k}]}"), plain);
  EXPECT_NE(hash_of("metrics: {names: [{name: ndcg_user, cut: R}]}"), plain);
  EXPECT_EQ(hash_of("metrics: {cutoffs: [5, R], names: [recall]}"),
            hash_of("metrics: {cutoffs: [5], names: [recall, {name: recall, cut: R}]}"));
}

TEST(ConfigHash, follows_the_period_of_popularity_where_a_metric_counts_it) {
  const std::string base = hash_of("metrics: {names: [mrr, popularity]}");
  for (const char* more : {"period: 1h", "step: 1m", "top: 9"}) {
    EXPECT_NE(hash_of(fmt::format("metrics: {{names: [mrr, popularity], popularity: {{{}}}}}", more)), base) << more;
    EXPECT_EQ(hash_of(fmt::format("metrics: {{names: [mrr], popularity: {{{}}}}}", more)),
              hash_of("metrics: {names: [mrr]}"));
  }
}

TEST(ConfigHash, follows_examination_where_a_metric_compares_with_it) {
  const auto with = [](const char* names, const char* examination) {
    return hash_of(fmt::format("metrics: {{cutoffs: [1], names: [{}], examination: {{{}}}}}", names, examination));
  };
  const std::string base = with("mrr, coec", "first: 0.1, by_rank: [1, 0.5]");
  for (const char* other :
       {"first: 0.2, by_rank: [1, 0.5]", "first: 0.1, by_rank: [1, 0.6]", "first: 0.1, by_rank: [1, 0.5, 0.5]"}) {
    EXPECT_NE(with("mrr, coec", other), base) << other;
    EXPECT_EQ(with("mrr", other), hash_of("metrics: {cutoffs: [1], names: [mrr]}")) << other;
  }
}

TEST(ConfigHash, ignores_what_does_not) {
  const std::string base = hash_of("");
  for (const char* yaml : {"join: {horizons: [1h, 10m]}", "time: {allowed_lateness: 5m}", "windows: [{name: d, size: 1d}]",
                           "segments: [[a]]", "inputs: [{topic: a}]", "name: other", "threads: 3", "state: {dir: elsewhere}",
                           "limits: {list_items: 9}", "metrics: {beta: 3}", "metrics: {cutoffs: [10, 5, 1]}",
                           "metrics: {names: [recall, precision, hit_rate, mrr, map_list, ndcg_list, distinct_items]}",
                           "join: {actions: {purchase: {gain: 3, after: click}, click: {gain: 1.0}}}"}) {
    EXPECT_EQ(hash_of(yaml), base) << yaml;
  }
}

TEST(ConfigHash, of_a_catalogue_file_is_of_its_content) {
  EXPECT_NE(hash_of("catalog: {file: items.txt}"), hash_of("catalog: {size: 3}"));
}

}  // namespace
}  // namespace recmeter::testing
