#include "evaluate.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/console/wall_clock.h"
#include "app/doctor/doctor_run.h"
#include "app/infer/proposal.h"
#include "app/infer/proposal_json.h"
#include "app/prequential/prequential_run.h"
#include "app/run/ordered_replay.h"
#include "app/run/run_verdict.h"
#include "config/load_config.h"
#include "recmeter/result/render.h"
#include "recmeter/result/report_json.h"

namespace recmeter::python {
namespace {

constexpr std::size_t threads_max = 256;  // one a slot
constexpr std::size_t row_bytes = 256;    // what a row counts for in a sample: about as much as one in a file

tl::unexpected<Fault> fault_of(const Error& error) {
  const auto kind = error.code == Errc::config_invalid ? Fault::Kind::configuration
                    : error.code == Errc::interrupted  ? Fault::Kind::interrupted
                                                       : Fault::Kind::input;
  return tl::unexpected(Fault{kind, error.context});
}

tl::expected<Config, Fault> configuration_of(const std::string& yaml) {
  auto config = load_config(yaml, "config", process_context());
  if (config) return std::move(*config);
  std::string text;
  for (const ConfigFault& fault : config.error()) text += (text.empty() ? "" : "\n") + to_text(fault);
  return tl::unexpected(Fault{Fault::Kind::configuration, text});
}

SortWhen sort_when(const std::string& word) {
  return word == "always" ? SortWhen::always : word == "never" ? SortWhen::never : SortWhen::automatic;
}

Result<ReplayInputs> inputs_of(const Config& config, const Asked& asked, const std::atomic<bool>& stop) {
  if (asked.frames.empty()) return replay_inputs(config, asked.files, minus_infinity, {}, stop);
  ReplayInputs inputs;
  inputs.file_options.stop = &stop;
  inputs.file_options.message_bytes_max = config.spec.limits.message_bytes;
  for (const Frame& frame : asked.frames) {
    const InputSpec& input = frame.entry < config.inputs.size() ? config.inputs[frame.entry] : config.command_line;
    MessageSchemas form;
    form.reader = arrow::arrow_reader();
    inputs.partitions.push_back(
        {.source = frame.rows->source(), .decoder = inputs.decoders.size(), .lateness = input.allowed_lateness});
    inputs.decoders.push_back(decoder_for(config, input, form));
    inputs.lateness_max = std::max(inputs.lateness_max, input.allowed_lateness);
    inputs.logs.emplace_back();
    inputs.formats.emplace_back();  // a table needs none
    if (!frame.can_be_read_again) continue;
    inputs.logs.back() = {
        .open = [rows = frame.rows]() -> Result<std::unique_ptr<RecordSource>> { return rows->source(); },
        .sample = [rows = frame.rows](std::size_t places,
                                      std::size_t bytes) { return rows->sample(places, bytes / row_bytes); }};
  }
  return inputs;
}

std::size_t threads_of(const Asked& asked) {
  const std::size_t threads = asked.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : asked.threads;
  return std::min(threads, threads_max);
}

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

}  // namespace

tl::expected<Evaluated, Fault> evaluate(const Asked& asked, const GoOn& go_on) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  std::atomic<bool> stop = false;
  auto inputs = inputs_of(*config, asked, stop);
  if (!inputs) return fault_of(inputs.error());
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, false);
  if (!plan) return fault_of(plan.error());
  Lines lines;
  const OrderedReplay replay{.config = *config,
                             .plan = *plan,
                             .range = {},
                             .sorting = {.when = sort_when(asked.sort), .space = {}, .says_so = false},
                             .threads = threads_of(asked),
                             .stop = stop,
                             .open_again = [&] { return inputs_of(*config, asked, stop); },
                             .begin = [&](bool, ReplayOptions&) -> Result<RowSink*> {
                               lines.clear();
                               return &lines;
                             },
                             .meter =
                                 [&] {
                                   return [&](const ReplayProgress&) {
                                     if (!go_on()) stop = true;
                                   };
                                 }};
  auto report = replay_in_order(replay, std::move(*inputs));
  if (!report) return fault_of(report.error());
  if (!report->complete) return tl::unexpected(Fault{Fault::Kind::interrupted, "interrupted"});
  Evaluated out;
  out.warnings = exceeded_limits(*report, config->spec.limits);
  out.exceeds_limits = !out.warnings.empty();
  if (!out.exceeds_limits) report->warnings = doubts(*report);
  if (auto gap = gap_sentence(*report)) report->warnings.push_back(std::move(*gap));
  out.warnings.insert(out.warnings.end(), report->warnings.begin(), report->warnings.end());
  out.invalid = std::move(report->invalid_records);
  out.report = render_json(*report);
  out.rows = lines.take();
  return out;
}

tl::expected<std::string, Fault> prequential(const Asked& asked, const std::atomic<bool>& stop) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  auto inputs = inputs_of(*config, asked, stop);
  if (!inputs) return fault_of(inputs.error());
  PrequentialOptions options{.sorting = {.when = sort_when(asked.sort), .space = {}, .says_so = false}};
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
      *config, std::move(*inputs), wall_clock(), {.when = sort_when(asked.sort), .space = {}, .says_so = false},
      [&](const ReplayProgress&) {
        if (!go_on()) stop = true;
      },
      stop);
  if (!done) return fault_of(done.error());
  if (!done->report.complete) return tl::unexpected(Fault{Fault::Kind::interrupted, "interrupted"});
  return json_of(*done, false);
}

tl::expected<std::string, Fault> propose(const std::vector<std::string>& files) {
  const std::atomic<bool> stop = false;
  const auto proposal = infer_configuration(files, wall_clock(), stop);
  if (!proposal) return fault_of(proposal.error());
  return proposal_json(*proposal);
}

}  // namespace recmeter::python
