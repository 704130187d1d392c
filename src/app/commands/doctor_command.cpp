// The command `recmeter doctor`: what is wrong with a log, why, and what to do about it. [I2].
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/shell_words.h"
#include "app/commands/sort_options.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/doctor/doctor_run.h"
#include "app/run/configuration.h"
#include "app/run/progress_meter.h"

namespace recmeter {

namespace {

struct DoctorCommand {
  std::string config;
  std::string fail_on;  // "": nothing
  bool all = false;
  SortOptions sort;
  std::vector<std::string> inputs;
};

// A replay of a log without lists or without actions has nothing to say.
std::string next_text(const DoctorCommand& command, const doctor::DoctorRun& run) {
  const Report& report = run.report;
  if (report.lists > 0 && report.events.feedback > 0) {
    const bool is_grave = run.diagnosis.gravest() == doctor::Weight::error;
    return (is_grave ? "mend what is an error above; then " : "") + next_command("replay", command.config, command.inputs);
  }
  if (report.lists > 0) return "name the log of actions, too; recmeter infer reads both";
  if (report.events.feedback == 0 && command.config.empty()) return next_command("infer", "", command.inputs);
  if (report.events.feedback == 0) {
    const std::string log = command.inputs.empty() ? "LOG" : shell_word(command.inputs.front());
    return next_command("validate", command.config, {}, "--sample " + log) + " shows how records are read";
  }
  return "name the log of lists, too; or judge recommenders on these actions: add recommenders: [{name: top, kind: "
         "popularity}] "
         "to the configuration, then\n      " +
         next_command("prequential", command.config, command.inputs);
}

ExitCode run(const DoctorCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto sorting = sorting_from(command.sort, "");
  if (!sorting) return report_error(sorting.error());
  auto inputs = replay_inputs(*config, command.inputs, minus_infinity, edges().inputs, stop);
  if (!inputs) return report_error(inputs.error());
  for (const std::string& sentence : inputs->lacking) warn(Notice::input_doubtful, sentence);
  const bool json = message_form() == MessageForm::json;
  ProgressMeter meter(json ? ProgressForm::none : isatty(STDERR_FILENO) != 0 ? ProgressForm::line : ProgressForm::plain);
  const auto done = doctor::run_doctor(
      *config, std::move(*inputs), wall_clock(), *sorting, [&](const ReplayProgress& progress) { meter.show(progress); },
      stop);
  meter.clear();
  if (!done) return report_error(done.error());
  if (!done->report.complete) return ExitCode::interrupted;
  const std::string text = json ? json_of(*done, command.all) : text_of(*done, command.all, table_width(false));
  const bool is_stream = std::ranges::find(command.inputs, "-") != command.inputs.end();
  const std::string next = json || is_stream ? "" : "\nNext: " + next_text(command, *done) + "\n";
  if (const ExitCode printed = print(text + next); printed != ExitCode::ok) return printed;
  const auto gravest = done->diagnosis.gravest();
  const std::array<std::string_view, 3> weights{"error", "warning", "note"};  // by Weight
  const auto bound = std::find(weights.begin(), weights.end(), command.fail_on) - weights.begin();
  const bool is_grave = !command.fail_on.empty() && gravest && static_cast<std::ptrdiff_t>(*gravest) <= bound;
  const bool fails = is_grave || !done->exceeded.empty();
  return fails ? ExitCode::beyond_limits : ExitCode::ok;
}

Command define_doctor(CLI::App& parser) {
  const auto command = std::make_shared<DoctorCommand>();
  CLI::App* sub = parser.add_subcommand("doctor", "Say what is wrong with a log, with cause and remedy; advise the horizon");
  const AddOption add{sub};
  add("INPUT", command->inputs, "", "Logs as for replay; none: those configured");
  add("-c,--config", command->config, "FILE", "Configuration (YAML); without it the defaults");
  add("--fail-on", command->fail_on, "WEIGHT",
      "error, warning or note: exit code 3 if there is a finding of that kind or a worse one")
      ->check(one_of_words({"error", "warning", "note"}));
  add_sorting(add, command->sort);
  sub->add_flag("--all", command->all, "Show also checks that found nothing, and findings that follow from others");
  sub->footer(
      "With --json: docs/doctor.md. Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 as replay, or see --fail-on; "
      "130 "
      "interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run(*command, stop); }};
}

const CommandRegistration doctor_registration(CommandPlace::doctor, define_doctor);

}  // namespace

}  // namespace recmeter
