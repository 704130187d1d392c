// Rows of a live run that a replay would have made otherwise say so: a partition came back after it was taken for idle, a
// broker's clock was ahead of the reader's. And only those rows do, also when the run is ended and goes on between.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/live/attach.h"
#include "recmeter/memory/memory_store.h"
#include "support/no_rows.h"
#include "support/one_thread.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"

namespace recmeter {
namespace {

using memory::MemoryStore;
using support::TopicRecord;
using support::TopicRecords;

constexpr std::int64_t zero_ms = 1'700'000'040'000;  // a full minute
constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t horizon_ms = 60'000;

std::string list(std::int64_t ms, std::string_view id) {
  return R"({"type":"impression","ts":)" + std::to_string(zero_ms + ms) + R"(,"user_id":"u)" + std::to_string(ms % 7) +
         R"(","list_id":")" + std::string(id) + R"(","items":["a","b"]})";
}

// A list every second.
TopicRecords lists(std::int64_t from_ms, std::int64_t to_ms, const std::string& kind) {
  auto records = std::make_shared<std::vector<TopicRecord>>();
  for (std::int64_t ms = from_ms; ms < to_ms; ms += 1000) {
    records->push_back({.value = list(ms, kind + std::to_string(ms)), .broker_time = EventTime{zero_ms + ms}});
  }
  return records;
}

// Has nothing until it is let go.
class Waiting : public support::TopicSource {
 public:
  Waiting(std::string name, TopicRecords records, std::int64_t from, const bool& goes_on)
      : TopicSource(std::move(name), std::move(records), from, false, 1), goes_on_(goes_on) {}
  Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override {
    if (goes_on_) return TopicSource::read(bytes, std::move(reuse));
    reuse.bytes.assign(RecordBatch::padding, '\0');
    reuse.records.clear();
    reuse.envelopes.clear();
    reuse.last_record.reset();
    reuse.next_offset = next_offset();
    return reuse;
  }
  [[nodiscard]] bool is_caught_up() const override { return !goes_on_ || TopicSource::is_caught_up(); }

 private:
  const bool& goes_on_;
};

class MarkedRows : public testing::Test {
 protected:
  MarkedRows() {
    spec_.join.horizons = {Duration{horizon_ms}};
    spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec_.join.same_list = Duration{minute_ms};
    spec_.windows = {{.name = "minute", .size = {minute_ms}, .slide = {minute_ms}, .offset = {0}}};
    spec_.metrics.requests = {{.name = "precision"}};
    spec_.metrics.cutoffs = {1};
    decoder_.actions = {"click"};
  }

  struct Topic {
    std::string name;
    TopicRecords records;
    bool waits = false;
  };

  class Host final : public support::ScriptedHost {
   public:
    Host(EventTime clock, bool& goes_on, std::vector<Row>& rows) : ScriptedHost(900, clock), goes_on_(goes_on), rows_(rows) {}
    void wait() override {
      ScriptedHost::wait();
      goes_on_ = waits() > 300;
    }
    void row(const SharedRow& row) override { rows_.push_back(row->row); }

   private:
    bool& goes_on_;
    std::vector<Row>& rows_;
  };

  // Goes on from the state; partitions that wait begin after 300 rounds without anything.
  Report run(const std::vector<Topic>& topics, EventTime clock) {
    const auto plan = EvaluatorPlan::make(spec_, Duration{1000}, false);
    const auto checkpoint = checkpoint_in(store_);
    EXPECT_TRUE(plan && checkpoint);
    bool goes_on = false;
    std::vector<AttachInput> inputs;
    for (std::size_t p = 0; p < topics.size(); ++p) {
      const std::int64_t from = *checkpoint ? (*checkpoint)->positions.at(p).next_offset : 0;
      auto source = topics[p].waits
                        ? std::make_unique<Waiting>(topics[p].name, topics[p].records, from, goes_on)
                        : std::make_unique<support::TopicSource>(topics[p].name, topics[p].records, from, false, 1);
      inputs.push_back({.partition = {.source = std::move(source), .decoder = p, .lateness = Duration{1000}},
                        .idle_after = Duration{100}});
    }
    AttachOptions options;
    options.decoders = std::vector(topics.size(), decoder_);
    options.checkpoint_every = Duration{10};
    Host host(clock, goes_on, rows_);
    support::OneThread executor;
    support::NoRows publisher;
    auto report = attach({{.plan = &*plan}}, std::move(inputs), std::move(options), store_, executor, publisher, host);
    EXPECT_TRUE(report);
    return std::move(*report);
  }

  // The minutes, counted from zero_ms, whose final rows carry `reason`, and those that do not.
  [[nodiscard]] std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> minutes_by(const std::string& reason) const {
    std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> minutes;
    for (const Row& row : rows_) {
      const bool has = std::find(row.incomplete.begin(), row.incomplete.end(), reason) != row.incomplete.end();
      (has ? minutes.first : minutes.second).push_back((row.start.ms - zero_ms) / minute_ms);
    }
    return minutes;
  }

  EvaluatorSpec spec_;
  DecoderOptions decoder_;
  MemoryStore store_;
  std::vector<Row> rows_;
};

using Minutes = std::vector<std::int64_t>;

// `b` has nothing when `a` is read to 9:59, so W is 9:58 and minutes 0 to 7 are final. Then `b` gives lists from 8:30 to
// 9:20, all of them late; `a` goes on in another run.
TEST_F(MarkedRows, say_that_a_partition_came_back_from_idleness) {
  const Topic b{"b", lists(8 * minute_ms + 30'000, 9 * minute_ms + 20'000, "b"), true};
  const Report first = run({{"a", lists(0, 10 * minute_ms, "a")}, b}, event_time_end);
  EXPECT_EQ(first.events.late, 50U);
  EXPECT_EQ(first.events.late_after_idle, 50U);
  const Report report = run({{"a", lists(0, 20 * minute_ms, "a")}, {"b", b.records}}, event_time_end);
  EXPECT_EQ(report.events.late_after_idle, 50U);
  const auto [marked, others] = minutes_by("late_after_idle");
  // A list may touch two minutes after it, twice same_list, and its feedback within a minute the two before, of which 7 was
  // final already.
  EXPECT_EQ(marked, (Minutes{8, 9, 10, 11}));
  EXPECT_EQ(others, (Minutes{0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17}));
}

TEST_F(MarkedRows, say_that_a_brokers_clock_was_ahead) {
  spec_.time.max_future_skew = Duration{0};
  // The reader's clock stands at 5:00 while brokers write 5:10, and runs on a second a list.
  auto records = std::make_shared<std::vector<TopicRecord>>(*lists(0, 5 * minute_ms, "a"));
  records->push_back({.value = list(310'000, "x"), .broker_time = EventTime{zero_ms + 310'000}});
  const Report first = run({{"a", records}}, EventTime{zero_ms + 5 * minute_ms});
  EXPECT_EQ(first.events.future_by_clock, 1U);
  const TopicRecords later = lists(5 * minute_ms, 12 * minute_ms, "a");
  records->insert(records->end(), later->begin(), later->end());
  const Report report = run({{"a", records}}, event_time_end);
  EXPECT_EQ(report.events.future, 1U);
  EXPECT_EQ(report.events.future_by_clock, 1U);
  const auto [marked, others] = minutes_by("future_by_clock");
  EXPECT_EQ(marked, (Minutes{4, 5, 6, 7}));
  EXPECT_EQ(others, (Minutes{0, 1, 2, 3, 8, 9}));
}

}  // namespace
}  // namespace recmeter
