// The command `recmeter infer`: a configuration for logs of which nothing is known. [I2]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/infer/proposal.h"
#include "app/infer/proposal_json.h"
#include "app/infer/sample_file.h"
#include "app/run/run_verdict.h"

namespace recmeter {

namespace {

struct InferCommand {
  std::vector<std::string> files;
  bool json = false;
  std::string sample;
};

// What the sample makes of it, in a line.
std::string proof_text(const Proposal& proposal) {
  const Report& report = proposal.report;
  const std::uint64_t repeated = report.feedback.repeated;
  return fmt::format("the sample by it: {} records, {} lists, {} actions, {} of them credited{}; {} invalid, {} late{}",
                     report.records, report.lists, report.events.feedback, report.feedback.credited,
                     repeated == 0 ? "" : fmt::format(", {} repeat one of them", repeated), report.events.invalid,
                     report.events.late, duplicates_text(report.events));
}

void tell_arms(const std::vector<ProposedArms>& all) {
  for (const ProposedArms& arms : all) {
    say(Notice::run_ended, fmt::format("{} is the arm of an experiment: {}; {} is the control", arms.key,
                                       fmt::join(arms.values, ", "), arms.control));
  }
}

void tell_doubts(const std::vector<Doubt>& doubts) {
  for (const Doubt& doubt : doubts) complain(Notice::input_doubtful, "unsure of " + doubt.about + ": " + doubt.sentence);
}

// Without a configuration: what the records hold, and what is to be completed by hand. As comments: where it is written to a
// file, that is a configuration that says nothing.
std::string record_text(const Proposal& proposal) {
  std::string text = fmt::format("# {}\n", fmt::join(proposal.profile, "\n# "));
  text += proposal.shortfall.is_complete ? "#\n# What users did, for recmeter prequential:\n#\n"
                                         : "#\n# To complete by hand, `...` for what was not found:\n#\n";
  std::string_view rest = proposal.shortfall.by_hand;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    text += fmt::format("# {}", rest.substr(0, end + 1));
    rest.remove_prefix(end + 1);
  }
  return text;
}

void tell_shortfall(const Shortfall& shortfall) {
  complain(Notice::input_doubtful,
           "no lists and no ratings were found; what the records hold is printed as comments instead, with what to complete "
           "by hand (docs/logs.md)");
  for (const MissingPart& part : shortfall.missing) {
    complain(Notice::input_doubtful, fmt::format("no {} was found: {}", part.part, part.nearest));
  }
  if (!shortfall.is_complete) return;
  complain(Notice::input_doubtful,
           "if nothing was recommended, take the last lines as a configuration, without the marks of the comment: recmeter "
           "prequential --config evaluates recommenders on what users did");
}

ExitCode run_infer(const InferCommand& command, const std::atomic<bool>& stop) {
  for (const std::string& file : command.files) {
    if (file != "-") continue;
    return report_error(
        {Errc::config_invalid, "infer reads a log several times: write standard input to a file, and name it"});
  }
  const auto proposal = infer_configuration(command.files, wall_clock(), stop);
  if (!proposal) return report_error(proposal.error());
  if (!command.sample.empty()) {
    if (const auto written = write_sample(command.files, command.sample, stop); !written)
      return report_error(written.error());
  }
  const bool is_found = !proposal->config.empty();
  const ExitCode printed = print(command.json ? proposal_json(*proposal)
                                 : is_found   ? proposal->config
                                              : record_text(*proposal));
  if (printed != ExitCode::ok) return printed;
  if (!is_found) {
    tell_shortfall(proposal->shortfall);
    tell_doubts(proposal->doubts);
    return ExitCode::beyond_limits;
  }
  say(Notice::run_ended, proof_text(*proposal));
  tell_arms(proposal->arms);
  if (proposal->trial.lists == 0) {
    warn(Notice::input_doubtful,
         "this log has no lists: without what was shown, nothing can be credited; recmeter prequential evaluates "
         "recommenders on such a log");
  }
  tell_doubts(proposal->doubts);
  return proposal->doubts.empty() ? ExitCode::ok : ExitCode::beyond_limits;
}

Command define_infer(CLI::App& parser) {
  const auto command = std::make_shared<InferCommand>();
  CLI::App* sub = parser.add_subcommand("infer", "Write a commented configuration for unknown logs");
  const AddOption add{sub};
  add("FILE", command->files, "", "Logs in any format that replay reads; files of lists and files of actions may differ")
      ->required();
  add("--sample", command->sample, "FILE",
      "Also write the records that the configuration was tried on; of several logs: a directory for a file of each");
  sub->add_flag("--json", command->json, "As JSON: the configuration, what is unsure, and what the sample makes of it");
  sub->footer("Exit codes: 0 sure; 1 failed; 2 usage; 3 a configuration with lines to look at, marked UNSURE, or none.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_infer(*command, stop); }};
}

const CommandRegistration infer_registration(CommandPlace::infer, define_infer);

}  // namespace

}  // namespace recmeter
