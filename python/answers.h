// Questions of the Python package about lists and rows: which variant is better, why a metric changed, what happened to a
// list, a page. As the commands compare, why, explain and report. No Python in here.
//
// Thread safety: any thread; each call has threads of its own. `stop` is looked at all the while, and ends a run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/answers/report_file.h"
#include "asked.h"
#include "recmeter/result/invalid_record.h"

namespace recmeter::python {

// Troubles of a log: limits that were exceeded, and the first record that is invalid for each reason.
struct Exceeded {
  std::vector<std::string> limits = {};
  std::vector<InvalidRecord> invalid = {};
};

struct ComparedPair {
  std::string words;      // a sentence
  std::string decision;   // what it ends with
  bool is_shown = false;  // in the table of the command
};
struct Compared {
  std::string lines = {};                            // recmeter.lists_comparison/1, a line for each pair
  std::vector<ComparedPair> pairs = {};              // likewise
  std::string text = {};                             // what `recmeter compare` prints
  std::vector<std::string> sentences = {};           // the same in parts
  std::vector<std::vector<std::string>> cells = {};  // names of columns first
  std::string notes = {};
  Exceeded exceeded = {};
};
[[nodiscard]] tl::expected<Compared, Fault> compare(const Asked& asked, const std::string& by, const std::string& control,
                                                    const std::atomic<bool>& stop);
// Lists as `recmeter replay --lists` wrote them. `by`: a segment key, or "file".
[[nodiscard]] tl::expected<Compared, Fault> compare_files(const std::vector<std::string>& paths, const std::string& by,
                                                          const std::string& control, const std::atomic<bool>& stop);
// Tells whether a file begins with such a list.
[[nodiscard]] bool begins_with_list(const std::string& path, const std::atomic<bool>& stop);

struct WhyQuestion {
  std::string metric;
  std::string window, at, against, key, a, b, by;  // "": as by default
  std::size_t top = 8;
};
struct WhyAnswer {
  std::string json;  // recmeter.why/1
  std::string text;
  Exceeded exceeded = {};
};
[[nodiscard]] tl::expected<WhyAnswer, Fault> why_of_rows(const std::string& rows, const WhyQuestion& asked);
[[nodiscard]] tl::expected<WhyAnswer, Fault> why_of_log(const Asked& log, const WhyQuestion& asked,
                                                        const std::atomic<bool>& stop);

struct Explained {
  std::string lines;  // a list each
  std::string text;
  std::uint64_t invalid = 0;  // events
};
[[nodiscard]] tl::expected<Explained, Fault> explain_list(const Asked& asked, const std::string& list_id,
                                                          const std::string& user_id, const std::atomic<bool>& stop);

// Returns what has to be known of the page.
[[nodiscard]] tl::expected<std::vector<std::string>, Fault> report(const ReportFiles& files, const std::atomic<bool>& stop);

}  // namespace recmeter::python
