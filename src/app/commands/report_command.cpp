// The command `recmeter report`: a replay's rows as one HTML file. [I2].
#include <simdjson.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/for_each_record.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/text_layout.h"
#include "app/report/report_page.h"
#include "app/run/output_paths.h"
#include "config/file_text.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/file/open_file.h"
#include "recmeter/recommend/prequential_spec.h"
#include "recmeter/result/read_row.h"
#include "recmeter/result/render.h"
#include "recmeter/web/page.h"

namespace recmeter {

namespace {

struct ReportCommand {
  std::string rows;         // "-": standard input
  std::string output;       // "": standard output
  std::string report;       // of the run; "": there is none
  std::string lists;        // of the same log; "": there are none
  std::string experiments;  // likewise
  std::string curves;       // "": none, also below
  std::string learning_curves;
};

constexpr std::size_t row_bytes_max = std::size_t{16} << 20;
constexpr std::size_t run_report_bytes_max = std::size_t{64} << 20;
constexpr std::uint64_t attachment_bytes = 25'000'000;  // what most mail systems take

// The run report on one line. Errors: input_missing, input_unreadable, input_corrupt.
Result<std::string> run_report_in(const std::string& path) {
  auto text = config::read_file(path, run_report_bytes_max);
  if (!text) return failure(text.error().code, path + ": " + text.error().context);
  simdjson::dom::parser parser;
  simdjson::dom::element report;
  std::string_view schema;
  if (parser.parse(*text).get(report) != simdjson::SUCCESS ||
      report["schema"].get_string().get(schema) != simdjson::SUCCESS || schema != "recmeter.report/1") {
    return failure(Errc::input_corrupt,
                   path + " is not the report of a run; give the file that recmeter replay --report wrote");
  }
  std::string line(text->size() + simdjson::SIMDJSON_PADDING, '\0');
  std::size_t bytes = 0;
  if (simdjson::minify(text->data(), text->size(), line.data(), bytes) != simdjson::SUCCESS) {
    return failure(Errc::input_corrupt,
                   path + " is not the report of a run; give the file that recmeter replay --report wrote");
  }
  line.resize(bytes);
  return line;
}

// The recommender of a prequential run whose lists are those that were shown; "": there is none.
std::string shown_in(std::string_view run_report) {
  simdjson::dom::parser parser;
  simdjson::dom::array recommenders;
  if (parser.parse(run_report.data(), run_report.size())["prequential"]["recommenders"].get(recommenders) !=
      simdjson::SUCCESS) {
    return {};
  }
  for (const simdjson::dom::element one : recommenders) {
    std::string_view kind, name;
    if (one["kind"].get(kind) == simdjson::SUCCESS && kind == "shown" && one["name"].get(name) == simdjson::SUCCESS) {
      return std::string(name);
    }
  }
  return {};
}

// What was read, as far as one page should have one of it only.
struct Origins {
  // With the hash of their configuration, by recommender: of prequential each has a definition of its own.
  std::map<std::string, std::set<std::pair<std::string, std::string>>> evaluators;
  // By the windows of the shortest size: longer ones reach beyond the log.
  Duration shortest{std::numeric_limits<std::int64_t>::max()};
  EventTime first = plus_infinity;
  EventTime last = minus_infinity;

  void add(const Row& row) {
    const Duration size = row.end - row.start;
    if (size < shortest) shortest = size, first = plus_infinity, last = minus_infinity;
    if (size == shortest) first = std::min(first, row.start), last = std::max(last, row.end);
    const bool is_of_recommender =
        !row.segment.empty() && (row.segment.front().first == recommender_key || row.segment.front().first == policy_key);
    evaluators[is_of_recommender ? row.segment.front().second : ""].emplace(row.evaluator, row.config);
  }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& [recommender, of_it] : evaluators) {
      for (const auto& [name, config] : of_it) all.insert(name);
    }
    return all;
  }
  // Whose rows should not stand on one page.
  [[nodiscard]] std::size_t mixed() const {
    std::size_t most = 0;
    for (const auto& [recommender, of_it] : evaluators) most = std::max(most, of_it.size());
    return most;
  }
};

Result<Origins> copy_rows(RecordSource& source, ReportPage& page, const std::atomic<bool>& stop) {
  Origins origins;
  Result<void> written;
  const auto read = for_each_record(source, "row", stop, [&](std::string_view json) -> Result<void> {
    const auto row = read_row(json);
    if (!row) return tl::unexpected(row.error());
    origins.add(*row);
    written = page.add(json, *row);
    return written;
  });
  if (!written) return tl::unexpected(written.error());  // which is not the row's fault
  if (!read) return tl::unexpected(read.error());
  if (*read == 0) {
    return failure(Errc::input_corrupt,
                   std::string(source.name()) + " has no rows; give the file that recmeter replay --output wrote");
  }
  return origins;
}

