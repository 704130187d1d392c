// A live run that is killed again and again delivers a dead letter of every record that is invalid, future or late, as asked
// for, at least once, and of no other; a file of them has each once and no half lines.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "recmeter/base/fail_point.h"
#include "recmeter/file/letter_file.h"
#include "recmeter/live/attach.h"
#include "recmeter/memory/memory_store.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/letter_text.h"
#include "support/memory_letters.h"
#include "support/no_rows.h"
#include "support/one_thread.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"
#include "unit/file/scratch.h"

namespace recmeter {
namespace {

using support::Dice;
using support::NoRows;
using support::OneThread;
using support::TopicRecord;
using support::TopicRecords;
using support::TopicSource;

struct Topic {
  std::string name;
  TopicRecords records;
  DecoderOptions decoder;
  Duration lateness;
};

struct Case {
  EvaluatorSpec spec;
  std::vector<Topic> topics;
  Duration lateness_max;
  LetterFates fates;
};

Case random_case(std::uint64_t seed) {
  Case out{.spec = support::random_spec(seed), .topics = {}, .lateness_max = {}, .fates = {}};
  out.spec.time.max_future_skew = Duration{60'000};
  out.fates = {.invalid = seed % 8 != 7, .future = seed % 8 != 6, .late = seed % 2 == 1};
  const support::RandomLog log = support::random_log(seed, out.spec);
  for (std::size_t p = 0; p < log.inputs.size(); ++p) {
    auto records = std::make_shared<std::vector<TopicRecord>>();
    EventTime taken = minus_infinity;
    for (const support::LogLine& line : log.lines[p]) {
      if (line.ts < 2'000'000'000'000) taken = std::max(taken, EventTime{line.ts});
      records->push_back({.value = line.text,
                          .broker_time = taken == minus_infinity ? EventTime{line.ts} : taken,
                          .key = std::to_string(records->size())});
    }
    DecoderOptions decoder = support::decoder_of(out.spec, log.inputs[p]);
    const Duration lateness = log.inputs[p].allowed_lateness;
    out.topics.push_back({"log/" + std::to_string(p), std::move(records), std::move(decoder), lateness});
    out.lateness_max = std::max(out.lateness_max, lateness);
  }
  return out;
}

// By partition and offset, the reason.
using Reasons = std::map<std::pair<std::int32_t, std::int64_t>, std::string>;

// What a partition says of its records on its own, one record at a time.
Reasons expected_letters(const Case& c) {
  struct FirstFate : FateSink {
    std::optional<Fate> fate;
    void decided(const PlacedBatch& /*batch*/, std::uint32_t /*event*/, Fate decided) override {
      if (!fate) fate = decided;
    }
  };
  Reasons reasons;
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    const Topic& topic = c.topics[p];
    PartitionClock clock(topic.lateness, c.spec.time);
    const auto decoder = make_decoder(topic.decoder);
    for (std::size_t offset = 0; offset < topic.records->size(); ++offset) {
      const TopicRecord& record = (*topic.records)[offset];
      RecordBatch one;
      one.records.push_back({.offset = 0, .size = record.value.size(), .broker_time = record.broker_time});
      one.bytes.assign(record.value.begin(), record.value.end());
      one.bytes.resize(one.bytes.size() + RecordBatch::padding, '\0');
      const auto events = std::make_shared<const EventBatch>(decoder->decode(one));
      FirstFate sink;
      clock.read({events, 0}, minus_infinity, sink);
      const Fate fate = sink.fate.value_or(Fate::ignored);
      const bool is_dead = (fate == Fate::invalid && c.fates.invalid) || (fate == Fate::future && c.fates.future) ||
                           (fate == Fate::late && c.fates.late);
      if (!is_dead) continue;
      const std::string_view reason = fate == Fate::invalid ? to_string(events->events()[0].reason) : to_string(fate);
      reasons[{static_cast<std::int32_t>(p), static_cast<std::int64_t>(offset)}] = reason;
    }
  }
  return reasons;
}

struct Killed {};

// Letters are obstructed now and then, and a disk has no room, in the first half of the time.
class Host final : public support::ScriptedHost {
 public:
  Host(Dice& dice, bool& is_obstructed) : ScriptedHost(300), dice_(dice), is_obstructed_(is_obstructed) {}
  void wait() override {
    fail_point("wait");
    is_obstructed_ = waits() < 150 && dice_.percent(20);
    ScriptedHost::wait();
  }
  bool has_room() override { return waits() >= 150 || !dice_.percent(10); }

