#include "support/engine_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/merge_partials.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/evaluation/stamp_writer.h"
#include "recmeter/evaluation/stamped_replay.h"
#include "recmeter/result/render.h"
#include "support/memory_source.h"
#include "support/records_source.h"

namespace recmeter::support {

DecoderOptions decoder_of(const EvaluatorSpec& spec, const BatchInput& input) {
  return decoder_options(spec, input.fields);
}

namespace {

const std::atomic<bool> not_stopped = false;
const std::atomic<bool> was_stopped = true;

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

// `result` outlives what is returned.
std::function<Result<void>(const ExperimentLook&)> collecting_looks(const EvaluatorPlan& plan, EngineResult& result) {
  std::map<std::string, ExperimentJudge> judges;
  for (const PlannedExperiment& experiment : plan.experiments) {
    judges.try_emplace(experiment.spec->name, experiment, plan.spec->name, plan.spec->config_hash);
  }
  return [judges = std::move(judges), &result](const ExperimentLook& look) mutable -> Result<void> {
    const std::string& name = look.experiment->spec->name;
    result.experiments += render_json(judges.at(name).judge(look)) + "\n";
    result.looks.push_back({name, look});
    result.looks.back().look.experiment = nullptr;
    return {};
  };
}

Duration lateness_of(std::span<const BatchInput> inputs) {
  Duration lateness{0};
  for (const BatchInput& input : inputs) lateness = std::max(lateness, input.allowed_lateness);
  return lateness;
}

// `part`, with where its sums go; null: all of the log, to rows.
void run(const EvaluatorPlan& plan, std::span<const BatchInput> inputs, const EngineVariant& variant, EngineResult& result,
         Part part = {}, SealedSink* sealed = nullptr, decltype(ReplayOptions::accepted) accepted = {},
         std::optional<PartitionShare> share = {}) {
  const EvaluatorSpec& spec = *plan.spec;
  ReplayOptions options{.decoders = {},
                        .shards = variant.shards,
                        .block_bytes = variant.block_bytes,
                        .open_max = variant.open_max,
                        .range = {},
                        .progress = {},
                        .scored_lists = {},
                        .part = part,
                        .sealed = sealed,
                        .share = std::move(share),
                        .accepted = std::move(accepted)};
  std::vector<PartitionInput> sources;
  for (const BatchInput& input : inputs) {
    options.decoders.push_back(decoder_of(spec, input));
    sources.push_back({.source = std::make_unique<MemorySource>(input.name, input.bytes, input.is_cut_at_start),
                       .decoder = sources.size(),
                       .lateness = input.allowed_lateness});
  }
  options.scored_lists = [&](const ScoredLine& line) -> Result<void> {
    result.lists += line.json + "\n";
    return {};
  };
  options.looks = collecting_looks(plan, result);
  TestExecutor executor(variant);
  CollectingSink sink(result);
  Replay replay(plan, std::move(sources), std::move(options), executor, sink);
  auto report = replay.run();
  if (!report) {
    ADD_FAILURE() << report.error().context;
    return;
  }
  result.report = std::move(*report);
}

std::vector<PartialReader> readers_of(std::span<const std::string> partials) {
  std::vector<PartialReader> readers;
  for (const std::string& bytes : partials) {
    auto reader = PartialReader::open("partial", bytes);
    if (reader) {
      readers.push_back(std::move(*reader));
    } else {
      ADD_FAILURE() << reader.error().context;
    }
  }
  return readers;
}

PartialHeader header_of(const EvaluatorSpec& spec, Part part) {
  return {.count = part.count,
          .parts = {part.index},
          .range = {},
          .version = "test",
          .config_hash = spec.config_hash,
          .configuration = {}};
}

Result<void> append(std::string& to, std::string_view bytes) {
  to += bytes;
  return {};
}

}  // namespace

EngineResult run_engine(const EvaluatorSpec& spec, std::span<const BatchInput> inputs, const EngineVariant& variant) {
  EngineResult result;
  auto plan = EvaluatorPlan::make(spec, lateness_of(inputs), variant.lists, true);
  if (plan) {
    run(*plan, inputs, variant, result);
  } else {
    ADD_FAILURE() << plan.error().context;
  }
  return result;
}

bool can_be_parted(const EvaluatorSpec& spec) {
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  return plan && !plan->metrics.needs(ListPart::popularity);
}

std::string run_part(const EvaluatorSpec& spec, std::span<const BatchInput> inputs, const EngineVariant& variant, Part part) {
  const auto plan = EvaluatorPlan::make(spec, lateness_of(inputs), false, true).value();
  std::string bytes;
  PartialWriter writer(plan, [&](std::string_view more) { return append(bytes, more); });
  EXPECT_TRUE(writer.begin(header_of(spec, part)));
  EngineResult no_rows;
  run(plan, inputs, variant, no_rows, part, &writer);
  EXPECT_TRUE(no_rows.rows.empty());
  return bytes;
}

std::string run_share(const EvaluatorSpec& spec, std::span<const BatchInput> whole, const EngineVariant& variant, Part part,
                      std::span<const std::uint32_t> part_of, std::uint64_t ends) {
  const auto plan = EvaluatorPlan::make(spec, lateness_of(whole), false, true).value();
  std::vector<BatchInput> inputs;
  PartitionShare share{.part = part.index, .places = {}};
  for (std::size_t p = 0; p < whole.size(); ++p) {
    if (part_of[p] != part.index) continue;
    inputs.push_back(whole[p]);
    share.places.push_back(p + 1);
  }
  std::string bytes;
  PartialWriter writer(plan, [&](std::string_view more) { return append(bytes, more); });
  PartialHeader header = header_of(spec, part);
  header.ends = ends;
  EXPECT_TRUE(writer.begin(header));
  EngineResult no_rows;
  run(plan, inputs, variant, no_rows, {}, &writer, {}, std::move(share));
  EXPECT_TRUE(no_rows.rows.empty());
  return bytes;
}

std::vector<std::string> stamp(const EvaluatorSpec& spec, std::span<const BatchInput> inputs, const EngineVariant& variant,
                               std::optional<Part> share, std::optional<std::uint64_t> ends) {
  const auto plan = EvaluatorPlan::make(spec, lateness_of(inputs), false).value();
  std::vector<BatchInput> chosen;
  StampedShare stamped{.partitions = {}, .of = share ? inputs.size() : 0};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (share && i % share->count != share->index) continue;
    chosen.push_back(inputs[i]);
    if (share) stamped.partitions.push_back({.name = inputs[i].name, .place = i + 1});
  }
  if (!share) {
    std::ranges::sort(chosen, {}, &BatchInput::name);
    for (const BatchInput& input : chosen) stamped.partitions.push_back({.name = input.name});
  }
  std::string bytes;
  PartialHeader header = header_of(spec, {});
  header.ends = ends;
  StampWriter writer(header, stamped, [&](std::string_view more) { return append(bytes, more); }, variant.block_bytes);
  EngineResult no_rows;
  run(plan, chosen, variant, no_rows, {}, &writer, [&](const auto& routed) { return writer.accept(routed); });
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\n', at) + 1) {
    lines.push_back(bytes.substr(at, bytes.find('\n', at) - at));
  }
  return lines;
}

