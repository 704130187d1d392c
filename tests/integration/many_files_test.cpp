// A thousand files are a thousand partitions, of which at most 64 are open at any moment, and the rows are those of one file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "recmeter/evaluation/replay.h"
#include "recmeter/file/open_file.h"
#include "recmeter/result/render.h"
#include "support/decoded.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/one_thread.h"
#include "support/row_compare.h"
#include "unit/file/scratch.h"

namespace recmeter {
namespace {

constexpr std::size_t files = support::under_sanitizer ? 130 : 1000;
constexpr std::size_t open_max = 64;
constexpr Duration lateness{60'000};

EvaluatorSpec spec_of_test() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{60'000}, Duration{600'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}},
                  {.name = "five", .size = {300'000}, .slide = {60'000}, .offset = {0}}};
  spec.metrics.cutoffs = {3};
  for (const char* name : {"precision", "mrr", "recall", "distinct_items"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
  }
  return spec;
}

// Two hours of lists and clicks in time order; no step is long enough for the future rule in any of the layouts.
std::vector<std::string> log_lines() {
  support::Dice dice(7);
  std::vector<std::string> lines;
  for (std::int64_t ms = 0, n = 0; ms < 2 * 3'600'000; ms += 400, ++n) {
    const std::string user = "u" + std::to_string(dice.below(300));
    std::vector<std::string> items;
    for (int i = 0; i < 3; ++i) items.push_back("i" + std::to_string(dice.below(200)));
    lines.push_back(support::list_line(ms, user, "l" + std::to_string(n), items));
    if (dice.percent(40)) lines.push_back(support::feedback_line(ms, "click", user, "i" + std::to_string(dice.below(200))));
  }
  return lines;
}

std::size_t descriptors_of_process() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// What the sources hold open, looked at after every read.
struct OpenCount {
  std::vector<const RecordSource*> sources;
  std::size_t sources_max = 0;
  std::size_t descriptors_max = 0;

  void look() {
    const auto open = std::count_if(sources.begin(), sources.end(), [](const RecordSource* s) { return s->is_open(); });
    sources_max = std::max(sources_max, static_cast<std::size_t>(open));
    descriptors_max = std::max(descriptors_max, descriptors_of_process());
  }
};

class WatchedSource : public RecordSource {
 public:
  WatchedSource(std::unique_ptr<RecordSource> inner, OpenCount& count) : inner_(std::move(inner)), count_(count) {
    count_.sources.push_back(inner_.get());
  }
  [[nodiscard]] std::string_view name() const override { return inner_->name(); }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override {
    auto batch = inner_->read(bytes, std::move(reuse));
    count_.look();
    return batch;
  }
  void suspend() override { inner_->suspend(); }
  [[nodiscard]] bool is_open() const override { return inner_->is_open(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return inner_->bytes_total(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return inner_->bytes_read(); }

 private:
  std::unique_ptr<RecordSource> inner_;
  OpenCount& count_;
};

class Lines : public RowSink {
 public:
  Result<void> write(const Row& row) override {
    bytes += render_json(row) + "\n";
    return {};
  }
  std::string bytes;
};

struct Replayed {
  std::string rows;
  Report report;
  OpenCount open;
};

void replay(const std::vector<std::string>& paths, std::size_t block_bytes, Replayed& run) {
  const EvaluatorSpec spec = spec_of_test();
  const auto plan = EvaluatorPlan::make(spec, lateness, false);
  ASSERT_TRUE(plan);
  ReplayOptions options;
  options.decoders = {support::decoder_options(plan->actions)};
  options.block_bytes = block_bytes;
  options.open_max = open_max;
  std::vector<PartitionInput> inputs;
  for (const std::string& path : paths) {
    auto source = file::open_file(path, {});
    ASSERT_TRUE(source) << path;
    inputs.push_back({std::make_unique<WatchedSource>(std::move(*source), run.open), 0, lateness});
  }
  support::OneThread executor;
  Lines sink;
  Replay engine(*plan, std::move(inputs), std::move(options), executor, sink);
  auto report = engine.run();
  run.open.sources.clear();
  ASSERT_TRUE(report) << report.error().context;
  run.report = std::move(*report);
  run.rows = std::move(sink.bytes);
}

std::vector<std::string> write_files(const test::Scratch& scratch, const std::vector<std::string>& parts) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < parts.size(); ++i) paths.push_back(scratch.put("part-" + std::to_string(i), parts[i]));
  return paths;
}

class ManyFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    replay({scratch_.put("all.jsonl", all)}, 0, one_);
    ASSERT_GT(one_.rows.size(), 100'000U);
  }

  // Gives line i to file file_of(i).
  template <class FileOf>
  std::vector<std::string> dealt(FileOf&& file_of) const {
    std::vector<std::string> parts(files);
    for (std::size_t i = 0; i < lines_.size(); ++i) parts[file_of(i)] += lines_[i] + "\n";
    return write_files(scratch_, parts);
  }

  void expect_as_one_file(const Replayed& many) const {
    EXPECT_EQ(many.report.partitions.size(), files);
    EXPECT_EQ(many.report.events.late + many.report.events.future, 0U);
    EXPECT_EQ(many.report.feedback, one_.report.feedback);
    EXPECT_EQ(support::broken_identity(many.report), std::nullopt);
    EXPECT_TRUE(many.rows == one_.rows) << "other rows than those of a single file";
  }

  test::Scratch scratch_;
  std::vector<std::string> lines_ = log_lines();
  Replayed one_;
};

TEST_F(ManyFiles, one_after_another_in_time_give_the_rows_of_one_file) {
  Replayed many;
  replay(dealt([&](std::size_t i) { return i * files / lines_.size(); }), 0, many);
  expect_as_one_file(many);
}

TEST_F(ManyFiles, side_by_side_in_time_give_the_rows_of_one_file) {
  Replayed many;  // every file goes from the first minute to the last, in blocks much smaller than itself
  replay(dealt([](std::size_t i) { return i % files; }), 512, many);
  expect_as_one_file(many);
}

TEST_F(ManyFiles, are_never_open_more_than_64_at_once) {
  Replayed many;
  const std::size_t before = descriptors_of_process();
  replay(dealt([](std::size_t i) { return i % files; }), 512, many);
  EXPECT_LE(many.open.sources_max, open_max);
  EXPECT_GT(many.open.sources_max, open_max / 2) << "the count sees open files";
  EXPECT_LE(many.open.descriptors_max, before + open_max + 1) << "and the one that looks at /proc";
}

TEST_F(ManyFiles, are_closed_when_the_run_ends) {
  Replayed many;
  const std::size_t before = descriptors_of_process();
  replay(dealt([](std::size_t i) { return i % files; }), 512, many);
  EXPECT_EQ(descriptors_of_process(), before);
}

}  // namespace
}  // namespace recmeter
