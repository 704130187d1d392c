// Response: what a handler answers, as a value. The server adds length, date, connection and security fields, leaves the body
// out for HEAD and 304, and compresses.
//
// Bodies are shared and never change, so that a snapshot that a thousand clients ask for exists once. Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter::http {

using Body = std::shared_ptr<const std::string>;

[[nodiscard]] inline Body make_body(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// Invariant: no header field has a line break or another control in it. The server checks that, and answers 500 instead.
struct Response {
  int status = 200;
  std::string content_type = {};  // empty: none, as of a 204
  Body body = {};                 // null: empty
  Body gzip_body = {};            // the same, compressed beforehand; null: the server does it where it is worth it
  std::string etag = {};          // without quotes; empty: none. Sent as a weak one, and If-None-Match gives 304
  std::string cache_control = "no-store";
  // What a page may load; frame-ancestors 'none' is added.
  std::string content_security_policy = "default-src 'none'";
  std::vector<std::pair<std::string, std::string>> headers = {};  // further ones

  // Instead of a body: the server's events, beginning with Handler::snapshot() or after Last-Event-ID.
  bool is_stream = false;
};

// An error for programs and people, as application/problem+json (RFC 9457). `detail` may hold what a client sent.
[[nodiscard]] Response problem(int status, std::string_view title, std::string_view detail);

[[nodiscard]] Response event_stream();

}  // namespace recmeter::http
