// A live run that is behind: what it holds between two checkpoints is bounded, however much event time it reads at once, and
// its rows are those of a replay.
#include <gtest/gtest.h>

#include <limits>

#include "recmeter/evaluation/replay.h"
#include "recmeter/live/attach.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "support/one_thread.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"

namespace recmeter {
namespace {

using support::OneThread;
using support::TopicRecord;
using support::TopicSource;

constexpr std::int64_t zero_ms = 1'700'000'040'000;
constexpr std::int64_t minute_ms = 60'000;
constexpr std::size_t bound = 100'000;

EvaluatorSpec rolling_hours() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{10 * minute_ms}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "hour", .size = {60 * minute_ms}, .slide = {minute_ms}, .offset = {0}}};
  spec.metrics.requests = {{.name = "precision"}, {.name = "mrr"}};
  spec.metrics.cutoffs = {1, 3};
  return spec;
}

// A list every `every` minutes, with `silence` of them in the middle, and then one that makes all windows final.
support::TopicRecords lists(std::int64_t every, std::int64_t silence = 0) {
  auto records = std::make_shared<std::vector<TopicRecord>>();
  for (std::int64_t n = 0; n <= 200; ++n) {
    const std::int64_t ts =
        zero_ms + (n < 100 ? n * every : silence + (n < 200 ? n * every : 200 * every + 1000)) * minute_ms;
    records->push_back({.value = R"({"type":"impression","ts":)" + std::to_string(ts) + R"(,"user_id":"u)" +
                                 std::to_string(n % 7) + R"(","list_id":"l)" + std::to_string(n) + R"(","items":["a","b"]})",
                        .broker_time = EventTime{ts}});
  }
  return records;
}

struct Rows : RowSink {
  std::vector<std::string> rows;
  Result<void> write(const Row& row) override {
    if (row.stage == Stage::final) rows.push_back(render_json(row));
    return {};
  }
};

struct Taken : RowPublisher {
  std::vector<std::string> rows;
  bool takes = true;
  [[nodiscard]] bool is_full() const override { return !takes; }
  [[nodiscard]] std::string trouble() override { return takes ? "" : "there is no topic"; }
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> publish(const NumberedRow& row) override {
    rows.push_back(row.value);
    return {};
  }
  Result<std::uint64_t> published() override { return rows.size(); }
  std::string position() const override { return {}; }
};

// Knows the largest batch.
struct Weighed : StateStore {
  memory::MemoryStore store;
  std::size_t largest = 0;
  Result<void> write(const StateBatch& batch, Durability durability) override {
    std::size_t bytes = 0;
    for (const StateBatch::Change& change : batch.changes()) bytes += change.key.size() + change.value.size();
    largest = std::max(largest, bytes);
    return store.write(batch, durability);
  }
  Result<std::optional<std::string>> get(std::string_view key) const override { return store.get(key); }
  Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    return store.scan(from, to, visit);
  }
};

class Host final : public support::ScriptedHost {
 public:
  explicit Host(std::vector<Notice>& told) : ScriptedHost(200), told_(told) {}
  void tell(Notice notice, std::string_view /*message*/) override { told_.push_back(notice); }

 private:
  std::vector<Notice>& told_;
};

// Goes on where the run before has ended, until there is nothing to do any more; a reader's clock says that no checkpoint is
// due.
struct Life {
  const EvaluatorPlan& plan;
  const support::TopicRecords& records;
  const DecoderOptions& decoder;
  StateStore& store;
  Taken publisher = {};
  std::uint64_t rows_waiting_max = 1'000'000;
  std::vector<Notice> told = {};

  Report run() {
    const auto checkpoint = checkpoint_in(store);
    EXPECT_TRUE(checkpoint);
    std::vector<AttachInput> inputs;
    inputs.push_back(
        {.partition = {.source = std::make_unique<TopicSource>(
                           "log/0", records, *checkpoint ? (**checkpoint).positions.at(0).next_offset : 0, false, 1),
                       .lateness = {}},
         .idle_after = Duration{1'000'000'000}});
    AttachOptions options;
    options.decoders = {decoder};
    options.unkept_bytes_max = bound;
    options.rows_waiting_max = rows_waiting_max;
    options.checkpoint_every = Duration{1'000'000'000};
    Host host(told);
    OneThread executor;
    auto report = attach({{.plan = &plan}}, std::move(inputs), std::move(options), store, executor, publisher, host);
    EXPECT_TRUE(report);
    return std::move(*report);
  }
};

std::vector<std::string> replayed(const EvaluatorPlan& plan, const support::TopicRecords& records,
                                  const DecoderOptions& decoder) {
  std::vector<PartitionInput> inputs;
  inputs.push_back({.source = std::make_unique<TopicSource>("log/0", records, 0, true, 1), .lateness = {}});
  OneThread executor;
  Rows rows;
  EXPECT_TRUE(Replay(plan, std::move(inputs), {.decoders = {decoder}, .range = {}, .progress = {}, .scored_lists = {}},
                     executor, rows)
                  .run());
  return rows.rows;
}

TEST(Attach, keeps_rows_in_small_portions_however_much_time_it_reads_at_once) {
  const EvaluatorSpec spec = rolling_hours();
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  ASSERT_TRUE(plan);
  DecoderOptions decoder;
  decoder.actions = {"click"};
  for (const auto& [every, silence] : {std::pair(1, 0), {60, 0}, {3000, 0}, {1, 24 * 60}}) {
    SCOPED_TRACE(testing::Message() << every << " " << silence);
    const auto records = lists(every, silence);
    Weighed store;
    const auto expected = replayed(*plan, records, decoder);
    EXPECT_GT(expected.size(), every == 1 ? 200U : 10'000U);
    Life life{*plan, records, decoder, store};
    life.run();
    EXPECT_EQ(life.publisher.rows, expected);
    EXPECT_LT(store.largest, 2 * bound);
  }
}

TEST(Attach, evaluates_while_rows_cannot_be_published_and_reads_no_more_at_the_bound) {
  const EvaluatorSpec spec = rolling_hours();
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  ASSERT_TRUE(plan);
  DecoderOptions decoder;
  decoder.actions = {"click"};
  const auto records = lists(60);
  const auto expected = replayed(*plan, records, decoder);
  memory::MemoryStore store;
  Life blocked{*plan, records, decoder, store};
  blocked.publisher.takes = false;
  blocked.rows_waiting_max = 300;
  const Report report = blocked.run();
  EXPECT_TRUE(blocked.publisher.rows.empty());
  EXPECT_EQ(blocked.told, (std::vector<Notice>{Notice::rows_waiting}));
  EXPECT_GE(report.rows_final, 300U);
  EXPECT_LT(report.events.read, records->size());
  Life free{*plan, records, decoder, store};
  free.run();
  EXPECT_EQ(free.publisher.rows, expected);
}

}  // namespace
}  // namespace recmeter
