// Arguments that a call of the Python package gives the core: a configuration and tables or files. No Python in here.
//
// Thread safety: any thread; each call has threads of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/answers/read_log.h"
#include "config/config.h"
#include "recmeter/arrow/arrow_frame.h"

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

[[nodiscard]] tl::unexpected<Fault> fault_of(const Error& error);
[[nodiscard]] tl::unexpected<Fault> interrupted();
[[nodiscard]] tl::expected<Config, Fault> configuration_of(const std::string& yaml);
// All of these outlive the inputs. Errors: those of files.
[[nodiscard]] Result<ReplayInputs> inputs_of(const Config& config, const Asked& asked, const std::atomic<bool>& stop);
[[nodiscard]] Sorting sorting_of(const Asked& asked);
[[nodiscard]] std::size_t threads_of(const Asked& asked);
// Both outlive the log.
[[nodiscard]] AskedLog log_of(const Asked& asked, const std::atomic<bool>& stop);

}  // namespace recmeter::python
