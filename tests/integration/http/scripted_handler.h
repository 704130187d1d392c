// ScriptedHandler: the application of a test: paths with fixed answers, an event stream, and what it was asked last.
//
//   /text      "hello", of text/plain, with an ETag
//   /large     a megabyte of JSON, the same one each time
//   /own       a megabyte of text that is made for each request
//   /stream    the events of the ring
//   /unsound   an answer with a line break in a field
//   otherwise  404, with the path in its detail
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "recmeter/http/handler.h"

namespace recmeter::test {

class ScriptedHandler : public http::Handler {
 public:
  // `ring` may be null.
  explicit ScriptedHandler(std::shared_ptr<http::EventRing> ring = nullptr);

  http::Response handle(const http::Request& request) noexcept override;
  http::Snapshot snapshot() noexcept override;

  // What snapshots hold from now on: `data`, as of the last event.
  void renew_snapshot(const std::string& data);
  [[nodiscard]] http::Request last_request() const;

 private:
  const std::shared_ptr<http::EventRing> ring_;
  const http::Body large_;
  mutable std::mutex mutex_;
  http::Snapshot snapshot_;
  http::Request last_request_;
};

}  // namespace recmeter::test
