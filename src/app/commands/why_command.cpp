// The command `recmeter why`: the difference of two rows of a metric in parts, and its cause. [I2].
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/for_each_record.h"
#include "app/commands/quiet_replay.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/run/configuration.h"
#include "app/why/asked_metric.h"
#include "app/why/why_run.h"
#include "config/metric_names.h"
#include "config/scalar.h"
#include "recmeter/file/open_file.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/read_row.h"

namespace recmeter {

namespace {

struct WhyCommand {
  why::Request request;
  std::string at;       // "": the newest
  std::string against;  // "": a day before, or the window before
  unsigned top = 8;
  std::string token_file;  // "": no token
  std::string ca_file;     // "": what the system trusts
  ReplayCommand replay;    // its `config`, `inputs` and how they are sorted; without a configuration inputs are rows
};

constexpr std::size_t why_row_bytes_max = std::size_t{16} << 20;

Result<why::Request> why_request_of(const WhyCommand& command) {
  why::Request request = command.request;
  if (std::error_code unknown; std::filesystem::exists(request.metric, unknown)) {
    return failure(Errc::config_invalid,
                   request.metric + " is a file, and METRIC comes first: recmeter why precision@5 " + request.metric);
  }
  const EventTime now = wall_clock();
  if (!command.at.empty()) {
    const auto at = parse_time_or_ago(command.at, now);
    if (!at) return failure(Errc::config_invalid, "--at: " + at.error().context);
    request.at = *at;
  }
  if (!command.against.empty()) {
    if (const auto before = config::parse_duration(command.against)) {
      if (before->ms <= 0) return failure(Errc::config_invalid, "--against: 0 before is the window itself; write it like 1d");
      request.against = *before;
    } else if (const auto time = parse_time_or_ago(command.against, now)) {
      request.against = *time;
    } else {
      return failure(Errc::config_invalid, "--against: " + command.against +
                                               " is neither how long before, like 1d, nor a time; " + time.error().context);
    }
  }
  if (auto checked = check(request); !checked) return tl::unexpected(std::move(checked).error());
  if (command.replay.inputs.empty() && command.replay.config.empty()) {
    return failure(
        Errc::config_invalid,
        "nothing to look at; give the URL of a running evaluator, rows as recmeter replay --output writes them, or "
        "events with --config");
  }
  const auto is_of_run = [](const std::string& input) { return is_url(input); };
  if (std::ranges::none_of(command.replay.inputs, is_of_run)) return request;
  if (command.replay.inputs.size() > 1 || !command.replay.config.empty()) {
    return failure(Errc::config_invalid, "a running evaluator says it alone; drop the other inputs and --config");
  }
  return request;
}

Result<void> read_rows(const std::vector<std::string>& paths, why::KeptMeans& means, const std::atomic<bool>& stop) {
  for (const std::string& path : paths) {
    auto source = file::open_file(path, {.message_bytes_max = why_row_bytes_max, .stop = &stop});
    if (!source) return tl::unexpected(std::move(source).error());
    const auto read = for_each_record(**source, "row", stop, [&](std::string_view line) -> Result<void> {
      const auto row = read_row(line);
      if (!row) return failure(row.error().code, row.error().context + ", or --config C with a log");
      means.add(*row);
      return {};
    });
    if (!read) return tl::unexpected(read.error());
  }
  return {};
}

ExitCode answer(const WhyCommand& command, const why::Request& request, const why::KeptMeans& means,
                const why::MetricRule& rule) {
  auto change = change_of(means, request);
  if (!change) return report_error(change.error());
  const why::Answer answer = answer_of(request, std::move(*change), rule, command.top);
  return print(message_form() == MessageForm::json ? json_of(answer) : text_of(answer, table_width(false)));
}

// Metrics that may be meant by a name that is none; "" where there are none.
std::string question_of(const std::string& metric) {
  return metric_of_key(metric) != nullptr ? "" : config::metric_question(metric, config::names_of_metrics());
}

ExitCode why_of_rows(const WhyCommand& command, const why::Request& request, const std::atomic<bool>& stop) {
  const auto rule = why::rule_of_key(request.metric);
  if (!rule) {
    Error error = rule.error();
    if (const std::string question = question_of(request.metric); !question.empty()) error.context += "; " + question;
    return report_error(error);
  }
  why::KeptMeans means(request.metric, keep_rule_of(request));
  if (auto read = read_rows(command.replay.inputs, means, stop); !read) return report_error(read.error());
  return answer(command, request, means, *rule);
}

// Rows go to what is kept of them.
class MeansSink : public RowSink {
 public:
  explicit MeansSink(why::KeptMeans kept) : means(std::move(kept)) {}
  Result<void> write(const Row& row) override {
    means.add(row);
    return {};
  }
  why::KeptMeans means;
};

ExitCode why_of_events(const WhyCommand& command, const why::Request& request, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.replay.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto asked = why::asked_metric(config->spec, request.metric, request.window);
  if (!asked) {
    Error error = asked.error();
    const std::string question = question_of(request.metric);
    if (!question.empty()) error.context = request.metric + " is no metric; " + question;
    return report_error(error);
  }
  Config of_metric = *config;
  of_metric.spec = asked->spec;
  std::optional<MeansSink> rows;
  QuietReplay quiet{.begin = {}};
  quiet.begin = [&](const EvaluatorPlan& /*plan*/, ReplayOptions& /*options*/) {
    return &rows.emplace(why::KeptMeans(request.metric, keep_rule_of(request)));
  };
  const ExitCode ended = replay_quietly(command.replay, of_metric, stop, quiet);
  if (ended != ExitCode::ok && ended != ExitCode::beyond_limits) return ended;
  const ExitCode answered = answer(command, request, rows->means, asked->rule);
  return answered == ExitCode::ok ? ended : answered;
}

// A running evaluator answers with what a command would print.
ExitCode why_of_run(const WhyCommand& command, const why::Request& request, const std::atomic<bool>& stop) {
  const std::string& url = command.replay.inputs.front();
  if (edges().why_of == nullptr) {
    return report_error({Errc::config_invalid, url + ": this build has no HTTP"});
  }
  const bool is_json = message_form() == MessageForm::json;
  const auto answered = edges().why_of(
      {.url = url, .token_file = command.token_file, .ca_file = command.ca_file},
      {.request = request, .top = command.top, .is_text = !is_json, .columns = is_json ? 0 : table_width(false)}, stop);
  return answered ? print(*answered) : report_error(answered.error());
}

ExitCode run_why(const WhyCommand& command, const std::atomic<bool>& stop) {
  const auto request = why_request_of(command);
  if (!request) return report_error(request.error());
  if (!command.replay.inputs.empty() && is_url(command.replay.inputs.front())) return why_of_run(command, *request, stop);
  return command.replay.config.empty() ? why_of_rows(command, *request, stop) : why_of_events(command, *request, stop);
}

Command define_why(CLI::App& parser) {
  const auto command = std::make_shared<WhyCommand>();
  CLI::App* sub = parser.add_subcommand("why", "Say why a metric changed: in which segments, by what, and its cause");
  const AddOption add{sub};
  add("METRIC", command->request.metric, "", "A mean over lists as rows call it: mrr@10")->required();
  add("INPUT", command->replay.inputs, "",
      "Rows as replay --output writes them (JSONL), or the URL of a running evaluator; with --config events");
  add("-c,--config", command->replay.config, "FILE",
      "Replay INPUT, or the inputs configured: there are intervals and a cause");
  add("--window", command->request.window, "NAME", "By default the longest that can be compared");
  add("--at", command->at, "TIME", "The newest window that ends by then: a time, or -1d; the newest by default");
  add("--against", command->against, "T",
      "The window so long before (1d), or the newest that ends by a time; by default a day before, else the window before");
  add("--key", command->request.key, "KEY", "Compare two values of this segment key in one window, in place of two windows");
  add("--a", command->request.a, "VALUE", "With --key: the value that the other is compared with");
  add("--b", command->request.b, "VALUE", "With --key: the other value");
  add("--by", command->request.by, "KEY", "Parts by this segment key alone; by default by each");
  add("--top", command->top, "N", "Values of a key that are shown, those with the largest parts; 0: all; 8 by default")
      ->check(whole_number_up_to(1'000'000));
  add("--token-file", command->token_file, "FILE", "Of a running evaluator: the file with its token, if it needs one");
  add("--ca-file", command->ca_file, "FILE", "Certificates (PEM) to trust besides the system's");
  add_sorting(add, command->replay.sort);
  sub->footer(
      "With --json: one object, recmeter.why/1. Exit codes: 0 done; 1 failed, or nothing to compare; 2 usage or "
      "configuration; "
      "3 done, and events beyond limits; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_why(*command, stop); }};
}

const CommandRegistration why_registration(CommandPlace::why, define_why);

}  // namespace

}  // namespace recmeter
