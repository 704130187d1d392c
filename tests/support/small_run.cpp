#include "support/small_run.h"

#include <gtest/gtest.h>

#include "recmeter/base/check.h"
#include "support/one_thread.h"
#include "support/scripted_host.h"

namespace recmeter::support {

namespace {

constexpr std::int64_t zero_ms = 1'700'000'040'000;  // a full minute
constexpr std::int64_t step_ms = 2'000;

class Seeing : public RowPublisher {
 public:
  explicit Seeing(SeenRows& seen) : seen_(seen) {}
  Result<void> go_on_from(std::string_view position) override {
    for (const char digit : position) known_ = 10 * known_ + static_cast<std::uint64_t>(digit - '0');
    return {};
  }
  Result<void> publish(const NumberedRow& row) override {
    const auto [at, is_new] = seen_.rows.try_emplace(row.number, row.value);
    EXPECT_EQ(at->second, row.value) << "row " << row.number << " is published again with other bytes";
    taken_ = row.number + 1;
    return {};
  }
  Result<std::uint64_t> published() override {
    known_ = std::max(known_, taken_);
    return known_;
  }
  std::string position() const override { return std::to_string(known_); }

 private:
  SeenRows& seen_;
  std::uint64_t taken_ = 0;
  std::uint64_t known_ = 0;
};

std::string line(std::int64_t n) {
  const std::string head =
      R"(","ts":)" + std::to_string(zero_ms + n * step_ms) + R"(,"user_id":"u)" + std::to_string(n % 7) + '"';
  if (n % 50 == 49) return "no record";
  if (n % 3 != 2) {
    return R"({"type":"impression)" + head + R"(,"list_id":"l)" + std::to_string(n) + R"(","items":["a)" +
           std::to_string(n % 5) + R"(","b","c)" + std::to_string(n % 4) + R"("],"segments":{"variant":")" +
           (n % 2 == 0 ? "A" : "B") + R"("}})";
  }
  return R"({"type":"click)" + head + R"(,"item_id":"b"})";
}

}  // namespace

SmallRun::SmallRun() {
  spec_.join.horizons = {Duration{60'000}};
  spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec_.join.same_list = Duration{60'000};
  spec_.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
  spec_.segments = {{.keys = {"variant"}, .keep = {}}};
  spec_.metrics.requests = {{.name = "precision"}, {.name = "mrr"}};
  spec_.metrics.cutoffs = {1, 3};
  spec_.config_hash = "0123456789abcdef";
  decoder_.actions = {"click"};
  auto records = std::make_shared<std::vector<TopicRecord>>();
  for (std::int64_t n = 0; n < 300; ++n)
    records->push_back({.value = line(n), .broker_time = EventTime{zero_ms + n * step_ms}});
  records_ = std::move(records);
}

void SmallRun::go_on(StateStore& store, std::size_t end, SeenRows& seen) const {
  const auto plan = EvaluatorPlan::make(spec_, Duration{10'000}, false);
  RECMETER_CHECK(plan.has_value(), "the small run can be planned");
  const auto checkpoint = checkpoint_in(store);
  RECMETER_CHECK(checkpoint.has_value(), "the state is sound");
  const std::int64_t from = *checkpoint ? (*checkpoint)->positions.at(0).next_offset : 0;
  const auto part =
      std::make_shared<std::vector<TopicRecord>>(records_->begin(), records_->begin() + static_cast<std::ptrdiff_t>(end));
  std::vector<AttachInput> inputs;
  inputs.push_back({.partition = {.source = std::make_unique<TopicSource>("log/0", part, from, false, 1),
                                  .decoder = 0,
                                  .lateness = Duration{10'000}},
                    .idle_after = Duration{1'000'000'000}});
  ScriptedHost host(200);  // everything has been read long since
  AttachOptions options;
  options.decoders = {decoder_};
  options.checkpoint_every = Duration{1'000'000'000};
  OneThread executor;
  Seeing publisher(seen);
  EXPECT_TRUE(attach({{.plan = &*plan}}, std::move(inputs), std::move(options), store, executor, publisher, host));
}

}  // namespace recmeter::support
