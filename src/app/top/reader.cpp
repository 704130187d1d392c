#include "app/top/reader.h"

#include <algorithm>
#include <utility>

#include "app/top/ask.h"
#include "app/top/why.h"
#include "config/metric_names.h"
#include "config/nearest.h"
#include "config/scalar.h"
#include "recmeter/http/url.h"

namespace recmeter::top {

namespace {

// `chosen`, if it is among those there are; the first where nothing is chosen.
Result<std::string> one_of(std::string_view what, const std::string& chosen, const std::vector<std::string>& there) {
  if (chosen.empty()) return there.front();
  if (std::find(there.begin(), there.end(), chosen) != there.end()) return chosen;
  std::string all;
  for (const std::string& one : there) all += (all.empty() ? "" : ", ") + one;
  const std::vector<std::string_view> names(there.begin(), there.end());
  const std::string question =
      what == "metric" ? config::metric_question(chosen, names) : config::name_question(chosen, names);
  return failure(Errc::config_invalid, "the evaluator has no " + std::string(what) + " " + chosen + "; " +
                                           (question.empty() ? "it has " + all : question));
}

}  // namespace

Result<Course> Reader::course(const Model& model, const std::string& metric, const SegmentPairs& segment) {
  std::string path = "/api/v1/series?window=" + http::percent_encoded(model.window.name) +
                     "&metric=" + http::percent_encoded(metric) + "&horizon=" + http::percent_encoded(model.horizon) +
                     "&segment=" + http::percent_encoded(segment_text(segment));
  if (model.status.watermark) {
    // Final windows lie a horizon before the watermark: more than are shown, if need be, never fewer.
    const Duration span{static_cast<std::int64_t>(points_wanted) * model.window.slide.ms};
    const Duration horizon = config::parse_duration(model.horizon).value_or(Duration{0});
    path += "&from=" + std::to_string(std::max<std::int64_t>(0, (*model.status.watermark - span - horizon).ms));
  }
  const auto answer = ask(options_.url, path, options_.get);
  if (!answer) return tl::unexpected(answer.error());
  auto points = points_of(*answer);
  if (!points) return tl::unexpected(points.error());
  return Course{segment, std::move(*points)};
}

// Where there is nothing to compare yet, nothing is said.
std::string Reader::why(const Model& model, const std::string& metric) {
  const std::vector<std::string>& explained = model.status.explained;
  if (explained.empty()) return {};
  // A run that goes on answers of its state before it reads: then there is no watermark, and nothing to go by.
  const auto& watermark = model.status.watermark;
  const std::optional<std::int64_t> minute = watermark ? std::optional(watermark->ms / one_minute.ms) : std::nullopt;
  Said& said = said_[metric];
  if (minute && said.minute == minute) return said.words;
  const bool is_of_window = std::ranges::find(explained, model.window.name) != explained.end();
  const why::Question question{.request = {.metric = metric, .window = is_of_window ? model.window.name : ""}, .top = 1};
  const auto answer = ask(options_.url, path_of(question), options_.get);
  said = {.minute = minute, .words = answer ? why_in(*answer) : ""};
  return said.words;
}

Result<Model> Reader::read(EventTime now) {
  const auto answer = ask(options_.url, "/api/v1/status", options_.get);
  if (!answer) return tl::unexpected(answer.error());
  auto status = status_of(*answer);
  if (!status) return tl::unexpected(status.error());
  Model model;
  model.url = options_.url;
  model.now = now;
  model.status = std::move(*status);
  std::vector<std::string> windows;
  for (const Window& window : model.status.windows) windows.push_back(window.name);
  const auto window = one_of("window", options_.window, windows);
  if (!window) return tl::unexpected(window.error());
  model.window = *std::find_if(model.status.windows.begin(), model.status.windows.end(),
                               [&](const Window& one) { return one.name == *window; });
  const auto horizon = one_of("horizon", options_.horizon, model.status.horizons);
  if (!horizon) return tl::unexpected(horizon.error());
  model.horizon = *horizon;
  std::vector<std::string> metrics = options_.metrics;
  for (const std::string& metric : metrics) {
    if (auto known = one_of("metric", metric, model.status.metrics); !known) return tl::unexpected(known.error());
  }
  if (metrics.empty()) {
    metrics = model.status.metrics;
    metrics.resize(std::min(metrics.size(), metrics_usual));
  }
  const std::size_t segments = std::min(model.status.segments.size(), segments_max);
  model.segments_left_out = model.status.segments.size() - segments;
  for (const std::string& metric : metrics) {
    Panel& panel = model.panels.emplace_back(Panel{metric, {}});
    for (std::size_t s = 0; s < segments; ++s) {
      auto one = course(model, metric, model.status.segments[s]);
      if (!one) return tl::unexpected(std::move(one).error());
      panel.courses.push_back(std::move(*one));
    }
    panel.why = why(model, metric);
  }
  return model;
}

}  // namespace recmeter::top
