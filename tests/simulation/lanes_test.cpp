// Lanes: the engine against the batch evaluator on random logs with candidates, and the laws of lanes. A failure prints the
// seed (support/effort.h). docs/semantics.md, section 13.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/result/render.h"
#include "simulation/engine_laws.h"
#include "support/batch_decoder.h"
#include "support/batch_lists.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/random_candidates.h"
#include "support/random_experiment.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/record_writer.h"

namespace recmeter::support {
namespace {

EvaluatorSpec random_lanes(std::uint64_t seed) {
  return with_lanes(with_whole_past(with_whole_window(random_spec(seed), seed), seed), seed);
}

// The hash of a lane's rule is looked at on its own.
std::vector<Row> without_config(std::vector<Row> rows) {
  for (Row& row : rows) row.config.clear();
  return rows;
}

std::string rows_of(std::span<const Row> rows, const std::string& recommender, bool named = true) {
  std::string bytes;
  for (Row row : rows) {
    if (row.segment.front().second != recommender) continue;
    if (!named) row.segment.erase(row.segment.begin());
    bytes += render_json(row) + "\n";
  }
  return bytes;
}

TEST(Lanes, equal_the_batch_evaluator_on_random_logs) {
  for_each_seed(150, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_lanes(seed);
    expect_the_batch_evaluators(seed, spec, random_log(seed, spec), without_config);
  });
}

TEST(Lanes, equal_the_batch_evaluator_where_what_was_done_is_taken_back) {
  for_each_seed(60, 2000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = with_returns(random_lanes(seed), seed);
    expect_the_batch_evaluators(seed, spec, random_log(seed, spec), without_config);
  });
}

TEST(Lanes, give_the_same_bytes_however_a_run_is_cut_and_divided) {
  for_each_seed(30, 600, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_lanes(seed);
    expect_the_same_however_cut_and_divided(seed, spec, orderly_log(seed, spec));
  });
}

// "With `pairs: false` the rows of a lane are the same whichever other lanes are configured", those of what was shown, too.
TEST(Lanes, do_not_depend_on_which_others_there_are) {
  for_each_seed(40, 1000, [](std::uint64_t seed) {
    EvaluatorSpec spec = random_lanes(seed);
    spec.lanes.pairs = false;
    const RandomLog log = orderly_log(seed, spec);
    const EngineResult all = run_engine(spec, log.inputs, {.shards = 2});
    for (const std::string& name : spec.lanes.names) {
      EvaluatorSpec alone = spec;
      alone.lanes.names = {name};
      const EngineResult one = run_engine(alone, log.inputs, {.shards = 3});
      EXPECT_EQ(difference(rows_of(one.rows, name), rows_of(all.rows, name)), "") << "seed " << seed;
      EXPECT_EQ(difference(rows_of(one.rows, "logged"), rows_of(all.rows, "logged")), "") << "seed " << seed;
    }
  });
}

// A recommender that would have shown what was shown.
RandomLog with_copies(const EvaluatorSpec& spec, RandomLog log) {
  std::vector<BatchEvent> events;
  const BatchDecoder decoder(spec, log.inputs.front().fields);
  for (const auto& lines : log.lines) {
    for (const LogLine& line : lines) {
      for (const BatchEvent& event : decoder.decode(line.text).events) events.push_back(event);
    }
  }
  const AcceptedEvents accepted = accept(spec, std::move(events), 1);
  Dice dice(7);
  for (const BatchList& list : accepted.lists) {
    Draft draft;
    BatchEvent& event = draft.event;
    event.kind = BatchEvent::Kind::candidate;
    event.ts = list.ts;
    event.user_id = list.owner.empty() ? *spec.join.key.not_users.begin() : list.owner;
    event.list_id = list.list_id;
    for (const ShownItem& rank : list.ranks) {
      event.items.push_back(accepted.item_ids[*rank.item]);
      if (rank.score) event.scores.push_back(*rank.score);
    }
    RecordWriter writer(spec, log.inputs.front().fields, dice);
    std::string text;
    do {
      text = writer.line(draft);  // which now and then adds what nobody can read
    } while (decoder.decode(text).events.empty());
    log.lines.front().push_back({list.ts, text});
  }
  return shuffled_within_lateness(log, 1);
}

