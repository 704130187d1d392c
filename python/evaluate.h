// What the Python package asks of the core: an evaluation, a diagnosis, a proposal. No Python in here.
//
// Thread safety: any thread; each call has threads of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/arrow/arrow_frame.h"
#include "recmeter/result/invalid_record.h"

namespace recmeter::python {

// A frame, and the entry of `inputs` that says how it is read.
struct Frame {
  std::shared_ptr<arrow::ArrowFrame> rows;
  std::size_t entry = 0;
  bool can_be_read_again = false;
};

struct Asked {
  std::string config;              // YAML
  std::vector<Frame> frames;       // instead of the files of `inputs`, if any
  std::vector<std::string> files;  // as on the command line
  std::string sort = "auto";       // always, never
  std::size_t threads = 0;         // 0: one a core
};

struct Fault {
  enum class Kind : std::uint8_t { configuration, input, interrupted };
  Kind kind;
  std::string text;  // of a configuration a line for each
};

struct Evaluated {
  std::string rows;                   // JSON lines
  std::string report;                 // JSON
  std::vector<std::string> warnings;  // and limits that were exceeded
  bool exceeds_limits = false;
  std::vector<InvalidRecord> invalid;  // the first for each reason
};

// `go_on` is asked after every round; false ends the run.
using GoOn = std::function<bool()>;

[[nodiscard]] tl::expected<Evaluated, Fault> evaluate(const Asked& asked, const GoOn& go_on);
// Rows of recommenders that were not live, as JSON lines. `stop` is looked at all the while, and ends the run.
[[nodiscard]] tl::expected<std::string, Fault> prequential(const Asked& asked, const std::atomic<bool>& stop);
// recmeter.doctor/1, as JSON.
[[nodiscard]] tl::expected<std::string, Fault> diagnose(const Asked& asked, const GoOn& go_on);
// What `recmeter infer --json` prints.
[[nodiscard]] tl::expected<std::string, Fault> propose(const std::vector<std::string>& files);

}  // namespace recmeter::python
