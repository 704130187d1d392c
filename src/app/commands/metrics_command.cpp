// The command `recmeter metrics`: what each metric is. [I2].
#include <memory>
#include <string>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/standard_output.h"
#include "app/definitions/metric_text.h"
#include "config/metric_names.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

struct MetricsCommand {
  std::string name;    // "": all
  std::string format;  // "": text, or JSON where messages are
};

std::string unknown(const std::string& name) {
  const std::string question = config::metric_question(name, config::names_of_metrics());
  return "there is no metric " + name + "; " + (question.empty() ? "recmeter metrics lists them all" : question);
}

ExitCode run_metrics(const MetricsCommand& command) {
  if (command.format == "markdown") return print(metrics_markdown());
  const bool json = command.format == "json" || (command.format.empty() && message_form() == MessageForm::json);
  if (command.name.empty()) return print(json ? metrics_json() : metrics_table(table_width(false)));
  const MetricDefinition* metric = find_metric(command.name.substr(0, command.name.find('@')));
  if (metric == nullptr) {
    complain({Errc::config_invalid, unknown(command.name)});
    return ExitCode::usage;
  }
  return print(json ? metric_json(*metric) : metric_text(*metric, table_width(false)));
}

Command define_metrics(CLI::App& parser) {
  const auto command = std::make_shared<MetricsCommand>();
  CLI::App* sub =
      parser.add_subcommand("metrics", "Describe each metric: formula, range, evidence, options, source, examples");
  sub->add_option("NAME", command->name, "One metric in full; without it a line for each")->type_name("");
  sub->add_option("-f,--format", command->format,
                  "text, json (as --json does) or markdown: the generated part of docs/metrics.md")
      ->type_name("FORMAT")
      ->check(one_of_words({"text", "json", "markdown"}));
  return {sub, [command](const std::atomic<bool>& /*stop*/) { return run_metrics(*command); }};
}

const CommandRegistration metrics_registration(CommandPlace::metrics, define_metrics);

}  // namespace

}  // namespace recmeter
