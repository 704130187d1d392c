#include "recmeter/live/kept_experiments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recmeter/memory/memory_store.h"

namespace recmeter {
namespace {

class KeptExperiments : public testing::Test {
 protected:
  KeptExperiments() {
    spec_.windows = {{.name = "hour", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
    spec_.join.horizons = {Duration{60'000}};
    spec_.metrics.cutoffs = {10};
    spec_.metrics.requests = {{"precision", std::nullopt, {}}};
    ExperimentSpec& experiment = spec_.experiments.emplace_back();
    experiment.name = "e";
    experiment.arms = {.key = "v", .values = {"A", "B"}};
    experiment.allocation = {0.5, 0.5};
    experiment.start = EventTime{1'700'000'000'000 / 3'600'000 * 3'600'000};
    experiment.duration = Duration{10 * 3'600'000};
    experiment.horizon = Duration{60'000};
    experiment.cuped_before = Duration{7'200'000};
    experiment.primary = {{.metric = "precision@10", .mde = 0.1}};
    plan_.emplace(std::move(*EvaluatorPlan::make(spec_, Duration{0}, false, true)));
  }

  [[nodiscard]] const PlannedExperiment& experiment() const { return plan_->experiments.front(); }
  [[nodiscard]] KeptLook look(std::int64_t number) const {
    KeptLook look{.sums = LookSums(number, 2, experiment().width()), .remarks = {.sample = 1, .incomplete = {"gap"}}};
    look.sums.row(1, 200)[0] = 7;
    look.sums.arms[1].lists = 7;
    return look;
  }
  void write(const StateBatch& batch) { ASSERT_TRUE(store_.write(batch, StateStore::Durability::process)); }
  [[nodiscard]] Result<ExperimentPast> past() const {
    auto pasts = pasts_in(store_, *plan_);
    if (!pasts) return tl::unexpected(pasts.error());
    return std::move(pasts->front());
  }

  EvaluatorSpec spec_;
  std::optional<EvaluatorPlan> plan_;
  memory::MemoryStore store_;
};

TEST_F(KeptExperiments, come_back_as_they_were) {
  StateBatch batch;
  put_experiment(batch, {.name = "e", .meaning = "it", .since = EventTime{5}});
  KeptLook before = look(-1);
  const std::vector<std::int64_t> columns(experiment().columns.size(), 3);
  before.sums.before[9].add_list({1, 2}, 2, true, columns);
  before.remarks.incomplete = {};
  KeptLook first = look(1);
  for (std::uint64_t user = 0; user < 120'000; ++user) {
    first.sums.notes.push_back(
        {{user, ~user}, static_cast<std::uint8_t>(user), {.arm = 1, .zeros = 4, .is_mixed = user % 2 == 0}});
  }
  for (const KeptLook& one : {look(10), before, first}) put_look(batch, experiment(), one);
  write(batch);
  const auto kept = experiments_in(store_);
  ASSERT_TRUE(kept && kept->size() == 1);
  EXPECT_EQ(kept->front().meaning, "it");
  const auto read = past();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->since, EventTime{5});
  ASSERT_EQ(read->looks.size(), 3U);
  EXPECT_EQ(read->looks[0].sums.number(), -1);
  EXPECT_EQ(read->looks[0].sums.before.at(9).find_user({1, 2})->columns[0], 3);
  EXPECT_EQ(read->looks[1].sums.notes.size(), 120'000U);
  EXPECT_EQ(read->looks[1].sums.notes.back().user.low, ~std::uint64_t{119'999});
  EXPECT_EQ(read->looks[1].sums.notes.back().member.zeros, 4);
  EXPECT_EQ(read->looks[2].remarks.sample, 1);
  EXPECT_EQ(read->looks[2].remarks.incomplete, std::vector<std::string>{"gap"});
  EXPECT_EQ(read->looks[2].sums.arms[1].lists, 7U);
  EXPECT_EQ(read->counts_from(experiment()), experiment().look_time(10));
}

TEST_F(KeptExperiments, are_erased_with_their_looks_and_no_others) {
  StateBatch batch;
  for (const char* name : {"e", "ee"}) put_experiment(batch, {.name = name, .meaning = "it"});
  put_look(batch, experiment(), look(3));
  erase_experiment(batch, "ee");
  write(batch);
  EXPECT_EQ(past()->looks.size(), 1U);
  StateBatch more;
  erase_experiment(more, "e");
  write(more);
  EXPECT_TRUE(past()->looks.empty());
  EXPECT_TRUE(experiments_in(store_)->empty());
}

TEST_F(KeptExperiments, say_what_is_damaged) {
  StateBatch batch;
  KeptLook one = look(1);
  one.sums.notes.push_back({{1, 2}, 3, {.arm = 1}});
  put_look(batch, experiment(), one);
  for (const StateBatch::Change& change : batch.changes()) {
    for (std::size_t cut = 0; cut < change.value.size(); ++cut) {
      StateBatch damaged = batch;
      damaged.put(change.key, change.value.substr(0, cut));
      write(damaged);
      const auto read = past();
      if (read) {
        EXPECT_TRUE(read->looks.front().sums.notes.empty()) << "a piece of users may have none";
        continue;
      }
      EXPECT_EQ(read.error().code, Errc::state_unusable);
      EXPECT_NE(read.error().context.find("experiment e"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace recmeter
