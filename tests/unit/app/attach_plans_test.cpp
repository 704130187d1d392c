// What a run of attach does with a state whose configuration was another one.
#include "app/attach/attach_plans.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation.h"
#include "recmeter/live/kept_experiments.h"
#include "recmeter/memory/memory_store.h"

namespace recmeter {
namespace {

constexpr EventTime noon{event_time_min.ms + 43'200'000};
const std::string base = "inputs: [shown, done]\nstate: {dir: here}\n";

class AttachPlanning : public testing::Test {
 protected:
  Config load(const std::string& yaml) const {
    const bool says_windows = yaml.find("windows: [{") != std::string::npos;
    auto config = load_config(says_windows ? yaml : yaml + "windows: [{name: minute, size: 1m}]\n", "test.yaml", context_);
    EXPECT_TRUE(config) << to_text(config.error().front());
    return std::move(*config);
  }
  // "number from", of the plans, or the error; a run with this configuration.
  std::string planned(const std::string& yaml, bool rebuild = false) {
    const Config config = load(yaml);
    const auto plans = attach_plans(store_, config, context_, rebuild);
    if (!plans) {
      code_ = plans.error().code;
      return plans.error().context;
    }
    notice_ = plans->notice;
    std::string out;
    for (const PlannedGeneration& one : plans->generations) {
      out += std::to_string(one.number) + ": " + one.plan->spec->windows.back().name + " of " +
             std::to_string(one.plan->spec->catalog ? one.plan->spec->catalog->size : 0) + "; ";
    }
    EXPECT_EQ(plans->generations.back().plan->spec, &config.spec);
    return out;
  }
  // A run has come so far.
  void reach(EventTime w) {
    Checkpoint checkpoint;
    checkpoint.number = 1;
    checkpoint.rows_to = w;
    checkpoint.rows = 3;
    checkpoint.sequencer.watermark = w;
    for (const char* name : {"shown/0", "done/0"}) {
      checkpoint.sequencer.partitions.push_back(
          {.name = name, .clock = {.max_time = w, .min_time = w, .disorder = {}}, .counts = {}});
      checkpoint.positions.push_back({.next_offset = 70});
    }
    StateBatch batch;
    put_checkpoint(batch, checkpoint);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> all;
    EXPECT_TRUE(store_.scan("", "\xff", [&](std::string_view key, std::string_view value) {
      all.emplace(key, value);
      return true;
    }));
    return all;
  }

