// MockBroker: a broker within this process, on loopback, for trying things out: librdkafka's own mock cluster. It keeps a few
// megabytes a partition in memory, drops what is older, and forgets everything when it ends. Thread safety: any thread.
#pragma once

#include <memory>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::kafka {

class MockBroker {
 public:
  // Errors: output_failed.
  [[nodiscard]] static Result<std::unique_ptr<MockBroker>> start();
  ~MockBroker();

  // host:port
  [[nodiscard]] std::string address() const;
  [[nodiscard]] Result<void> make_topic(const std::string& name, int partitions);

 private:
  class Impl;
  explicit MockBroker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter::kafka
