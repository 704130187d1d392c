#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/console/markup.h"
#include "app/report/report_page.h"
#include "recmeter/result/render.h"
#include "recmeter/web/page.h"

namespace recmeter {

namespace {

std::string segment_cell(const Row& row) {
  std::string text;
  for (const auto& [key, value] : row.segment) text += (text.empty() ? "" : ", ") + key + "=" + value;
  return text.empty() ? "all lists" : as_markup(text);
}

std::string value_cell(const MetricValue& metric) {
  if (!metric.value) return "-";
  std::string text = fmt::format("{:.4g}", *metric.value);
  if (metric.ci) text += fmt::format(" ({:.4g} to {:.4g})", metric.ci->first, metric.ci->second);
  return text;
}

class PlainReport final : public ReportPage {
 public:
  explicit PlainReport(Write write) : write_(std::move(write)) {}

  Result<void> add(std::string_view /*json*/, const Row& row) override {
    std::string out;
    if (!std::exchange(has_head_, true)) out += web::plain_head();
    if (!is_of_table(row)) out += begin_table(row);
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.0f}%</td>",
                       as_markup(row.window), render_utc(row.start), render_duration(row.horizon), segment_cell(row),
                       to_string(row.stage), row.lists, std::floor(row.matured * 100));
    for (const MetricValue& metric : row.metrics) out += "<td>" + value_cell(metric) + "</td>";
    return write_(out + "</tr>\n");
  }

  Result<void> finish(const ReportNote& note) override {
    std::string out = has_table_ ? "</tbody></table>\n" : "";
    out += "<p>Rows of " + as_markup(note.title) + ".</p>\n";
    if (!note.run_report.empty()) out += "<p>The report of the run:</p><pre>" + as_markup(note.run_report) + "</pre>\n";
    if (!note.curves.empty()) out += "<p>Curves are drawn by a program that was built with npm.</p>\n";
    if (!note.looks.empty()) {
      out += "<p>The looks at experiments, " + std::to_string(note.looks.size()) + ", are shown by recmeter compare.</p>\n";
    }
    out += web::plain_tail();
    return write_(out);
  }

 private:
  [[nodiscard]] bool is_of_table(const Row& row) const {
    return has_table_ && std::equal(row.metrics.begin(), row.metrics.end(), columns_.begin(), columns_.end(),
                                    [](const MetricValue& metric, const std::string& key) { return metric.key == key; });
  }

  std::string begin_table(const Row& row) {
    std::string out = std::exchange(has_table_, true) ? "</tbody></table>\n" : "";
    out += "<table><thead><tr>";
    for (const char* head : {"window", "from", "horizon", "segment", "stage", "lists", "matured"}) {
      out += fmt::format("<th scope=\"col\">{}</th>", head);
    }
    columns_.clear();
    for (const MetricValue& metric : row.metrics) {
      columns_.push_back(metric.key);
      out += "<th scope=\"col\">" + as_markup(metric.key) + "</th>";
    }
    return out + "</tr></thead><tbody>\n";
  }

  Write write_;
  bool has_head_ = false;
  bool has_table_ = false;
  std::vector<std::string> columns_;
};

}  // namespace

std::unique_ptr<ReportPage> plain_report(ReportPage::Write write) {
  return std::make_unique<PlainReport>(std::move(write));
}

}  // namespace recmeter
