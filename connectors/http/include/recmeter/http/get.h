// get: one question to an HTTP server, and its answer. For polling; streams are not read.
//
// Any thread. The call waits for at most the deadline, but for the look-up of a host's name, which takes what the system's
// resolver does. Redirects are not followed: a 3xx is an answer. https verifies chain and host name, TLS 1.2 or newer.
//
// Errors: config_invalid (URL, token, certificate file); input_missing (no such host, nobody listens); input_unreadable (no
// answer within the deadline, certificate not trusted, answer malformed, cut off or too large); interrupted (`stop`). The
// token is in none of them; what the server said may be, so they are to be made printable.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::http {

struct GetOptions {
  std::string token = {};                      // sent as `Authorization: Bearer ...`; "": none
  std::string ca_file = {};                    // PEM, trusted besides what the system trusts; "": none
  std::chrono::milliseconds deadline{10'000};  // from the call to the last byte
  std::size_t body_bytes_max = 16 << 20;       // a longer answer is an error, however it is announced
  const std::atomic<bool>* stop = nullptr;     // watched while waiting; seen within a tenth of a second. Outlives the call
};

struct Fetched {
  int status = 0;            // 100 to 599
  std::string content_type;  // as sent; "": none
  std::string body;
};

[[nodiscard]] Result<Fetched> get(const std::string& url, const GetOptions& options);

// The token in a file, without the line end. Errors: config_invalid.
[[nodiscard]] Result<std::string> read_token_file(const std::string& path);

}  // namespace recmeter::http
