// RequestHead: the head of a request, parsed by Beast, as plain values.
//
// Pure function; any thread. Framing is settled here: at most one Content-Length, of digits; any Transfer-Encoding is noted
// and refused later, so that nobody who stands before this server can have seen another end of the request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/refusal.h"

namespace recmeter::http {

struct RequestHead {
  std::string method;
  std::string target;
  std::string host;
  std::string authorization;
  std::string accept;
  std::string accept_encoding;
  std::string if_none_match;
  std::string last_event_id;
  std::uint64_t content_length = 0;
  bool is_chunked = false;  // or of another transfer coding
  bool has_expectation = false;
  bool keeps_alive = true;  // as the client wishes
};

// `text`: what HeadScanner calls a head.
[[nodiscard]] Judged<RequestHead> parse_head(std::string_view text);

}  // namespace recmeter::http