// Without what shows other items under an id that was shown: a candidate cannot say which of them it is, nor when each came.
void keep_whole_lists(const EvaluatorSpec& spec, RandomLog& log) {
  const BatchDecoder decoder(spec, log.inputs.front().fields);
  std::map<std::string, std::vector<std::string>> shown;
  for (auto& lines : log.lines) {
    std::erase_if(lines, [&](const LogLine& line) {
      return std::ranges::any_of(decoder.decode(line.text).events, [&](const BatchEvent& event) {
        if (event.kind == BatchEvent::Kind::feedback) return false;
        const std::vector<std::string>& items = shown.try_emplace(event.list_id, event.items).first->second;
        return event.kind == BatchEvent::Kind::row || items != event.items;
      });
    });
  }
}

// Of whole lists: a candidate says no more, and has no latency.
TEST(Lanes, of_what_was_shown_equal_it_by_the_same_rule) {
  for_each_seed(40, 1000, [](std::uint64_t seed) {
    EvaluatorSpec spec = random_lanes(seed);
    spec.join.key.not_users.insert("anonymous");
    std::erase_if(spec.metrics.requests, [](const MetricRequest& request) {
      return request.name == "latency" || request.options.action == "thumb";
    });
    std::erase_if(spec.join.actions, [](const Action& action) { return action.on_list; });  // of what was shown alone
    const LaneSpec lanes = std::exchange(spec.lanes, {});
    RandomLog log = orderly_log(seed, spec);
    keep_whole_lists(spec, log);
    spec.lanes = lanes;
    spec.lanes.names = {"copy"};
    spec.lanes.logged = LaneSpec::Logged::shadow;
    spec.lanes.pairs = seed % 2 == 0;
    log = with_copies(spec, log);
    const EngineResult result = run_engine(spec, log.inputs, {.shards = 2});
    EXPECT_EQ(difference(rows_of(result.rows, "logged", false), rows_of(result.rows, "copy", false)), "") << "seed " << seed;
    EXPECT_EQ(result.report.lanes.front().counts.feedback, result.report.feedback) << "seed " << seed;
    EXPECT_EQ(result.report.lanes.front().counts.candidates.joined, result.report.lists) << "seed " << seed;
    EXPECT_EQ(result.report.lanes.front().counts.unpaired, 0) << "seed " << seed;
  });
}

// Those of what was shown, which come later: what is in the stead of the last lists is not known at the log's end.
TEST(Lanes, leave_experiments_as_they_are) {
  std::size_t looks = 0;
  for_each_seed(20, 500, [&](std::uint64_t seed) {
    EvaluatorSpec plain = random_lanes(seed);
    LaneSpec lanes = plain.lanes;
    lanes.pairs = false;
    lanes.logged = LaneSpec::Logged::as_logged;
    const RandomLog log = orderly_log(seed, plain);
    plain.lanes = {};
    std::erase_if(plain.metrics.requests,
                  [](const MetricRequest& request) { return request.name == "judged_share" || request.name == "overlap"; });
    plain = with_experiments(plain, seed, log);
    EvaluatorSpec spec = plain;
    spec.lanes = lanes;
    const EngineResult with = run_engine(spec, log.inputs, {.shards = 3});
    const EngineResult without = run_engine(plain, log.inputs, {});
    EXPECT_TRUE(without.experiments.starts_with(with.experiments)) << difference(without.experiments, with.experiments);
    looks += with.looks.size();
  });
  EXPECT_GT(looks, 0U);
}

TEST(Lanes, that_are_not_configured_change_nothing) {
  for_each_seed(40, 1000, [](std::uint64_t seed) {
    EvaluatorSpec spec = random_lanes(seed);
    const RandomLog log = orderly_log(seed, spec);
    spec.lanes = {};
    std::erase_if(spec.metrics.requests,
                  [](const MetricRequest& request) { return request.name == "judged_share" || request.name == "overlap"; });
    RandomLog rest = log;
    std::size_t candidates = 0;
    for (auto& lines : rest.lines) {
      candidates +=
          std::erase_if(lines, [](const LogLine& line) { return line.text.find("\"recommender\":") != std::string::npos; });
    }
    rest = shuffled_within_lateness(rest, 1);
    const EngineResult with = run_engine(spec, log.inputs, {});
    const EngineResult without = run_engine(spec, rest.inputs, {});
    // The time of an ignored record is one of the log: a candidate may be what it ends with.
    if (with.report.final_to == without.report.final_to) {
      EXPECT_EQ(difference(without.bytes, with.bytes), "") << "seed " << seed;
    }
    EXPECT_LE(with.report.events.ignored, without.report.events.ignored + candidates);
    EXPECT_EQ(with.report.events.candidates, 0);
    EXPECT_EQ(with.report.events.impressions, without.report.events.impressions);
    EXPECT_TRUE(with.report.lanes.empty());
  });
}

}  // namespace
}  // namespace recmeter::support
