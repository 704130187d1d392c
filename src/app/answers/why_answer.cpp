#include "app/answers/why_answer.h"

#include <optional>
#include <utility>

#include "app/run/time_or_ago.h"
#include "app/why/asked_metric.h"
#include "app/why/kept_means.h"
#include "config/metric_names.h"
#include "config/scalar.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/read_row.h"

namespace recmeter {

namespace {

Result<why::Answer> answer(const why::Request& request, std::size_t top, const why::KeptMeans& means,
                           const why::MetricRule& rule) {
  auto change = change_of(means, request);
  if (!change) return tl::unexpected(std::move(change).error());
  return why::answer_of(request, std::move(*change), rule, top);
}

// Metrics that may be meant by a name that is none; "" where there are none.
std::string question_of(const std::string& metric) {
  return metric_of_key(metric) != nullptr ? "" : config::metric_question(metric, config::names_of_metrics());
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

}  // namespace

Result<void> set_times(why::Request& request, const std::string& at, const std::string& against, EventTime now) {
  if (!at.empty()) {
    const auto time = parse_time_or_ago(at, now);
    if (!time) return failure(Errc::config_invalid, "--at: " + time.error().context);
    request.at = *time;
  }
  if (against.empty()) return {};
  if (const auto before = config::parse_duration(against)) {
    if (before->ms <= 0) return failure(Errc::config_invalid, "--against: 0 before is the window itself; write it like 1d");
    request.against = *before;
    return {};
  }
  const auto time = parse_time_or_ago(against, now);
  if (!time) {
    return failure(Errc::config_invalid,
                   "--against: " + against + " is neither how long before, like 1d, nor a time; " + time.error().context);
  }
  request.against = *time;
  return {};
}

Result<why::Answer> why_of_rows(const why::Request& request, std::size_t top, const EachRow& rows) {
  const auto rule = why::rule_of_key(request.metric);
  if (!rule) {
    Error error = rule.error();
    if (const std::string question = question_of(request.metric); !question.empty()) error.context += "; " + question;
    return tl::unexpected(std::move(error));
  }
  why::KeptMeans means(request.metric, keep_rule_of(request));
  const auto read = rows([&](std::string_view line) -> Result<void> {
    const auto row = read_row(line);
    if (!row) return failure(row.error().code, row.error().context + ", or --config C with a log");
    means.add(*row);
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  return answer(request, top, means, *rule);
}

Result<WhyOfLog> why_of_log(const why::Request& request, std::size_t top, const Config& config, const AskedLog& log) {
  const auto asked = why::asked_metric(config.spec, request.metric, request.window);
  if (!asked) {
    Error error = asked.error();
    const std::string question = question_of(request.metric);
    if (!question.empty()) error.context = request.metric + " is no metric; " + question;
    return tl::unexpected(std::move(error));
  }
  Config of_metric = config;
  of_metric.spec = asked->spec;
  std::optional<MeansSink> rows;
  QuietReplay quiet{.begin = {}};
  quiet.begin = [&](const EvaluatorPlan& /*plan*/, ReplayOptions& /*options*/) {
    return &rows.emplace(why::KeptMeans(request.metric, keep_rule_of(request)));
  };
  auto read = read_log(of_metric, log, quiet);
  if (!read) return tl::unexpected(std::move(read).error());
  if (!read->is_complete) return WhyOfLog{.log = std::move(*read), .answer = failure(Errc::interrupted, "interrupted")};
  return WhyOfLog{.log = std::move(*read), .answer = answer(request, top, rows->means, asked->rule)};
}

}  // namespace recmeter
