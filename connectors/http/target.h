// Target: the request target of RFC 9112, 3.2, taken apart: path and query, decoded. See the invariants of Request.
//
// Pure functions; any thread. Any bytes are a target.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "http/refusal.h"
#include "recmeter/http/request.h"

namespace recmeter::http {

struct Target {
  std::string path;
  Query query;
};

// More parameters are refused.
inline constexpr std::size_t query_parameters_max = 64;

// Of origin form (/path?query) or absolute form (http://host/path?query), whose host does not matter.
[[nodiscard]] Judged<Target> parse_target(std::string_view text);

}  // namespace recmeter::http
