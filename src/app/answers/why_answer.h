// Why a metric changed, from rows or from a log. [I2.42].
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/answers/read_log.h"
#include "app/why/why_run.h"
#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Which windows are meant, as a person writes them: a time, or so long ago; how long before, or a time; "": as by default.
// Errors: config_invalid.
[[nodiscard]] Result<void> set_times(why::Request& request, const std::string& at, const std::string& against, EventTime now);

// Gives each row to `take`, as JSON, until that fails.
using EachRow = std::function<Result<void>(const std::function<Result<void>(std::string_view json)>& take)>;

// Errors: those of `rows`; of a row that is none; config_invalid, input_missing: there is no such metric, or nothing to
// compare.
[[nodiscard]] Result<why::Answer> why_of_rows(const why::Request& request, std::size_t top, const EachRow& rows);

struct WhyOfLog {
  LogReading log;
  Result<why::Answer> answer;  // of a log that is complete
};
// Errors: those of read_log(); config_invalid: the configuration has no such metric.
[[nodiscard]] Result<WhyOfLog> why_of_log(const why::Request& request, std::size_t top, const Config& config,
                                          const AskedLog& log);

}  // namespace recmeter
