// Precision and MRR of a log of JSON lines, an hour a line: recmeter's core within another program.
//
//   embed LOG
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/replay.h"
#include "recmeter/file/open_file.h"

namespace {

using namespace recmeter;

// What is to be computed: clicks within half an hour, hours, and each variant beside the whole.
EvaluatorSpec hourly() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{30 * 60 * 1000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "hour", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
  spec.segments = {{.keys = {"variant"}, .keep = {}}};
  spec.metrics.requests = {{.name = "precision"}, {.name = "mrr"}};
  spec.metrics.cutoffs = {10};
  spec.config_hash = "0000000000000000";
  return spec;
}

// Rows come in order, each when its window is final.
class PrintedRows final : public RowSink {
 public:
  Result<void> write(const Row& row) override {
    std::string segment = "all";
    if (!row.segment.empty())
      segment = std::string(row.segment.front().first) + "=" + std::string(row.segment.front().second);
    std::printf("%lld,%s", static_cast<long long>(row.start.ms), segment.c_str());
    for (const auto& metric : row.metrics) std::printf(",%.6f", metric.value.value_or(0));
    std::printf("\n");
    return {};
  }
};

// The core owns no thread: it hands out tasks. Here they run one after another; the results are the same with any number.
class OneThread final : public Executor {
 public:
  void run(std::span<const std::function<void()>> tasks) override {
    for (const auto& task : tasks) task();
  }
  std::size_t threads() const override { return 1; }
};

int fail(const Error& error) {
  std::fprintf(stderr, "embed: %s\n", error.context.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: embed LOG\n", stderr);
    return 2;
  }
  const EvaluatorSpec spec = hourly();
  const Duration lateness{10'000};
  const auto plan = EvaluatorPlan::make(spec, lateness, false);
  if (!plan) return fail(plan.error());
  auto source = file::open_file(argv[1], {});
  if (!source) return fail(source.error());

  std::vector<PartitionInput> inputs;
  inputs.push_back({.source = std::move(*source), .lateness = lateness});
  ReplayOptions options;
  options.decoders = {{.actions = {"click"}}};
  OneThread executor;
  PrintedRows rows;
  const auto report = Replay(*plan, std::move(inputs), std::move(options), executor, rows).run();
  if (!report) return fail(report.error());
  return 0;
}