Result<void> read_lists(const std::string& path, ListComparison& lists, const std::atomic<bool>& stop) {
  auto source = file::open_file(path, {.message_bytes_max = row_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  const auto read = for_each_record(**source, "line", stop, [&](std::string_view json) { return lists.add(json); });
  return read ? Result<void>() : tl::unexpected(read.error());
}

Result<void> read_looks(const std::string& path, std::vector<std::string>& looks, const std::atomic<bool>& stop) {
  auto source = file::open_file(path, {.message_bytes_max = row_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  const auto read = for_each_record(**source, "row", stop, [&](std::string_view json) -> Result<void> {
    if (const auto row = read_experiment_row(json); !row) return tl::unexpected(row.error());
    looks.emplace_back(json);
    return {};
  });
  return read ? Result<void>() : tl::unexpected(read.error());
}

// "A log of 2026-03-02 to 2026-03-09".
std::string title_of_days(const Origins& origins) {
  constexpr std::size_t day_length = 10;
  const std::string first = render_utc(origins.first).substr(0, day_length);
  const std::string last = render_utc(EventTime{origins.last.ms - 1}).substr(0, day_length);
  return "A log of " + first + (first == last ? "" : " to " + last);
}

// The name of the evaluator, where its configuration gives one; else those of the logs that were read, or their days.
std::string title_of(const Origins& origins, const std::string& run_report) {
  constexpr std::size_t logs_max = 3;
  const std::set<std::string> names = origins.names();
  if (names.size() == 1 && *names.begin() != EvaluatorSpec().name) return *names.begin();
  std::vector<std::string> logs;
  simdjson::dom::parser parser;
  simdjson::dom::array partitions;
  if (!run_report.empty() && parser.parse(run_report)["partitions"].get(partitions) == simdjson::SUCCESS) {
    for (const simdjson::dom::element partition : partitions) {
      std::string_view name;
      if (partition["name"].get(name) == simdjson::SUCCESS) logs.push_back(std::filesystem::path(name).filename().string());
    }
  }
  if (logs.size() > logs_max) {
    const std::string more = "and " + std::to_string(logs.size() - logs_max) + " more";
    logs.resize(logs_max);
    logs.push_back(more);
  }
  if (!logs.empty()) return joined(", ", logs);
  return title_of_days(origins);
}

// Points of curves: `schema` says of which.
Result<void> read_curves(const std::string& path, std::string_view schema, std::string_view option,
                         std::vector<std::string>& curves, const std::atomic<bool>& stop) {
  auto source = file::open_file(path, {.message_bytes_max = row_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  simdjson::dom::parser parser;
  const auto read = for_each_record(**source, "line", stop, [&](std::string_view json) -> Result<void> {
    std::string_view found;
    if (parser.parse(json.data(), json.size())["schema"].get(found) != simdjson::SUCCESS || found != schema) {
      return failure(Errc::input_corrupt,
                     "this is no line of " + std::string(schema) + "; give the file that " + std::string(option) + " wrote");
    }
    curves.emplace_back(json);
    return {};
  });
  return read ? Result<void>() : tl::unexpected(read.error());
}

Result<void> check_paths(const ReportCommand& command) {
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

Result<void> write_report(const ReportCommand& command, const std::atomic<bool>& stop) {
  if (auto fine = check_paths(command); !fine) return fine;
  ReportNote note;
  if (!command.report.empty()) {
    auto report = run_report_in(command.report);
    if (!report) return tl::unexpected(std::move(report).error());
    note.run_report = std::move(*report);
    note.shown = shown_in(note.run_report);
  }
  ListComparison lists;
  if (!command.lists.empty()) {
    if (auto read = read_lists(command.lists, lists, stop); !read) return read;
    note.lists = &lists;
  }
  if (!command.experiments.empty()) {
    if (auto read = read_looks(command.experiments, note.looks, stop); !read) return read;
  }
  if (!command.curves.empty()) {
    const auto read = read_curves(command.curves, "recmeter.curve/1", "replay --curves", note.curves, stop);
    if (!read) return read;
  }
  if (!command.learning_curves.empty()) {
    const auto read =
        read_curves(command.learning_curves, "recmeter.learning_curve/1", "prequential --learning-curves", note.curves, stop);
    if (!read) return read;
  }
  auto source = file::open_file(command.rows, {.message_bytes_max = row_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  auto output = file::AtomicFile::create(is_standard_output(command.output) ? "/dev/stdout" : command.output);
  if (!output) return tl::unexpected(std::move(output).error());
  std::uint64_t bytes = 0;
  const auto write = [&](std::string_view text) {
    bytes += text.size();
    return (*output)->write(text);
  };
  const auto page = web::has_charts() ? chart_report(write) : plain_report(write);
  const auto origins = copy_rows(**source, *page, stop);
  if (!origins) return tl::unexpected(origins.error());
  note.title = title_of(*origins, note.run_report);
  if (auto finished = page->finish(note); !finished) return finished;
  if (auto committed = (*output)->commit(); !committed) return committed;
  if (origins->mixed() > 1) {
    warn(Notice::rows_mixed,
         std::string((*source)->name()) + " has rows of " + std::to_string(origins->mixed()) +
             " evaluators or configurations, whose values should not be compared; report on each by itself");
  }
  if (!command.lists.empty() && !lists.has_pairs()) {
    warn(Notice::input_doubtful, command.lists +
                                     " has no segment key with two to ten values, so the page compares nothing; name one "
                                     "under `segments` of the configuration");
  }
  if (!web::has_charts()) warn(Notice::page_plain, "this program was built without npm: the page has tables and no charts");
  if (bytes > attachment_bytes) {
    warn(Notice::page_large,
         "the page is of " + std::to_string(bytes / 1'000'000) +
             " MB, more than most mail takes; narrow it with replay --from and --to, longer windows or fewer segments");
  }
  return {};
}

ExitCode run_report(const ReportCommand& command, const std::atomic<bool>& stop) {
  const auto done = write_report(command, stop);
  return done ? ExitCode::ok : report_error(done.error());
}

Command define_report(CLI::App& parser) {
  const auto command = std::make_shared<ReportCommand>();
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