Result<std::string> run_stamped(const EvaluatorSpec& spec, const std::vector<std::string>& lines,
                                const EngineVariant& variant, Part part) {
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false, true).value();
  StampedLog log(header_of(spec, part));
  std::vector<std::string> of_part;
  std::string record;
  for (const std::string& line : lines) {
    const auto is_of_part = log.read(line, record);
    if (!is_of_part) return tl::unexpected(is_of_part.error());
    if (*is_of_part) of_part.push_back(record);
  }
  if (auto finished = log.finish(); !finished) return tl::unexpected(std::move(finished).error());
  std::ranges::stable_sort(of_part, {}, &StampedLog::time_of);
  std::string bytes;
  PartialWriter writer(plan, [&](std::string_view more) { return append(bytes, more); });
  if (auto begun = writer.begin(header_of(spec, part)); !begun) return tl::unexpected(std::move(begun).error());
  TestExecutor executor(variant);
  auto lists = StampedReplay(plan, log, std::make_unique<RecordsSource>(std::move(of_part)),
                             {.shards = variant.shards, .range = {}, .block_bytes = variant.block_bytes}, executor, writer)
                   .run();
  if (!lists) return tl::unexpected(std::move(lists).error());
  return bytes;
}

std::string merge_to_partial(const EvaluatorSpec& spec, std::span<const std::string> partials) {
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false, true).value();
  std::string bytes;
  PartialWriter writer(plan, [&](std::string_view more) { return append(bytes, more); });
  auto readers = readers_of(partials);
  EXPECT_TRUE(writer.begin(header_of_all(readers).value()));
  EXPECT_TRUE(merge_to_partials(plan, std::move(readers), writer, not_stopped));
  return bytes;
}

EngineResult merge_to_rows(const EvaluatorSpec& spec, std::span<const std::string> partials, const EngineVariant& variant) {
  Result<EngineResult> merged = try_merge_to_rows(spec, partials, variant);
  EXPECT_TRUE(merged) << (merged ? "" : merged.error().context);
  return merged ? std::move(*merged) : EngineResult{};
}

Result<EngineResult> try_merge_to_rows(const EvaluatorSpec& spec, std::span<const std::string> partials,
                                       const EngineVariant& variant) {
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false, true).value();
  EngineResult result;
  TestExecutor executor(variant);
  CollectingSink sink(result);
  auto readers = readers_of(partials);
  EXPECT_TRUE(check_complete(header_of_all(readers).value()));
  auto report = recmeter::merge_to_rows(plan, std::move(readers), executor, sink, variant.stopped ? was_stopped : not_stopped,
                                        collecting_looks(plan, result));
  if (!report) return tl::unexpected(std::move(report).error());
  result.report = std::move(*report);
  return result;
}

}  // namespace recmeter::support
