// The program: what each command line leads to. [I2].
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <boost/version.hpp>
#include <iostream>
#include <string_view>
#include <variant>

#include "app/command_line.h"
#include "app/config/starter.h"
#include "app/config/summary.h"
#include "app/configuration.h"
#include "app/connection_check.h"
#include "app/forecast.h"
#include "app/interruption.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "app/told.h"
#include "app/version.h"

namespace recmeter {
namespace {

ExitCode run(const ValidateCommand& command, const std::atomic<bool>& stop) {
  constexpr double rate_max = 1e7;
  if (command.rate && !(*command.rate > 0 && *command.rate <= rate_max)) {
    return told({Errc::config_invalid, "--rate wants lists a second, above 0 and at most 10000000"});
  }
  const std::optional<Config> config = configuration_from(command.config);
  if (!config) return ExitCode::usage;
  if (command.connects) {
    const ConnectionFindings findings = check_connections(*config, stop);
    for (const std::string& fact : findings.facts) say(Notice::connection_checked, fact);
    for (const std::string& doubt : findings.doubts) warn(Notice::connection_checked, doubt);
    for (const std::string& fault : findings.faults) complain(Notice::connection_checked, fault);
    if (!findings.faults.empty()) return ExitCode::failed;
  }
  std::optional<Forecast> needs;
  if (command.rate) {
    auto made = forecast(*config, *command.rate);
    if (!made) return told(made.error());
    needs = std::move(*made);
  }
  if (message_form() == MessageForm::text) return print(summary_text(*config) + (needs ? forecast_text(*needs) : ""));
  std::string json = summary_json(*config);
  if (needs) json.replace(json.size() - 1, 1, ",\"forecast\":" + forecast_json(*needs) + "}");
  return print(json + "\n");
}

ExitCode run(const VersionCommand& /*command*/, const std::atomic<bool>& /*stop*/) {
  std::string text = "recmeter " RECMETER_VERSION "\n";
  text += "build " RECMETER_BUILD_TYPE ", " RECMETER_COMPILER "\n";
  text +=
      "libraries: boost " BOOST_LIB_VERSION ", simdjson " RECMETER_SIMDJSON_VERSION ", yaml-cpp " RECMETER_YAML_CPP_VERSION;
  text += std::string(", zlib ") + zlibVersion() + ", zstd " RECMETER_ZSTD_VERSION ", xxhash " +
          std::to_string(XXH_versionNumber()) + "\n";
  return print(text);
}

ExitCode run(const generate::GenerateOptions& options, const std::atomic<bool>& stop) {
  const auto truth = generate::run_generate(options, &stop);
  if (!truth) return told(truth.error());
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

ExitCode run(const Told& told, const std::atomic<bool>& /*stop*/) {
  if (told.code == ExitCode::ok) return print(told.text);
  std::cerr << told.text;
  return told.code;
}
ExitCode run(const InitCommand& command, const std::atomic<bool>& /*stop*/) {
  return print(command.live ? live_starter_config() : starter_config());
}
ExitCode run(const ReplayCommand& command, const std::atomic<bool>& stop) {
  return run_replay(command, stop);
}
ExitCode run(const AttachCommand& command, const std::atomic<bool>& stop) {
  return run_attach(command, stop);
}
ExitCode run(const DemoCommand& command, const std::atomic<bool>& stop) {
  return run_demo(command, stop);
}
ExitCode run(const ExplainCommand& command, const std::atomic<bool>& stop) {
  return run_explain(command, stop);
}
ExitCode run(const MetricsCommand& command, const std::atomic<bool>& /*stop*/) {
  return run_metrics(command);
}
ExitCode run(const ReportCommand& command, const std::atomic<bool>& stop) {
  return run_report(command, stop);
}
ExitCode run(const StateCommand& command, const std::atomic<bool>& /*stop*/) {
  return run_state(command);
}
ExitCode run(const TopCommand& command, const std::atomic<bool>& stop) {
  return run_top(command, stop);
}

// Known before the parser is done, for what it has to say itself.
MessageForm form_asked_for(int argc, char** argv) {
  const bool json = std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  return json ? MessageForm::json : MessageForm::text;
}

}  // namespace
}  // namespace recmeter

int main(int argc, char** argv) {
  using namespace recmeter;
  start_messages(form_asked_for(argc, argv));
  const Command command = command_from(argc, argv);
  const std::atomic<bool>& stop = watch_for_interruption();
  return static_cast<int>(std::visit([&stop](const auto& of) { return run(of, stop); }, command));
}
