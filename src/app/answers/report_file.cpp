#include "app/answers/report_file.h"

#include <simdjson.h>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "app/console/text_layout.h"
#include "app/report/report_page.h"
#include "app/run/for_each_record.h"
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

// Parts that were read, as far as one page should have one of each only.
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

}  // namespace

Result<std::vector<ReportDoubt>> write_report(const ReportFiles& files, const std::atomic<bool>& stop) {
  ReportNote note;
  if (!files.report.empty()) {
    auto report = run_report_in(files.report);
    if (!report) return tl::unexpected(std::move(report).error());
    note.run_report = std::move(*report);
    note.shown = shown_in(note.run_report);
  }
  ListComparison lists;
  if (!files.lists.empty()) {
    if (auto read = read_lists(files.lists, lists, stop); !read) return tl::unexpected(read.error());
    note.lists = &lists;
  }
  if (!files.experiments.empty()) {
    if (auto read = read_looks(files.experiments, note.looks, stop); !read) return tl::unexpected(read.error());
  }
  if (!files.curves.empty()) {
    const auto read = read_curves(files.curves, "recmeter.curve/1", "replay --curves", note.curves, stop);
    if (!read) return tl::unexpected(read.error());
  }
  if (!files.learning_curves.empty()) {
    const auto read =
        read_curves(files.learning_curves, "recmeter.learning_curve/1", "prequential --learning-curves", note.curves, stop);
    if (!read) return tl::unexpected(read.error());
  }
  auto source = file::open_file(files.rows, {.message_bytes_max = row_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  auto output = file::AtomicFile::create(files.output);
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
  if (auto finished = page->finish(note); !finished) return tl::unexpected(finished.error());
  if (auto committed = (*output)->commit(); !committed) return tl::unexpected(committed.error());
  std::vector<ReportDoubt> doubts;
  if (origins->mixed() > 1) {
    doubts.push_back({Notice::rows_mixed,
                      std::string((*source)->name()) + " has rows of " + std::to_string(origins->mixed()) +
                          " evaluators or configurations, whose values should not be compared; report on each by itself"});
  }
  if (!files.lists.empty() && !lists.has_pairs()) {
    doubts.push_back({Notice::input_doubtful,
                      files.lists + " has no segment key with two to ten values, so the page compares nothing; name one "
                                    "under `segments` of the configuration"});
  }
  if (!web::has_charts()) {
    doubts.push_back({Notice::page_plain, "this program was built without npm: the page has tables and no charts"});
  }
  if (bytes > attachment_bytes) {
    doubts.push_back(
        {Notice::page_large,
         "the page is of " + std::to_string(bytes / 1'000'000) +
             " MB, more than most mail takes; narrow it with replay --from and --to, longer windows or fewer segments"});
  }
  return doubts;
}

}  // namespace recmeter
