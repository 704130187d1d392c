#include "scenario/live_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "recmeter/live/attach.h"
#include "recmeter/memory/memory_store.h"
#include "support/engine_run.h"
#include "support/one_thread.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"

namespace recmeter::scenario {

namespace {

struct Published : RowPublisher {
  std::map<std::string, std::string> rows;
  std::uint64_t taken = 0;
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> publish(const NumberedRow& row) override {
    const auto [at, is_new] = rows.try_emplace(row.key, row.value);
    EXPECT_EQ(at->second, row.value) << "a row is repeated as it was";
    taken = row.number + 1;
    return {};
  }
  Result<std::uint64_t> published() override { return taken; }
  [[nodiscard]] std::string position() const override { return {}; }
};

using Topic = std::vector<support::TopicRecord>;

Topic topic_of(const std::vector<support::LogLine>& lines) {
  Topic records;
  EventTime taken = minus_infinity;
  for (const support::LogLine& line : lines) {
    taken = std::max(taken, EventTime{line.ts});
    records.push_back({.value = line.text, .broker_time = taken});
  }
  return records;
}

}  // namespace

std::map<std::string, std::string> live_rows(const Scenario& scenario) {
  memory::MemoryStore store;
  Published publisher;
  Duration lateness{0};
  for (const support::BatchInput& input : scenario.log.inputs) lateness = std::max(lateness, input.allowed_lateness);
  const auto plan = EvaluatorPlan::make(scenario.spec, lateness, false);
  EXPECT_TRUE(plan);
  for (const std::size_t part : {2U, 1U}) {  // the first half of each partition, then all of it
    const auto checkpoint = checkpoint_in(store);
    EXPECT_TRUE(checkpoint);
    std::vector<AttachInput> inputs;
    AttachOptions options;
    for (std::size_t p = 0; p < scenario.log.inputs.size(); ++p) {
      const support::BatchInput& input = scenario.log.inputs[p];
      Topic records = topic_of(scenario.log.lines[p]);
      records.resize(records.size() / part);
      const std::int64_t from = *checkpoint ? (**checkpoint).positions.at(p).next_offset : 0;
      inputs.push_back({.partition = {.source = std::make_unique<support::TopicSource>(
                                          input.name, std::make_shared<const Topic>(std::move(records)), from, false, 1 + p),
                                      .decoder = p,
                                      .lateness = input.allowed_lateness},
                        .idle_after = Duration{1'000'000'000}});
      options.decoders.push_back(support::decoder_of(scenario.spec, input));
    }
    support::ScriptedHost host(100);
    support::OneThread executor;
    const auto report = attach({{.plan = &*plan}}, std::move(inputs), std::move(options), store, executor, publisher, host);
    EXPECT_TRUE(report) << (report ? "" : report.error().context);
  }
  return publisher.rows;
}

}  // namespace recmeter::scenario
