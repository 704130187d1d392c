// The command `recmeter generate`: synthetic traffic whose metric values are known. [I2]
#include <iostream>
#include <memory>
#include <string>

#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/generate/generate_log.h"

namespace recmeter {

namespace {

ExitCode run_generate(const generate::GenerateOptions& options, const std::atomic<bool>& stop) {
  const auto truth = generate::run_generate(options, edges().generate_topics, &stop);
  if (!truth) return report_error(truth.error());
  if (options.quiet) return ExitCode::ok;
  if (message_form() == MessageForm::json) {
    std::string json = generate::truth_json(*truth);
    json.pop_back();  // its newline
    std::cerr << json_message("info", to_string(Notice::truth), "truth", json);
  } else {
    std::cerr << generate::truth_text(*truth);
  }
  return ExitCode::ok;
}

Command define_generate(CLI::App& parser) {
  const auto options = std::make_shared<generate::GenerateOptions>();
  CLI::App* sub = generate::add_generate_options(parser, *options);
  return {sub, [options](const std::atomic<bool>& stop) { return run_generate(*options, stop); }};
}

const CommandRegistration generate_registration(CommandPlace::generate, define_generate);

}  // namespace

}  // namespace recmeter
