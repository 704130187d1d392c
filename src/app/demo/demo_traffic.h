// DemoTraffic: generated traffic into topics as it happens: a record is sent when the clock of this machine has reached its
// time. Runs in a thread of its own. Thread safety: one thread, but for is_over().
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "app/generate/truth.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct DemoTrafficSpec {
  std::string brokers;
  std::string impressions;  // topics
  std::string feedback;
  std::uint64_t lists_per_second = 200;
  std::optional<Duration> span;  // absent: until it is stopped
  EventTime start;               // now
};

class DemoTraffic {
 public:
  explicit DemoTraffic(const DemoTrafficSpec& spec);
  ~DemoTraffic();

  // Everything has been sent, and taken.
  [[nodiscard]] bool is_over() const { return over_; }
  // Ends it where it is. What was built in, if it came to its end. Errors: those of the topics.
  [[nodiscard]] Result<std::optional<generate::Truth>> end();

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<bool> over_ = false;
  Result<std::optional<generate::Truth>> outcome_;
  std::thread thread_;
};

}  // namespace recmeter
