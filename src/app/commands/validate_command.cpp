// The command `recmeter validate`: whether a configuration is sound, and how it is understood. [I2]
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/run/configuration.h"
#include "app/run/sample_text.h"
#include "config/forecast.h"
#include "config/schema.h"
#include "config/summary.h"

namespace recmeter {

namespace {

struct ValidateCommand {
  std::string config;          // by --config, as other commands take it
  std::string positional;      // by itself
  bool connects = false;       // asks brokers and looks at files, too
  std::optional<double> rate;  // lists a second, to say what that needs
  std::string sample;          // a log whose first records are shown as they are understood
  bool schema = false;         // of all configurations, instead
};

ExitCode run_validate(const ValidateCommand& command, const std::atomic<bool>& stop) {
  constexpr double rate_max = 1e7;
  constexpr std::size_t sample_records = 10;
  if (command.schema) return print(config_schema() + "\n");
  if (command.rate && !(*command.rate > 0 && *command.rate <= rate_max)) {
    return report_error({Errc::config_invalid, "--rate wants lists a second, above 0 and at most 10000000"});
  }
  if (command.config.empty() == command.positional.empty()) {
    complain({Errc::config_invalid, command.config.empty()
                                        ? "no configuration is named; write recmeter validate --config FILE"
                                        : "two configurations are named, " + command.positional + " and " + command.config +
                                              "; validate one at a time"});
    return ExitCode::usage;
  }
  const std::string& path = command.config.empty() ? command.positional : command.config;
  const std::optional<Config> config = configuration_from(path, edges().check);
  if (!config) return ExitCode::usage;
  if (command.connects) {
    if (edges().connect == nullptr) {
      complain({Errc::config_invalid, "this program was built without Kafka; validate --connect needs the other build"});
      return ExitCode::failed;
    }
    const ConnectionFindings findings = edges().connect(*config, stop);
    if (stop) return ExitCode::interrupted;  // what was not asked is no fault
    for (const std::string& fact : findings.facts) say(Notice::connection_checked, fact);
    for (const std::string& doubt : findings.doubts) warn(Notice::connection_checked, doubt);
    for (const std::string& fault : findings.faults) complain(Notice::connection_checked, fault);
    if (!findings.faults.empty()) return ExitCode::failed;
  }
  std::optional<Forecast> needs;
  if (command.rate) {
    auto made = forecast(*config, *command.rate);
    if (!made) return report_error(made.error());
    needs = std::move(*made);
  }
  if (!command.sample.empty()) {
    const auto text = sample_text(*config, command.sample, sample_records, edges().inputs, stop);
    return text ? print(*text) : report_error(text.error());
  }
  if (message_form() == MessageForm::text) return print(summary_text(*config) + (needs ? forecast_text(*needs) : ""));
  std::string json = summary_json(*config);
  if (needs) json.replace(json.size() - 1, 1, ",\"forecast\":" + forecast_json(*needs) + "}");
  return print(json + "\n");
}

Command define_validate(CLI::App& parser) {
  const auto command = std::make_shared<ValidateCommand>();
  CLI::App* sub =
      parser.add_subcommand("validate", "Check a configuration, all faults at once, and say how it is understood");
  sub->add_option("CONFIG", command->positional, "Configuration (YAML), or with --config")->type_name("");
  sub->add_option("-c,--config", command->config, "Configuration (YAML), as replay takes it")->type_name("FILE");
  sub->add_flag("--connect", command->connects, "Also ask brokers for the topics, and look at files, state and address");
  sub->add_option("--rate", command->rate, "Also say what an attach needs at so many lists a second: rows, disk, memory")
      ->type_name("N");
  sub->add_option("--sample", command->sample,
                  "Show instead how the first records of this log are understood, field by field")
      ->type_name("FILE");
  sub->add_flag("--schema", command->schema, "Print a JSON Schema of configurations, for editors; without CONFIG");
  return {sub, [command](const std::atomic<bool>& stop) { return run_validate(*command, stop); }};
}

const CommandRegistration validate_registration(CommandPlace::validate, define_validate);

}  // namespace

}  // namespace recmeter
