#include "app/metrics_command.h"

#include <vector>

#include "app/config/nearest.h"
#include "app/messages.h"
#include "app/metric_text.h"
#include "app/standard_output.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

std::string unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const MetricDefinition* metric : all_metrics()) names.push_back(metric->name);
  const auto near = config::nearest(name, names);
  return "there is no metric " + name + "; " +
         (near ? "did you mean " + *near + "?" : std::string("recmeter metrics lists them all"));
}

}  // namespace

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

}  // namespace recmeter
