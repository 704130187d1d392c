// Fail points: named places of a live run at which a test ends it as if it had been killed there. A program where no test
// listens passes them by.
//
// Thread safety: points are passed by any thread; listeners come and go while no run goes on.
#pragma once

#include <functional>
#include <string_view>

namespace recmeter {

void fail_point(std::string_view name);

// Calls `passed` at every fail point while it lives. One at a time.
class FailPointListener {
 public:
  explicit FailPointListener(std::function<void(std::string_view name)> passed);
  FailPointListener(const FailPointListener&) = delete;
  FailPointListener& operator=(const FailPointListener&) = delete;
  ~FailPointListener();
};

}  // namespace recmeter
