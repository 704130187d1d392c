// RowLine: a row of results as a file has it, as far as a page needs it. [I4].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct RowLine {
  struct Metric {
    std::string key;
    std::optional<double> value;
    std::optional<double> low;
    std::optional<double> high;
  };

  std::string evaluator;
  std::string config;
  std::string window;
  EventTime start;
  std::string horizon;
  std::vector<std::pair<std::string, std::string>> segment;  // empty: the whole
  std::string stage;
  double matured = 1;
  std::uint64_t lists = 0;
  std::vector<Metric> metrics;  // in the order of the row
};

// Thread safety: none; cheap to use again.
class RowLineReader {
 public:
  RowLineReader();
  ~RowLineReader();

  // Errors: input_corrupt: no JSON, or no row; cause and remedy, the place is the caller's to say.
  [[nodiscard]] Result<RowLine> read(std::string_view json);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
