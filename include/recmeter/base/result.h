// Result<T>: a value or an Error. The one place where a third-party type (tl::expected) stands in a public signature.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "recmeter/base/error.h"

namespace recmeter {

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> failure(Errc code, std::string context) {
  return tl::unexpected<Error>(Error{code, std::move(context)});
}

}  // namespace recmeter
