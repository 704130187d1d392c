#include "app/monitor/plain_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/console/markup.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string segment_cell(const Row& row) {
  std::string text;
  for (const auto& [key, value] : row.segment) text += (text.empty() ? "" : ", ") + key + "=" + value;
  return text.empty() ? "all lists" : as_markup(text);
}

std::string value_cell(const Row& row, const std::string& key) {
  const auto at =
      std::find_if(row.metrics.begin(), row.metrics.end(), [&](const MetricValue& one) { return one.key == key; });
  if (at == row.metrics.end() || !at->value) return "-";
  std::string text = fmt::format("{:.4g}", *at->value);
  if (at->ci) text += fmt::format(" ({:.4g} to {:.4g})", at->ci->first, at->ci->second);
  return text;
}

std::string table_of(const PublishedSchema& schema, const std::vector<SharedRow>& rows, std::string_view caption) {
  std::string out = fmt::format("<table><caption>{}</caption><thead><tr>", caption);
  for (const char* head : {"window", "from", "horizon", "segment", "lists", "matured"}) {
    out += fmt::format("<th scope=\"col\">{}</th>", head);
  }
  for (const PlannedMetric& metric : schema.metrics) out += "<th scope=\"col\">" + as_markup(metric.key) + "</th>";
  out += "</tr></thead><tbody>";
  for (const auto& shown : rows) {
    const Row& row = shown->row;
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.0f}%</td>", as_markup(row.window),
                       render_utc(row.start), render_duration(row.horizon), segment_cell(row), row.lists,
                       std::floor(row.matured * 100));
    for (const PlannedMetric& metric : schema.metrics) out += "<td>" + value_cell(row, metric.key) + "</td>";
    out += "</tr>";
  }
  return out + "</tbody></table>";
}

}  // namespace

std::string plain_tables(const PublishedSchema& schema, const LiveSnapshot& snapshot) {
  std::string out = "<p>Evaluator " + as_markup(schema.name) + ".</p>";
  for (const std::string& reason : snapshot.reasons) out += "<p>" + as_markup(reason) + "</p>";
  std::vector<SharedRow> open;
  std::copy_if(snapshot.rows.begin(), snapshot.rows.end(), std::back_inserter(open),
               [](const auto& shown) { return shown->row.stage != Stage::final; });
  if (snapshot.newest_final.empty() && open.empty()) return out + "<p>There is no window yet.</p>";
  out += table_of(schema, snapshot.newest_final, "The newest final windows");
  return out + table_of(schema, open, "Windows that are not final");
}

}  // namespace recmeter