  std::map<std::string, std::uint64_t> catalogs_{{"items", 5}};
  ConfigContext context_{
      [](const std::string& name) { return name == "LATENESS" ? std::optional<std::string>("2m") : std::nullopt; },
      [this](const std::string& path, std::size_t, const std::string& item_group) -> Result<Catalog> {
        if (!catalogs_.contains(path)) return failure(Errc::input_missing, path + " cannot be read");
        Catalog catalog{.size = catalogs_.at(path), .items = {}};
        for (std::uint64_t i = 0; i < catalog.size; ++i) catalog.items.insert(std::to_string(i));
        catalog.attribute_names = {"genre"};
        catalog.groups.attribute = item_group;
        catalog.groups.names = {"(none)"};
        return catalog;
      }};
  memory::MemoryStore store_;
  Errc code_{};
  std::string notice_;
};

TEST_F(AttachPlanning, keeps_panes_where_windows_are_long) {
  const auto keeps = [&](const std::string& window) {
    const Config config = load(base + "join: {horizons: [30m]}\nwindows: [" + window + "]\n");
    const auto plans = attach_plans(store_, config, context_, true);
    EXPECT_TRUE(plans);
    return plans->generations.back().plan->keeps_panes;
  };
  EXPECT_TRUE(keeps("{name: day, size: 1d}"));
  EXPECT_FALSE(keeps("{name: minute, size: 1m}"));
}

TEST_F(AttachPlanning, refuses_what_depends_on_all_that_users_did) {
  EXPECT_EQ(planned(base + "metrics: {names: [known_share]}\n"),
            "metrics.names: `known_share` depends on everything that users did before, which a live run does not keep; "
            "remove it, or evaluate the topics with recmeter replay");
  EXPECT_EQ(code_, Errc::config_invalid);
  EXPECT_TRUE(planned(base + "join: {actions: {rating: {from: user_mean}}}\n")
                  .starts_with("join.actions.rating.from: `user_mean` depends on"));
  EXPECT_TRUE(content().empty());
}

TEST_F(AttachPlanning, begins_with_one_generation) {
  EXPECT_EQ(planned(base), "0: minute of 0; ");
  EXPECT_EQ(planned(base + "join: {credit: every_touch}\n"), "0: minute of 0; ") << "before the first checkpoint";
  reach(noon);
  EXPECT_EQ(planned(base + "join: {credit: every_touch}\n"), "0: minute of 0; ");
  EXPECT_EQ(notice_, "");
}

TEST_F(AttachPlanning, adds_a_generation_for_what_is_added) {
  (void)planned(base);
  reach(noon);
  const std::string hours = base + "windows: [{name: minute, size: 1m}, {name: hour, size: 1h}]\ncatalog: {size: 9}\n";
  EXPECT_EQ(planned(hours), "0: minute of 0; 1: hour of 9; ");
  EXPECT_EQ(notice_, "changed: windows, catalog; this holds for windows that start at 1980-01-01T12:00:00.001Z or later");
  EXPECT_EQ(planned(hours), "0: minute of 0; 1: hour of 9; ");
  EXPECT_EQ(notice_, "");
  EXPECT_EQ(planned(base + "windows: [{name: day, size: 1d}]\n"), "0: minute of 0; 2: day of 0; ");
  EXPECT_EQ(planned(base), "0: minute of 0; ");
}

// It is none of meaning, so the state goes on; windows that have begun have no sums.
TEST_F(AttachPlanning, explains_windows_that_start_once_it_is_said) {
  const auto explained = [this](const std::string& yaml) {
    Config config = load(yaml);
    keep_parts(config.spec);
    const auto plans = attach_plans(store_, config, context_, false);
    EXPECT_TRUE(plans) << plans.error().context;
    std::string out;
    for (const PlannedGeneration& one : plans->generations) {
      const EvaluatorSpec& spec = *one.plan->spec;
      out += std::to_string(spec.group_sums.size()) + (spec.metrics.shown_counts.ranks ? " by rank" : "") + " " +
             std::to_string(spec.metrics.shown_counts.item_groups) + "; ";
    }
    return out;
  };
  const std::string catalog = "catalog: {file: items}\n";
  EXPECT_EQ(explained(base + catalog), "0 0; ");
  reach(noon);
  const std::string minutes = base + catalog + "attribution: {windows: [minute], item_group: genre}\n";
  EXPECT_EQ(explained(minutes), "0 0; 1 1; ");
  EXPECT_EQ(explained(base + catalog + "attribution: {windows: [minute], item_group: genre, keep: 7d}\n"), "0 0; 1 1; ");
  EXPECT_EQ(explained(base + catalog + "attribution: {windows: [minute], ranks: true}\n"), "0 0; 1 by rank 0; ");
  EXPECT_EQ(explained(base + catalog), "0 0; ") << "no window has begun with the others";
}

const std::string experiment = R"(
segments: [[variant]]
metrics: {cutoffs: [10], names: [precision, mrr]}
experiments:
  - name: ranker-7
    arms: {key: variant, values: [A, B], control: A}
    start: 1980-01-02T00:00:00Z
    duration: 7d
    primary: [{metric: "precision@10", mde: 0.02}]
)";
std::string changed(const std::string& from, const std::string& to) {
  std::string text = base + experiment;
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(AttachPlanning, goes_on_with_experiments_as_they_are) {
  (void)planned(base + experiment);
  reach(noon);
  EXPECT_EQ(planned(changed("    primary", "    min_duration: 1d\n    fdr: 0.2\n    primary")), "0: minute of 0; ");
  EXPECT_EQ(notice_, "");
  const auto before = content();
  EXPECT_EQ(planned(changed("duration: 7d", "duration: 14d")),
            "experiment ranker-7 runs since 1980-01-02T00:00:00Z: duration is part of its plan, for the last look is tested; "
            "give the changed one another name");
  EXPECT_EQ(code_, Errc::state_unusable);
  for (const auto& [from, to] : {std::pair("control: A", "control: B"), std::pair("mde: 0.02", "mde: 0.01"),
                                 std::pair("start: 1980-01-02T", "start: 1980-01-03T")}) {
    const std::string why = planned(changed(from, to));
    EXPECT_EQ(why.substr(0, 39), "experiment ranker-7 runs since 1980-01-");
    EXPECT_NE(why.find("give the changed one another name"), std::string::npos) << why;
    EXPECT_EQ(code_, Errc::state_unusable);
  }
  EXPECT_EQ(content(), before);
}

TEST_F(AttachPlanning, lets_an_experiment_of_an_earlier_version_ship_as_early_as_it_did) {
  const auto min_duration = [this](const std::string& text) {
    const Config config = load(text);
    const auto plans = attach_plans(store_, config, context_, false);
    EXPECT_TRUE(plans) << plans.error().context;
    return plans->plans.back().experiments.front().min_duration;
  };
  (void)planned(base + experiment);
  reach(noon);
  EXPECT_EQ(min_duration(base + experiment), Duration{7 * one_day.ms});
  auto kept = experiments_in(store_);
  ASSERT_TRUE(kept && kept->size() == 1);
  std::string& meaning = kept->front().meaning;
  const std::size_t wait = meaning.find(", waits a week");
  ASSERT_NE(wait, std::string::npos);
  meaning.erase(wait);
  StateBatch batch;
  put_experiment(batch, kept->front());
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  EXPECT_EQ(min_duration(base + experiment), Duration{0}) << "its decisions stay";
  EXPECT_EQ(min_duration(base + experiment), Duration{0}) << "and go on staying";
  EXPECT_EQ(min_duration(changed("    primary", "    min_duration: 1d\n    primary")), one_day);
}

TEST_F(AttachPlanning, takes_an_experiment_of_an_earlier_version_as_begun_with_the_duration_it_is_given) {
  (void)planned(base + experiment);
  reach(noon);
  auto kept = experiments_in(store_);
  ASSERT_TRUE(kept && kept->size() == 1);
  std::string& meaning = kept->front().meaning;
  const std::size_t duration = meaning.find(", duration ");
  ASSERT_NE(duration, std::string::npos);
  meaning.erase(duration);
  StateBatch batch;
  put_experiment(batch, kept->front());
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  EXPECT_EQ(planned(changed("duration: 7d", "duration: 14d")), "0: minute of 0; ");
  EXPECT_EQ(notice_, "");
  EXPECT_TRUE(planned(base + experiment).starts_with("experiment ranker-7 runs since ")) << "from then on it is 14d";
}

TEST_F(AttachPlanning, tells_what_becomes_of_experiments_that_come_and_go) {
  (void)planned(base);
  reach(noon);
  (void)planned(base + experiment);
  EXPECT_EQ(notice_.substr(notice_.find("experiment ranker-7")),
            "experiment ranker-7 is new, and counts lists from 1980-01-01T12:00:00Z on");
  (void)planned(base + experiment);
  EXPECT_EQ(notice_, "");
  (void)planned(changed("ranker-7", "ranker-8"));
  EXPECT_EQ(notice_,
            "experiment ranker-8 is new, and counts lists from 1980-01-01T12:00:00Z on; "
            "experiment ranker-7 is no longer configured; its state is erased");
}

TEST_F(AttachPlanning, refuses_another_meaning_and_writes_nothing) {
  (void)planned(base + "time: {allowed_lateness: \"${LATENESS}\"}\n");
  reach(noon);
  const auto before = content();
  EXPECT_EQ(planned("inputs: [shown, {topic: done, unit: s}]\nstate: {dir: here}\nwindows: [{name: hour, size: 1h}]\n"
                    "join: {actions: {click: {gain: 2}, purchase: {gain: 3, after: click}}}\n"),
            "here: the configuration gives events another meaning than the one that made this state: "
            "inputs(shown).allowed_lateness was 2m, is 1m; inputs(done).unit was ms, is s; "
            "inputs(done).allowed_lateness was 2m, is 1m; join.actions.click.gain was 1, is 2; undo the change, start with "
            "another state.dir, or run attach --rebuild, which reads the events again with the new configuration");
  EXPECT_EQ(code_, Errc::state_unusable);
  EXPECT_EQ(content(), before);
}

TEST_F(AttachPlanning, reads_again_by_another_meaning_when_told_to) {
  (void)planned(base);
  reach(noon);
  const std::string once = "inputs: [shown]\nstate: {dir: here}\njoin: {credit: every_touch}\n";
  EXPECT_EQ(planned(once, true), "0: minute of 0; ");
  EXPECT_EQ(notice_.substr(0, 63), "inputs was [done, shown], is [shown]; join.credit was last_touc");
  const auto checkpoint = checkpoint_in(store_);
  ASSERT_TRUE(checkpoint && *checkpoint);
  ASSERT_EQ((*checkpoint)->sequencer.partitions.size(), 1U) << "what is no input any more is forgotten";
  EXPECT_EQ((*checkpoint)->sequencer.partitions[0].name, "shown/0");
  EXPECT_EQ((*checkpoint)->sequencer.watermark, minus_infinity);
  EXPECT_EQ((*checkpoint)->rows_to, noon);
  EXPECT_EQ((*checkpoint)->rows, 3U);
  const auto after = content();
  EXPECT_EQ(planned(once, true), "0: minute of 0; ");
  EXPECT_EQ(content(), after) << "without a change of meaning there is nothing to rebuild";
}

TEST_F(AttachPlanning, takes_the_items_of_now_for_all_generations) {
  (void)planned(base + "catalog: {file: items}\n");
  reach(noon);
  catalogs_ = {{"newer", 7}};
  EXPECT_EQ(planned(base + "catalog: {file: newer}\n"), "0: minute of 7; ");
  EXPECT_EQ(planned(base + "catalog: {file: newer}\nname: other\n"), "0: minute of 7; 1: minute of 7; ");
}

TEST_F(AttachPlanning, says_what_it_cannot_load_any_more) {
  (void)planned(base + "catalog: {file: items}\n");
  reach(noon);
  catalogs_.clear();
  EXPECT_NE(planned(base).find("items cannot be read"), std::string::npos);
  EXPECT_EQ(code_, Errc::state_unusable);
  EXPECT_EQ(planned(base, true), "0: minute of 0; ");
}

TEST_F(AttachPlanning, refuses_what_would_not_come_back) {
  EXPECT_NE(planned("inputs: [{topic: shown, types: {\"a\\x7Fb\": click}}]\n").find("cannot be kept"), std::string::npos);
  EXPECT_EQ(code_, Errc::config_invalid);
  EXPECT_TRUE(content().empty());
}

}  // namespace
}  // namespace recmeter
