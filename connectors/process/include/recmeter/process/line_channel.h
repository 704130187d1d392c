// LineChannel: lines to another program and back: over the standard input and output of a child, or a socket on this machine.
//
// Whatever the program does, a call ends by its deadline: it reads while it writes, so that neither waits for the other, and
// seeing `stop` takes at most a tenth of a second. What is held of it is at most two lines of `line_bytes_max` and 64 KiB.
// A child leads a process group of its own, so that a Ctrl-C on the terminal is ours alone; the end of the channel is the end
// of the whole group. The process ignores SIGPIPE.
//
// Errors: input_missing (no such program, nobody listens); input_unreadable (it ended, or closed the connection);
// input_corrupt (a line longer than the bound); interrupted. Thread safety: none.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"

namespace recmeter::process {

struct ChannelOptions {
  std::size_t line_bytes_max = std::size_t{1} << 20;
  std::function<void(std::string_view line)> complaint =
      {};                                    // a line of the child's standard error, cut at 4 KiB; may be empty
  const std::atomic<bool>* stop = nullptr;   // outlives the channel
  std::chrono::milliseconds patience{2000};  // with a child that is to end
};

struct Line {
  std::string text;       // without its end
  bool is_early = false;  // some of it was there before the last write() had done
};

class LineChannel {
 public:
  using Clock = std::chrono::steady_clock;

  // `command`: a program, looked for in PATH, and its arguments; no shell. Requires: it is not empty.
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> spawn(const std::vector<std::string>& command,
                                                                  ChannelOptions options);
  // `address`: unix:PATH, or tcp:HOST:PORT with a HOST of this machine: 127.0.0.1, localhost or [::1].
  [[nodiscard]] static Result<std::unique_ptr<LineChannel>> connect(const std::string& address, ChannelOptions options);

  // Closes the child's input, waits for its end for `patience`, and kills what is left.
  virtual ~LineChannel() = default;

  // `line` and a line end. False: not all of it went out in time, and nothing more can be written.
  [[nodiscard]] virtual Result<bool> write(std::string_view line, Clock::time_point until) = 0;
  // The next line. Absent: none came in time.
  [[nodiscard]] virtual Result<std::optional<Line>> read(Clock::time_point until) = 0;
  // The last line of standard error; "": there was none.
  [[nodiscard]] virtual const std::string& last_complaint() const = 0;
};

}  // namespace recmeter::process
