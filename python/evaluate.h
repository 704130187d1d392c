// What the Python package asks of the core: an evaluation, a diagnosis, a proposal. No Python in here.
//
// Thread safety: any thread; each call has threads of its own.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "asked.h"
#include "recmeter/result/invalid_record.h"
#include "recmeter/result/screen_cells.h"

namespace recmeter::python {

// Rows that answer in one screen: the first table of `recmeter replay`.
struct Summary {
  std::string rows = {};                // those that it shows, as JSON lines, with the metrics of its columns alone
  std::string text = {};                // a hundred columns wide
  TableCells cells = {};                // the same for a page
  std::vector<std::string> below = {};  // paragraphs below the table: experiments, and how the arms compare
};

// Files to write besides; "": none.
struct Files {
  std::string lists;        // every list with its values
  std::string experiments;  // a row for each look
};

struct Evaluated {
  std::string rows;  // JSON lines
  Summary summary;
  std::string report;                 // JSON
  std::vector<std::string> warnings;  // and limits that were exceeded
  bool exceeds_limits = false;
  bool has_experiments = false;        // configured ones
  std::vector<InvalidRecord> invalid;  // the first for each reason
};

// `go_on` is asked after every round; false ends the run.
using GoOn = std::function<bool()>;

[[nodiscard]] tl::expected<Evaluated, Fault> evaluate(const Asked& asked, const Files& files, const GoOn& go_on);
// Answers from rows as JSON lines, of which nothing else is known. Errors: input: a line is no row.
[[nodiscard]] tl::expected<Summary, Fault> summarise(const std::string& rows);
// Rows of recommenders that were not live, as JSON lines. `stop` is looked at all the while, and ends the run.
[[nodiscard]] tl::expected<std::string, Fault> prequential(const Asked& asked, const std::atomic<bool>& stop);
// recmeter.doctor/1, as JSON.
[[nodiscard]] tl::expected<std::string, Fault> diagnose(const Asked& asked, const GoOn& go_on);
// What `recmeter infer --json` prints.
[[nodiscard]] tl::expected<std::string, Fault> propose(const std::vector<std::string>& files);

}  // namespace recmeter::python
