// Gate: whether a request may be asked at all: by whom (token), under which name (Host), and how (GET and HEAD, a body that
// can be skipped).
//
// Keeps a digest of the token, not the token, and compares digests in constant time: neither its length nor where a guess
// goes wrong shows in how long it takes. Thread safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/request_head.h"
#include "recmeter/base/result.h"
#include "recmeter/http/response.h"
#include "recmeter/http/server_options.h"

namespace recmeter::http {

class Gate {
 public:
  // Reads the token, from its file if it has one. `is_private`: the server listens on loopback.
  [[nodiscard]] static Result<Gate> make(const ServerOptions& options, bool is_private);

  [[nodiscard]] bool has_token() const { return digest_.has_value(); }
  // Why it may not; nothing if it may.
  [[nodiscard]] std::optional<Response> refusal(const RequestHead& head) const;

 private:
  using Digest = std::array<std::uint8_t, 32>;  // SHA-256

  Gate() = default;
  [[nodiscard]] bool is_authorized(std::string_view authorization) const;
  [[nodiscard]] bool is_own_name(std::string_view host) const;

  std::optional<Digest> digest_;
  bool checks_host_ = false;
  std::vector<std::string> hosts_;
  std::uint64_t body_bytes_max_ = 0;
};

}  // namespace recmeter::http
