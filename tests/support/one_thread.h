// An executor that works everything off on the thread that asks.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "recmeter/port/executor.h"

namespace recmeter::support {

class OneThread : public Executor {
 public:
  void run(std::span<const std::function<void()>> tasks) override {
    for (const auto& task : tasks) task();
  }
  [[nodiscard]] std::size_t threads() const override { return 1; }
};

}  // namespace recmeter::support
