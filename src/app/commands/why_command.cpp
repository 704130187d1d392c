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

#include "app/answers/why_answer.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/edges.h"
#include "app/commands/quiet_replay.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/run/configuration.h"
#include "app/run/for_each_record.h"
#include "app/why/why_run.h"
#include "recmeter/file/open_file.h"

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
  if (auto set = set_times(request, command.at, command.against, wall_clock()); !set) return tl::unexpected(set.error());
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

Result<void> read_rows(const std::vector<std::string>& paths, const std::atomic<bool>& stop,
                       const std::function<Result<void>(std::string_view json)>& take) {
  for (const std::string& path : paths) {
    auto source = file::open_file(path, {.message_bytes_max = why_row_bytes_max, .stop = &stop});
    if (!source) return tl::unexpected(std::move(source).error());
    if (const auto read = for_each_record(**source, "row", stop, take); !read) return tl::unexpected(read.error());
  }
  return {};
}

ExitCode print_answer(const Result<why::Answer>& answer) {
  if (!answer) return report_error(answer.error());
  return print(message_form() == MessageForm::json ? json_of(*answer) : text_of(*answer, table_width(false)));
}

ExitCode why_of_files(const WhyCommand& command, const why::Request& request, const std::atomic<bool>& stop) {
  return print_answer(
      why_of_rows(request, command.top, [&](const auto& take) { return read_rows(command.replay.inputs, stop, take); }));
}

ExitCode why_of_events(const WhyCommand& command, const why::Request& request, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.replay.config, edges().check);
  if (!config) return ExitCode::usage;
  const auto log = asked_log(command.replay, *config, stop);
  if (!log) return report_error(log.error());
  const auto found = why_of_log(request, command.top, *config, *log);
  if (!found) return report_error(found.error());
  const ExitCode ended = told(found->log);
  if (ended != ExitCode::ok && ended != ExitCode::beyond_limits) return ended;
  const ExitCode answered = print_answer(found->answer);
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
  return command.replay.config.empty() ? why_of_files(command, *request, stop) : why_of_events(command, *request, stop);
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
