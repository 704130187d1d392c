// A live run that is killed again and again keeps, byte for byte, the sums that the rows of a replay have.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "simulation/killed_run.h"

namespace recmeter {
namespace {

using namespace simulation;

// All windows, by rank and by group of items, where the catalogue names some.
void explain(EvaluatorSpec& spec, std::uint64_t seed) {
  AttributionSpec& attribution = spec.attribution.emplace();
  for (const WindowSpec& window : spec.windows) attribution.windows.push_back(window.name);
  attribution.keep = seed % 4 == 0 ? Duration{120'000} : Duration{one_day.ms};
  attribution.ranks = seed % 3 != 0;
  attribution.item_group = "genre";
  const auto is_precision = [](const MetricRequest& request) { return request.name == "precision" && !request.as; };
  if (std::ranges::none_of(spec.metrics.requests, is_precision)) {
    spec.metrics.requests.push_back({.name = "precision", .as = "of_groups"});
  }
  if (spec.catalog && !spec.catalog->items.empty()) {
    Catalog::ItemGroups& groups = spec.catalog->groups;
    groups.attribute = "genre";
    groups.names = {"(none)", "drama", "news"};
    groups.id = 77;
    for (const std::string& item : spec.catalog->items) groups.group_of[item] = static_cast<std::uint32_t>(item.size() % 3);
  }
  keep_parts(spec);
}

TEST(KeptSums, are_those_of_a_replay_however_often_the_run_is_killed) {
  Tally tally;
  std::uint64_t with_groups = 0;
  support::for_each_seed(24, 1'000, [&](std::uint64_t seed) {
    Case c = random_case(seed, false, seed % 5 == 0);
    explain(c.spec, seed);
    with_groups += item_groups_of(c.spec) > 0 ? 1U : 0U;
    check_seed(c, seed, tally);
  });
  EXPECT_GT(tally.kills, 3 * tally.seeds);
  EXPECT_GT(tally.sums, 10 * tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(with_groups, 0U);
  }
}

}  // namespace
}  // namespace recmeter
