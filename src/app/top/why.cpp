#include "app/top/why.h"

#include <utility>
#include <variant>

#include "app/top/ask.h"
#include "recmeter/http/url.h"
#include "recmeter/result/render.h"

namespace recmeter::top {

std::string path_of(const why::Question& question) {
  const why::Request& request = question.request;
  std::string path = "/api/v1/why?metric=" + http::percent_encoded(request.metric);
  const auto add = [&path](std::string_view name, const std::string& value) {
    if (!value.empty()) path += "&" + std::string(name) + "=" + http::percent_encoded(value);
  };
  add("window", request.window);
  if (request.at) add("at", std::to_string(request.at->ms));
  if (const auto* before = std::get_if<Duration>(&request.against)) add("against", render_duration(*before));
  if (const auto* time = std::get_if<EventTime>(&request.against)) add("against", std::to_string(time->ms));
  add("key", request.key);
  add("a", request.a);
  add("b", request.b);
  add("by", request.by);
  add("top", std::to_string(question.top));
  if (question.is_text) add("format", "text");
  if (question.columns > 0) add("columns", std::to_string(question.columns));
  return path;
}

Result<std::string> why_of(const EvaluatorAddress& evaluator, const why::Question& question, const std::atomic<bool>& stop) {
  const auto options = get_options(evaluator, stop);
  if (!options) return tl::unexpected(options.error());
  auto answer = ask(evaluator.url, path_of(question), *options);
  if (answer && !answer->ends_with('\n')) *answer += '\n';
  return answer;
}

}  // namespace recmeter::top
