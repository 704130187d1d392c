// Screen: a terminal taken over for a while: the alternate screen, without echo and cursor, keys one by one.
//
// It is given back as it was on every way out: the destructor, and, for signals that end the process, their handlers, which
// then let it end (Ctrl-C and SIGTERM with code 130). Ctrl-Z gives it back and takes it again. At most one at a time, on the
// thread that made it; while it lives, the handlers of those signals are its own.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/top/frame.h"

namespace recmeter::top {

class Screen {
 public:
  // Whether standard input and output are a terminal that can do this.
  [[nodiscard]] static bool is_possible();

  // Requires: is_possible(), and no other Screen.
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // As the terminal is now; 80 by 24 where it does not say.
  [[nodiscard]] FrameSize size() const;
  // False when the terminal is gone.
  [[nodiscard]] bool draw(const std::vector<std::string>& lines);

  // What has come within that time. `is_gone`: nothing will come any more.
  struct Input {
    std::optional<char> key;
    bool is_resized = false;
    bool is_gone = false;
  };
  [[nodiscard]] Input wait(std::chrono::milliseconds at_most);
};

}  // namespace recmeter::top
