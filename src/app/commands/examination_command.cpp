// The command `recmeter examination`: how likely each rank is looked at, of lists in random order or of several variants.
// [I2].
#include <unistd.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/sort_options.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/examination/examination_run.h"
#include "app/run/configuration.h"
#include "app/run/progress_meter.h"
#include "config/scalar.h"

namespace recmeter {

namespace {

struct ExaminationCommand {
  std::string config;
  std::string uniform;   // KEY:VALUE
  std::string variants;  // KEY
  std::string horizon;   // "": the longest
  unsigned min = 100;
  SortOptions sort;
  std::vector<std::string> inputs;
};

Result<examining::Request> request_of(const ExaminationCommand& command) {
  examining::Request request{.key = command.variants, .random = {}, .horizon = {}, .min = command.min};
  if (command.uniform.empty() == command.variants.empty()) {
    return failure(Errc::config_invalid,
                   "give one of --uniform KEY:VALUE, which names the lists that were shown in random order, and --variants "
                   "KEY, which names the segment key of variants");
  }
  if (!command.uniform.empty()) {
    const std::size_t colon = command.uniform.find(':');
    if (colon == 0 || colon == std::string::npos || colon + 1 == command.uniform.size()) {
      return failure(Errc::config_invalid,
                     "--uniform: " + command.uniform + " is not KEY:VALUE; write it like policy:random");
    }
    request.key = command.uniform.substr(0, colon);
    request.random = command.uniform.substr(colon + 1);
  }
  if (!command.horizon.empty()) {
    const auto horizon = config::parse_duration(command.horizon);
    if (!horizon) return failure(Errc::config_invalid, "--horizon: " + command.horizon + " is not a time; write it like 30m");
    request.horizon = *horizon;
  }
  return request;
}

ExitCode run_command(const ExaminationCommand& command, const std::atomic<bool>& stop) {
  const auto request = request_of(command);
  if (!request) return report_error(request.error());
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto sorting = sorting_from(command.sort, "");
  if (!sorting) return report_error(sorting.error());
  auto inputs = replay_inputs(*config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return report_error(inputs.error());
  const bool json = message_form() == MessageForm::json;
  ProgressMeter meter(json ? ProgressForm::none : isatty(STDERR_FILENO) != 0 ? ProgressForm::line : ProgressForm::plain);
  const auto done = examining::run_examination(
      *config, *request, std::move(*inputs), *sorting, [&](const ReplayProgress& progress) { meter.show(progress); }, stop);
  meter.clear();
  if (!done) return report_error(done.error());
  if (!done->report.complete) return ExitCode::interrupted;
  return print(json ? json_of(*done) : text_of(*done, table_width(false)));
}

Command define_examination(CLI::App& parser) {
  const auto command = std::make_shared<ExaminationCommand>();
  CLI::App* sub = parser.add_subcommand("examination",
                                        "Estimate how likely each rank is looked at, from lists in random order "
                                        "or of several variants");
  const AddOption add{sub};
  add("INPUT", command->inputs, "", "Logs as for replay; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML); without it the defaults");
  add("--uniform", command->uniform, "KEY:VALUE", "The segment value of lists that were shown in random order");
  add("--variants", command->variants, "KEY",
      "The segment key of variants, of which each user got one by chance: items that stand at other ranks in others");
  add("--horizon", command->horizon, "T", "One of join.horizons; the longest by default");
  add("--min", command->min, "N", "Fewer comparisons, or times shown in random order, say nothing of a rank; 100")
      ->check(whole_number_up_to(std::numeric_limits<unsigned>::max()));
  add_sorting(add, command->sort);
  sub->footer(
      "With --json: one object, recmeter.examination/1. Exit codes: 0 done; 1 failed; 2 usage, configuration or one "
      "variant; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_command(*command, stop); }};
}

const CommandRegistration examination_registration(CommandPlace::examination, define_examination);

}  // namespace

}  // namespace recmeter
