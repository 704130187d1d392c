// Executor: runs independent tasks, possibly at the same time; the port through which the core uses threads without owning
// any.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace recmeter {

class Executor {
 public:
  virtual ~Executor() = default;
  // Runs every task once, in any order and on any thread, and returns when all are done: what they wrote is visible then.
  virtual void run(std::span<const std::function<void()>> tasks) = 0;
  // How many may run at the same time; at least 1.
  [[nodiscard]] virtual std::size_t threads() const = 0;
};

}  // namespace recmeter
