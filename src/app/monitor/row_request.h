// RowRequest: what a client asks for of the rows, checked against what the evaluator publishes. [I6].
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/console/segment_text.h"
#include "app/monitor/published_schema.h"
#include "app/why/change.h"
#include "recmeter/http/request.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

struct TimeRange {  // of windows: those with from < end <= to
  EventTime from = minus_infinity;
  EventTime to = plus_infinity;
};

// Reads the parameters of one request, each once. What cannot be read is given as if it were absent, and finish() says so.
class Parameters {
 public:
  // Both outlive it.
  Parameters(const http::Query& query, const PublishedSchema& schema) : query_(query), schema_(schema) {}

  [[nodiscard]] const WindowSpec* window();   // null: there is none such
  [[nodiscard]] std::string window_if_any();  // "": absent
  // A published key.
  [[nodiscard]] std::string metric();
  [[nodiscard]] std::string metric_if_any();  // "": absent
  [[nodiscard]] Duration horizon();
  // In configured order; absent: the whole.
  [[nodiscard]] SegmentPairs segment(std::string_view name);
  [[nodiscard]] TimeRange range();
  [[nodiscard]] int tenth();  // of `matured`; 0: absent
  [[nodiscard]] std::size_t limit();
  [[nodiscard]] std::string stage();  // "": any
  [[nodiscard]] std::optional<EventTime> cursor();
  [[nodiscard]] std::optional<EventTime> moment(std::string_view name);  // nothing: absent
  [[nodiscard]] why::Against against();
  [[nodiscard]] std::size_t number(std::string_view name, std::size_t usual, std::size_t most);
  [[nodiscard]] bool is_text();  // of `format`
  // As it is given; nothing: absent.
  [[nodiscard]] std::optional<std::string> text(std::string_view name);
  // Complains of the first parameter that is wrong, unknown or given twice. Errors: config_invalid, with a sentence that says
  // which it is and what it may be.
  [[nodiscard]] Result<void> finish();

 private:
  [[nodiscard]] EventTime time(std::string_view name, EventTime otherwise);
  void complain(std::string_view name, std::string_view text, const std::string& remedy);

  const http::Query& query_;
  const PublishedSchema& schema_;
  std::vector<std::string> known_;
  std::string complaint_;
};

}  // namespace recmeter
