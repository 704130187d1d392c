#include "integration/http/scripted_handler.h"

#include <utility>

namespace recmeter::test {

namespace {

constexpr std::size_t large_bytes = std::size_t{1} << 20;

}  // namespace

ScriptedHandler::ScriptedHandler(std::shared_ptr<http::EventRing> ring)
    : ring_(std::move(ring)), large_(http::make_body("\"" + std::string(large_bytes - 2, 'x') + "\"")) {
  if (ring_) renew_snapshot("{\"whole\":0}");
}

http::Response ScriptedHandler::handle(const http::Request& request) noexcept {
  {
    const std::lock_guard lock(mutex_);
    last_request_ = request;
  }
  if (request.path == "/text") return {.content_type = "text/plain", .body = http::make_body("hello"), .etag = "v1"};
  if (request.path == "/large") return {.content_type = "application/json", .body = large_};
  if (request.path == "/own") return {.content_type = "image/png", .body = http::make_body(std::string(large_bytes, 'x'))};
  if (request.path == "/stream") return http::event_stream();
  if (request.path == "/unsound") return {.content_type = "text/plain", .headers = {{"A", "b\r\nInjected: c"}}};
  return http::problem(404, "Not Found", "There is no " + request.path);
}

http::Snapshot ScriptedHandler::snapshot() noexcept {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

void ScriptedHandler::renew_snapshot(const std::string& data) {
  const std::lock_guard lock(mutex_);
  snapshot_ = ring_->snapshot(data, ring_->last_id());
}

http::Request ScriptedHandler::last_request() const {
  const std::lock_guard lock(mutex_);
  return last_request_;
}

}  // namespace recmeter::test
