#include "evaluate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "app/answers/first_answer.h"
#include "app/console/wall_clock.h"
#include "app/doctor/doctor_run.h"
#include "app/infer/proposal.h"
#include "app/infer/proposal_json.h"
#include "app/prequential/prequential_run.h"
#include "app/run/experiment_table.h"
#include "app/run/ordered_replay.h"
#include "app/run/run_verdict.h"
#include "recmeter/evaluation/experiment_judge.h"
#include "recmeter/evaluation/list_tally.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/result/read_row.h"
#include "recmeter/result/render.h"
#include "recmeter/result/report_json.h"

namespace recmeter::python {
namespace {

constexpr std::size_t summary_width = 100;  // as the program's, where there is no terminal

// Rows as `recmeter replay --format jsonl` writes them.
class Lines final : public RowSink {
 public:
  Result<void> write(const Row& row) override {
    text_ += render_json(row);
    text_ += '\n';
    return {};
  }
  void clear() { text_.clear(); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Lines and, as the table of a replay does, the newest look at each experiment.
class Results final : public RowSink {
 public:
  Results(const EvaluatorPlan& plan, const FirstAnswer& answer) : table_(answer.table()) {
    for (const PlannedExperiment& experiment : plan.experiments) {
      courses_.push_back({.judge = ExperimentJudge(experiment, plan.spec->name, plan.spec->config_hash), .newest = {}});
    }
  }
  Result<void> write(const Row& row) override {
    table_.add(row);
    return lines_.write(row);
  }
  // The row of the look.
  const ExperimentRow& look(const ExperimentLook& look) {
    Course& course = courses_[look.place];
    return course.newest.emplace(course.judge.judge(look));
  }
  [[nodiscard]] std::string take_lines() { return lines_.take(); }
  [[nodiscard]] Summary summary(const FirstSaid& said) {
    table_.choose_columns(said.columns);
    table_.say_of_lists(said.few, said.ending);
    Summary out = summary_of(table_);
    for (const Course& course : courses_) {
      if (course.newest) out.below.push_back("\n" + experiment_table(*course.newest));
    }
    for (const std::string& line : said.lines) out.below.push_back(line);
    for (const std::string& each : out.below) out.text += each;
    return out;
  }
  [[nodiscard]] static Summary summary_of(const FirstTable& table) {
    Lines shown;
    for (const Row& row : table.rows()) (void)shown.write(row);
    return {.rows = shown.take(), .text = table.text(summary_width, false), .cells = table.cells(summary_width), .below = {}};
  }

 private:
  struct Course {
    ExperimentJudge judge;
    std::optional<ExperimentRow> newest;
  };
  Lines lines_;
  FirstTable table_;
  std::vector<Course> courses_;
};

// Null where it is not asked for.
Result<std::unique_ptr<file::AtomicFile>> created(const std::string& path) {
  if (path.empty()) return nullptr;
  return file::AtomicFile::create(path);
}

}  // namespace

tl::expected<Evaluated, Fault> evaluate(const Asked& asked, const Files& files, const GoOn& go_on) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  std::atomic<bool> stop = false;
  auto inputs = inputs_of(*config, asked, stop);
  if (!inputs) return fault_of(inputs.error());
  auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, !files.lists.empty(), true);
  if (!plan) return fault_of(plan.error());
  const FirstAnswer answer(*plan);
  plan->tally_lists(answer.tally());
  std::optional<Results> results;
  ListTally tally;
  std::unique_ptr<file::AtomicFile> lists, looks;
  const auto begin = [&](bool, ReplayOptions& options) -> Result<RowSink*> {
    results.emplace(*plan, answer);
    for (auto [path, file] : {std::pair(&files.lists, &lists), std::pair(&files.experiments, &looks)}) {
      auto made = created(*path);
      if (!made) return tl::unexpected(std::move(made).error());
      *file = std::move(*made);
    }
    options.lists_tally = [&](const ListTally& of) { tally = of; };
    if (lists) options.scored_lists = [&](const ScoredLine& line) { return lists->write(line.json + "\n"); };
    options.looks = [&](const ExperimentLook& look) -> Result<void> {
      const ExperimentRow& row = results->look(look);
      return looks ? looks->write(render_json(row) + "\n") : Result<void>{};
    };
    return &*results;
  };
  const auto meter = [&] {
    return [&](const ReplayProgress&) {
      if (!go_on()) stop = true;
    };
  };
  const OrderedReplay replay{.config = *config,
                             .plan = *plan,
                             .range = {},
                             .sorting = sorting_of(asked),
                             .threads = threads_of(asked),
                             .stop = stop,
                             .open_again = [&] { return inputs_of(*config, asked, stop); },
                             .begin = begin,
                             .meter = meter};
  auto report = replay_in_order(replay, std::move(*inputs));
  if (!report) return fault_of(report.error());
  if (!report->complete) return interrupted();
  for (const auto* file : {&lists, &looks}) {
    if (auto done = *file ? (*file)->commit() : Result<void>{}; !done) return fault_of(done.error());
  }
  Evaluated out;
  out.warnings = exceeded_limits(*report, config->spec.limits);
  out.has_experiments = !plan->experiments.empty();
  out.exceeds_limits = !out.warnings.empty();
  if (!out.exceeds_limits) report->warnings = doubts(*report);
  if (auto gap = gap_sentence(*report)) report->warnings.push_back(std::move(*gap));
  out.warnings.insert(out.warnings.end(), report->warnings.begin(), report->warnings.end());
  const EndOfLog end{.gap = report->gap_at_end, .has_actions = report->events.feedback > 0};
  out.summary = results->summary(answer.said(tally, end));
  out.invalid = std::move(report->invalid_records);
  out.report = render_json(*report);
  out.rows = results->take_lines();
  return out;
}

tl::expected<Summary, Fault> summarise(const std::string& rows) {
  std::vector<Row> all;
  for (std::string_view rest = rows; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto row = read_row(rest.substr(0, end));
    if (!row) return fault_of(row.error());
    all.push_back(std::move(*row));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return Results::summary_of(first_table_of(all));
}

tl::expected<std::string, Fault> prequential(const Asked& asked, const std::atomic<bool>& stop) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  auto inputs = inputs_of(*config, asked, stop);
  if (!inputs) return fault_of(inputs.error());
  PrequentialOptions options{.sorting = sorting_of(asked)};
  options.threads = threads_of(asked);
  Lines lines;
  const auto done = prequential_run(*config, std::move(*inputs), options, lines, stop);
  if (!done) return fault_of(done.error());
  return lines.take();
}

tl::expected<std::string, Fault> diagnose(const Asked& asked, const GoOn& go_on) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  std::atomic<bool> stop = false;
  auto inputs = inputs_of(*config, asked, stop);
  if (!inputs) return fault_of(inputs.error());
  const auto done = doctor::run_doctor(
      *config, std::move(*inputs), wall_clock(), sorting_of(asked),
      [&](const ReplayProgress&) {
        if (!go_on()) stop = true;
      },
      stop);
  if (!done) return fault_of(done.error());
  if (!done->report.complete) return interrupted();
  return json_of(*done, false);
}

tl::expected<std::string, Fault> propose(const std::vector<std::string>& files) {
  const std::atomic<bool> stop = false;
  const auto proposal = infer_configuration(files, wall_clock(), stop);
  if (!proposal) return fault_of(proposal.error());
  return proposal_json(*proposal);
}

}  // namespace recmeter::python
