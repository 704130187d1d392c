// The command `recmeter report`: a replay's rows as one HTML file. [I2].
#include <unistd.h>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/answers/report_file.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/run/output_paths.h"

namespace recmeter {

namespace {

Result<void> check_paths(const ReportFiles& command) {
  const bool to_stdout = is_standard_output(command.output);
  if (to_stdout && isatty(STDOUT_FILENO) == 1) {
    return failure(Errc::config_invalid, "the page would go to the terminal; name a file: --output report.html");
  }
  std::vector<NamedPath> read{{command.rows, "the rows"}};
  if (!command.report.empty()) read.push_back({command.report, "--report"});
  if (!command.lists.empty()) read.push_back({command.lists, "--lists"});
  if (!command.experiments.empty()) read.push_back({command.experiments, "--experiments"});
  if (!command.curves.empty()) read.push_back({command.curves, "--curves"});
  if (!command.learning_curves.empty()) read.push_back({command.learning_curves, "--learning-curves"});
  return check_outputs_distinct({{to_stdout ? "-" : command.output, "--output"}}, read);
}

ExitCode run_report(ReportFiles files, const std::atomic<bool>& stop) {
  if (auto fine = check_paths(files); !fine) return report_error(fine.error());
  if (is_standard_output(files.output)) files.output = "/dev/stdout";
  const auto made = write_report(files, stop);
  if (!made) return report_error(made.error());
  for (const ReportDoubt& doubt : *made) warn(doubt.notice, doubt.sentence);
  return ExitCode::ok;
}

Command define_report(CLI::App& parser) {
  const auto command = std::make_shared<ReportFiles>();
  CLI::App* sub = parser.add_subcommand("report", "Make one HTML page of the rows of a replay");
  const AddOption add{sub};
  add("ROWS", command->rows, "", "Rows as replay writes them (JSONL), plain, gzip or zstd; - is standard input")->required();
  add("-o,--output", command->output, "FILE", "Where the page goes; standard output by default, if that is no terminal");
  add("-r,--report", command->report, "FILE", "The report of the same run (replay --report), to be shown too");
  add("-l,--lists", command->lists, "FILE",
      "The lists of the same run (replay --lists): the page compares variants with intervals");
  add("-e,--experiments", command->experiments, "FILE",
      "The looks of the same run (replay --experiments): the page shows each experiment from its start to its verdict");
  add("--curves", command->curves, "FILE",
      "The curves of the same run (replay --curves): the page draws those of the whole log");
  add("--learning-curves", command->learning_curves, "FILE",
      "The learning curves of the same run (prequential --learning-curves), drawn with the calibration of confidence");
  sub->footer("The page needs no network. Exit codes: 0 done; 1 failed; 2 usage; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_report(*command, stop); }};
}

const CommandRegistration report_registration(CommandPlace::report, define_report);

}  // namespace

}  // namespace recmeter
