#include "support/engine_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/result/render.h"
#include "support/memory_source.h"

namespace recmeter::support {

namespace {

class TestExecutor : public Executor {
 public:
  explicit TestExecutor(const EngineVariant& variant) : variant_(variant) {}
  void run(std::span<const std::function<void()>> tasks) override {
    if (variant_.threads == 1) {
      for (std::size_t i = 0; i < tasks.size(); ++i) tasks[variant_.reverse_tasks ? tasks.size() - 1 - i : i]();
      return;
    }
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < variant_.threads; ++t) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) tasks[i]();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  [[nodiscard]] std::size_t threads() const override { return variant_.threads; }

 private:
  EngineVariant variant_;
};

class CollectingSink : public RowSink {
 public:
  explicit CollectingSink(EngineResult& result) : result_(result) {}
  Result<void> write(const Row& row) override {
    result_.rows.push_back(row);
    result_.bytes += render_json(row) + "\n";
    return {};
  }

 private:
  EngineResult& result_;
};

}  // namespace

EngineResult run_engine(const EvaluatorSpec& spec, std::span<const BatchInput> inputs, const EngineVariant& variant) {
  EngineResult result;
  Duration lateness{0};
  for (const BatchInput& input : inputs) lateness = std::max(lateness, input.allowed_lateness);
  auto plan = EvaluatorPlan::make(spec, lateness, variant.lists, true);
  if (!plan) {
    ADD_FAILURE() << plan.error().context;
    return result;
  }
  ReplayOptions options{.decoders = {},
                        .shards = variant.shards,
                        .block_bytes = variant.block_bytes,
                        .open_max = variant.open_max,
                        .range = {},
                        .progress = {},
                        .scored_lists = {}};
  std::vector<PartitionInput> sources;
  for (const BatchInput& input : inputs) {
    options.decoders.push_back({.fields = input.fields,
                                .key = spec.join.key,
                                .actions = plan->actions,
                                .list_items_max = spec.limits.list_items,
                                .id_bytes_max = spec.limits.id_bytes,
                                .segment_bytes_max = spec.limits.segment_bytes,
                                .message_bytes_max = spec.limits.message_bytes});
    sources.push_back({.source = std::make_unique<MemorySource>(input.name, input.bytes, input.is_cut_at_start),
                       .decoder = sources.size(),
                       .lateness = input.allowed_lateness});
  }
  options.scored_lists = [&](const ScoredLine& line) -> Result<void> {
    result.lists += line.json + "\n";
    return {};
  };
  std::map<std::string, ExperimentJudge> judges;
  for (const PlannedExperiment& experiment : plan->experiments) {
    judges.try_emplace(experiment.spec->name, experiment, spec.name, spec.config_hash);
  }
  options.looks = [&](const ExperimentLook& look) -> Result<void> {
    const std::string& name = look.experiment->spec->name;
    result.experiments += render_json(judges.at(name).judge(look)) + "\n";
    result.looks.push_back({name, look});
    result.looks.back().look.experiment = nullptr;
    return {};
  };
  TestExecutor executor(variant);
  CollectingSink sink(result);
  Replay replay(*plan, std::move(sources), std::move(options), executor, sink);
  auto report = replay.run();
  if (!report) {
    ADD_FAILURE() << report.error().context;
    return result;
  }
  result.report = std::move(*report);
  return result;
}

}  // namespace recmeter::support
