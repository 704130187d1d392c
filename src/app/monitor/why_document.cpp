#include "app/monitor/why_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/why/why_run.h"
#include "config/scalar.h"
#include "recmeter/live/kept_sums.h"

namespace recmeter {

namespace {

// Names of options are those of parameters, but for their dashes.
Error as_parameters(Error error) {
  for (const char* name : {"--window", "--against", "--at", "--key", "--by", "--a", "--b"}) {
    const std::string_view option(name);
    for (std::size_t at = 0; (at = error.context.find(option, at)) != std::string::npos;) error.context.erase(at, 2);
  }
  return error;
}

Result<const why::MetricRule*> rule_of(const PublishedSchema& schema, const why::Request& request) {
  if (!schema.attribution) {
    return failure(Errc::input_missing,
                   "this run keeps nothing to say it by; write attribution: {windows: [...]} in its configuration, or replay "
                   "the log: recmeter why --config");
  }
  const std::vector<std::string>& windows = schema.attribution->windows;
  if (!request.window.empty() && schema.window(request.window) != nullptr &&
      std::ranges::find(windows, request.window) == windows.end()) {
    return failure(Errc::input_missing, fmt::format("nothing is kept of the window `{}`; attribution.windows names {}",
                                                    request.window, fmt::join(windows, ", ")));
  }
  const auto rule = schema.why_rules.find(request.metric);
  if (rule != schema.why_rules.end()) return &rule->second;
  std::vector<std::string> means;
  for (const auto& [key, of] : schema.why_rules) means.push_back(key);
  return failure(Errc::config_invalid,
                 fmt::format("metric={}: is no mean over lists, and only those add up from parts; there are {}",
                             request.metric, fmt::join(means, ", ")));
}

}  // namespace

Result<std::string> why_document(const PublishedSchema& schema, const StateStore* kept, const why::Question& asked) {
  if (auto checked = check(asked.request); !checked) return tl::unexpected(as_parameters(std::move(checked).error()));
  const auto rule = rule_of(schema, asked.request);
  if (!rule) return tl::unexpected(rule.error());
  why::KeptMeans means(asked.request.metric, keep_rule_of(asked.request));
  if (kept != nullptr) {
    const auto read = KeptSums::read(*kept, asked.request.metric, schema.attribution->keep, [&](Row&& row) {
      if (asked.request.window.empty() || row.window == asked.request.window) means.add(row);
      return true;
    });
    if (!read) return tl::unexpected(read.error());
  }
  if (!means.longest_horizon()) {
    const auto& attribution = *schema.attribution;
    return failure(
        Errc::input_missing,
        fmt::format("no window of {} that became final within attribution.keep, {}, ends by then; wait for one, or "
                    "ask for a later one",
                    fmt::join(attribution.windows, ", "), config::text_of(attribution.keep)));
  }
  auto change = change_of(means, asked.request);
  if (!change) return tl::unexpected(as_parameters(std::move(change).error()));
  const why::Answer answer = answer_of(asked.request, std::move(*change), **rule, asked.top);
  return asked.is_text ? text_of(answer, asked.columns) : json_of(answer, 0);
}

}  // namespace recmeter