 private:
  Dice& dice_;
  bool& is_obstructed_;
};

// Runs, and kills the run at the point whose number comes up. Whether it has ended by itself.
bool attached(const Case& c, const EvaluatorPlan& plan, StateStore& store, DeadLetters& letters, bool& is_obstructed,
              Dice& dice, std::size_t points_left) {
  const auto checkpoint = checkpoint_in(store);
  EXPECT_TRUE(checkpoint);
  std::vector<AttachInput> inputs;
  AttachOptions options;
  for (std::size_t p = 0; p < c.topics.size(); ++p) {
    const Topic& topic = c.topics[p];
    std::int64_t from = 0;
    for (std::size_t k = 0; *checkpoint && k < (*checkpoint)->positions.size(); ++k) {
      if ((*checkpoint)->sequencer.partitions[k].name == topic.name) from = (*checkpoint)->positions[k].next_offset;
    }
    auto source = std::make_unique<TopicSource>(topic.name, topic.records, from, false, dice.below(1'000'000));
    inputs.push_back({.partition = {.source = std::move(source), .decoder = p, .lateness = topic.lateness},
                      .idle_after = Duration{1'000'000'000}});
    options.decoders.push_back(topic.decoder);
  }
  const auto pass = [&](std::string_view) {
    if (points_left-- == 0) throw Killed();
  };
  options.shards = 1 + dice.below(3);
  options.align = Duration{dice.pick<std::int64_t>({0, 1000, 300'000})};
  options.checkpoint_every = Duration{dice.pick<std::int64_t>({0, 3, 20})};
  options.dead_letters = &letters;
  options.letter_fates = c.fates;
  const FailPointListener listener(pass);
  Host host(dice, is_obstructed);
  OneThread executor;
  NoRows publisher;
  try {
    EXPECT_TRUE(attach({{.plan = &plan}}, std::move(inputs), std::move(options), store, executor, publisher, host));
    return true;
  } catch (const Killed&) {
    return false;
  }
}

struct Tally {
  std::uint64_t seeds = 0;
  std::uint64_t letters = 0;
  std::uint64_t kills = 0;
  std::uint64_t repeated = 0;
  std::set<std::string> reasons;
};

// What has been received, over all runs, is what should have been; `at_most_once` too.
void compare(const Case& c, const std::vector<DeadLetter>& received, bool at_most_once, Tally& tally) {
  Reasons actual;
  for (const DeadLetter& letter : received) {
    const auto [at, is_new] = actual.try_emplace({letter.partition, letter.offset}, letter.reason);
    ASSERT_TRUE(is_new || !at_most_once) << "offset " << letter.offset;
    ASSERT_EQ(at->second, letter.reason);
    tally.repeated += is_new ? 0 : 1;
    tally.reasons.insert(letter.reason);
    const TopicRecord& record =
        (*c.topics[static_cast<std::size_t>(letter.partition)].records)[static_cast<std::size_t>(letter.offset)];
    ASSERT_EQ(letter.topic, "log");
    ASSERT_EQ(letter.value, record.value);
    ASSERT_EQ(letter.key, record.key);
    ASSERT_EQ(letter.timestamp, record.broker_time);
  }
  ASSERT_EQ(actual, expected_letters(c));
  tally.letters += actual.size();
}

std::size_t points_of_life(std::size_t life, Dice& dice) {
  return life < 20 ? dice.below(120) : 1'000'000;
}

void check_topic(std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const Case c = random_case(seed);
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  Dice dice(seed);
  memory::MemoryStore store;
  support::DeliveredLetters place;
  bool has_ended = false;
  for (std::size_t life = 0; !has_ended; ++life) {
    // The last life has to come to its end: there may be hundreds of letters left.
    support::MemoryLetters letters(place, dice.below(1'000'000), life < 20 ? 30 : 90);
    has_ended = attached(c, *plan, store, letters, place.is_obstructed, dice, points_of_life(life, dice));
    tally.kills += has_ended ? 0U : 1U;
  }
  compare(c, place.letters, false, tally);
  ++tally.seeds;
}

// A killed run may leave the beginning of a line behind.
void check_file(std::uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const Case c = random_case(seed);
  const auto plan = EvaluatorPlan::make(c.spec, c.lateness_max, false);
  ASSERT_TRUE(plan);
  Dice dice(seed);
  const test::Scratch scratch;
  memory::MemoryStore store;
  bool has_ended = false;
  for (std::size_t life = 0; !has_ended; ++life) {
    bool is_obstructed = false;
    const auto letters = file::letter_file(scratch.path("letters"));
    has_ended = attached(c, *plan, store, *letters, is_obstructed, dice, points_of_life(life, dice));
    tally.kills += has_ended ? 0U : 1U;
    if (!has_ended) std::ofstream(scratch.path("letters"), std::ios::app) << R"({"schema":"recm)";
  }
  std::vector<DeadLetter> received;
  std::istringstream lines(scratch.get("letters"));
  for (std::string line; std::getline(lines, line);) received.push_back(support::letter_from(line));
  compare(c, received, true, tally);
  ++tally.seeds;
}

TEST(DeadLetters, reach_a_topic_at_least_once_however_often_the_run_is_killed) {
  Tally tally;
  support::for_each_seed(25, 2'000, [&](std::uint64_t seed) { check_topic(seed, tally); });
  EXPECT_GT(tally.letters, 2 * tally.seeds);
  EXPECT_GT(tally.kills, 3 * tally.seeds);
  if (tally.seeds > 20) {
    EXPECT_GT(tally.repeated, 0U) << "no kill between delivering and knowing it";
    EXPECT_TRUE(tally.reasons.contains("future"));
    EXPECT_TRUE(tally.reasons.contains("late"));
    EXPECT_GT(tally.reasons.size(), 8U);
  }
}

TEST(DeadLetters, are_in_a_file_once_each_however_often_the_run_is_killed) {
  Tally tally;
  support::for_each_seed(20, 1'000, [&](std::uint64_t seed) { check_file(seed, tally); });
  EXPECT_GT(tally.letters, 2 * tally.seeds);
  EXPECT_GT(tally.kills, 3 * tally.seeds);
}

}  // namespace
}  // namespace recmeter
