#include <map>
#include <set>
#include <utility>

#include "app/console/version.h"
#include "app/definitions/metric_text.h"
#include "app/report/report_page.h"
#include "app/report/why_lines.h"
#include "recmeter/base/check.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/web/page.h"

namespace recmeter {

namespace {

// The share of errors of the interval, as compare --by has it.
constexpr double comparison_alpha = 0.05;

class ChartReport final : public ReportPage {
 public:
  explicit ChartReport(Write write) : write_(std::move(write)) {
    RECMETER_CHECK(web::has_charts(), "charts without the page that draws them");
  }

  Result<void> add(std::string_view json, const Row& row) override {
    for (const MetricValue& metric : row.metrics) keys_.insert(metric.key);
    if (!row.segment.empty() && row.segment.front().first == recommender_key) {
      rules_.insert_or_assign(row.segment.front().second, row.config);
    }
    whys_.add(row);
    return write_line(json);
  }

  Result<void> finish(const ReportNote& note) override {
    if (!note.run_report.empty()) {
      if (auto written = write_line(note.run_report); !written) return written;
    }
    if (auto written = write_line(page_line(note)); !written) return written;
    if (note.lists != nullptr) {
      for (const ListComparison::Pair& pair : note.lists->pairs(comparison_alpha)) {
        if (!is_of_one_rule(pair)) continue;
        if (auto written = write_line(pair_line(pair, *note.lists)); !written) return written;
      }
    }
    const std::vector<std::string> whys = whys_.lines();
    for (const auto* lines : {&whys, &note.looks, &note.curves}) {
      for (const std::string& line : *lines) {
        if (auto written = write_line(line); !written) return written;
      }
    }
    return write_(web::report_tail());
  }

 private:
  // What was shown may be judged by another rule than lanes beside it ([S13.5]).
  [[nodiscard]] bool is_of_one_rule(const ListComparison::Pair& pair) const {
    if (pair.a.first != recommender_key || (pair.a.second != logged_lane && pair.b.second != logged_lane)) return true;
    const auto a = rules_.find(pair.a.second);
    const auto b = rules_.find(pair.b.second);
    return a == rules_.end() || b == rules_.end() || a->second == b->second;
  }

  // The head goes before the first line.
  Result<void> write_line(std::string_view line) {
    text_.assign(std::exchange(has_head_, true) ? std::string_view() : web::report_head());
    web::append_report_lines(text_, line);
    text_.push_back('\n');
    return write_(text_);
  }

  [[nodiscard]] std::string page_line(const ReportNote& note) const {
    std::string out;
    JsonWriter json(out, 0);
    json.begin_object();
    json.member("schema", "recmeter.page/1");
    json.member("title", note.title);
    json.member("version", build_facts().version);
    const std::uint32_t cutoff = note.lists != nullptr ? note.lists->cutoff(note.shown) : 0;
    if (cutoff > 0) json.member("cutoff", cutoff);
    json.begin_array("definitions");
    for (const std::string& key : keys_) {
      const MetricDefinition* definition = metric_of_key(key);
      if (definition == nullptr) continue;
      json.begin_object();
      json.member("key", key);
      json.member("title", key);
      write_members(json, *definition);
      json.end_object();
    }
    json.end_array();
    json.end_object();
    return out;
  }

  static std::string pair_line(const ListComparison::Pair& pair, const ListComparison& lists) {
    std::string out;
    JsonWriter json(out, 0);
    json.begin_object();
    json.member("schema", "recmeter.comparison/1");
    json.member("horizon", pair.horizon);
    json.member("metric", pair.metric);
    const auto write_segment = [&](std::string_view name, const std::pair<std::string, std::string>& segment) {
      json.begin_object(name);
      json.member(segment.first, segment.second);
      json.end_object();
    };
    write_segment("a", pair.a);
    write_segment("b", pair.b);
    json.member("start", lists.first().ms);
    json.member("end", lists.last().ms);
    json.member("a_lists", pair.lists_a);
    json.member("b_lists", pair.lists_b);
    const auto write_distance = [&](std::string_view name, std::string_view interval, const std::optional<Distance>& of) {
      json.member(name, of ? std::optional(of->value) : std::nullopt);
      json.member(interval, of ? of->ci : std::nullopt);
    };
    write_distance("difference", "ci", pair.absolute);
    write_distance("relative", "relative_ci", pair.relative);
    json.member("p", pair.p);
    json.member("words", pair.words);
    json.end_object();
    return out;
  }

  Write write_;
  bool has_head_ = false;
  std::set<std::string> keys_;
  WhyLines whys_;
  std::map<std::string, std::string> rules_;  // of each recommender: `config` of its rows
  std::string text_;
};

}  // namespace

std::unique_ptr<ReportPage> chart_report(ReportPage::Write write) {
  return std::make_unique<ChartReport>(std::move(write));
}

}  // namespace recmeter
