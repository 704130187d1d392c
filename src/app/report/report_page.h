// ReportPage: rows of a file as one HTML file that needs nothing else: the page of the monitor with the rows in it, or, of a
// program that was built without npm, plain tables. Row by row, so that memory does not follow the file.
//
// Thread safety: none. Everything from rows is data on the page: nothing in it can become markup.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/list_comparison.h"
#include "recmeter/base/result.h"
#include "recmeter/result/row.h"

namespace recmeter {

// What stands beside the rows.
struct ReportNote {
  std::string title;
  std::string run_report = {};            // a recmeter.report/1 on one line; "": there is none
  const ListComparison* lists = nullptr;  // of the same log; null: there is none
  std::string shown = {};                 // of recommenders, the one whose lists were shown; "": none
  std::vector<std::string> looks = {};    // at experiments, a row each; oldest first
  std::vector<std::string> curves = {};   // points of curves, a line each, as replay and prequential write them
};

class ReportPage {
 public:
  using Write = std::function<Result<void>(std::string_view)>;
  virtual ~ReportPage() = default;

  // `json`: the line that `row` was read from. Errors: those of Write, also below.
  [[nodiscard]] virtual Result<void> add(std::string_view json, const Row& row) = 0;
  // The end; nothing follows.
  [[nodiscard]] virtual Result<void> finish(const ReportNote& note) = 0;
};

// Requires: web::has_charts().
[[nodiscard]] std::unique_ptr<ReportPage> chart_report(ReportPage::Write write);
// A table for each run of rows with the same metrics.
[[nodiscard]] std::unique_ptr<ReportPage> plain_report(ReportPage::Write write);

}  // namespace recmeter
