// A replay's rows as one HTML file, with what else there is of the same run. [I2].
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct ReportFiles {
  std::string rows;              // "-": standard input
  std::string output;            // where the page goes
  std::string report = {};       // of the run; "": there is none
  std::string lists = {};        // of the same log; "": there are none
  std::string experiments = {};  // likewise
  std::string curves = {};       // "": none, also below
  std::string learning_curves = {};
};

// Notes for whoever opens a page that was written.
struct ReportDoubt {
  Notice notice;
  std::string sentence;
};

// Errors: those of the files; input_corrupt: one is not what it should be.
[[nodiscard]] Result<std::vector<ReportDoubt>> write_report(const ReportFiles& files, const std::atomic<bool>& stop);

}  // namespace recmeter
