// Url: where a client asks, taken apart. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "recmeter/base/result.h"

namespace recmeter::http {

struct Url {
  bool is_tls = false;
  std::string host;    // without the brackets of an IPv6 address
  std::string port;    // decimal, 1 to 65535
  std::string target;  // from the first `/` on, with its query; "/" where the text has none

  // host:port as a header Host has it.
  [[nodiscard]] std::string authority() const;
};

// `http://host[:port][/path][?query]`, `https://...`; without a scheme it is http. No user, no fragment, and of ASCII what
// needs no escape only. Errors: config_invalid, with an example.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

// `text` as the value of a query parameter: everything but letters, digits and -._~ as %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace recmeter::http
