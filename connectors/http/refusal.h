// Refusal: why a request is not served. Fixed texts only: nothing of the request is in them.
#pragma once

#include <string_view>

#include "recmeter/base/result.h"

namespace recmeter::http {

struct Refusal {
  int status = 400;
  std::string_view detail;
};

template <class T>
using Judged = tl::expected<T, Refusal>;

[[nodiscard]] inline tl::unexpected<Refusal> refused(int status, std::string_view detail) {
  return tl::unexpected<Refusal>(Refusal{status, detail});
}

}  // namespace recmeter::http
