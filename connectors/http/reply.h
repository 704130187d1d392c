// Reply: a Response as bytes: its head as text, and the body that follows it.
//
// Pure but for the compressing, which is only done here; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recmeter/http/request.h"
#include "recmeter/http/response.h"

namespace recmeter::http {

// What of a request a reply depends on.
struct ReplyTerms {
  Method method = Method::get;
  std::string_view accept_encoding = {};
  std::string_view if_none_match = {};
  bool keeps_alive = false;
  std::int64_t unix_seconds = 0;  // of its Date
};

struct Reply {
  int status = 0;
  std::string head;  // with its empty line
  Body body;         // null: none follows
};

// A Response that breaks its invariant becomes a 500.
[[nodiscard]] Reply make_reply(Response response, const ReplyTerms& terms);

// Whether an If-None-Match field names the tag (RFC 9110, 13.1.2), which is written without quotes.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view etag);

// The words for a status (RFC 9110, 15); "" for one that has none.
[[nodiscard]] std::string_view reason(int status);

// Tue, 14 Nov 2023 22:13:20 GMT
[[nodiscard]] std::string http_date(std::int64_t unix_seconds);

}  // namespace recmeter::http
