// The other side of recmeter.recommender/1 as one file of Python, for a model of one's own: python/recmeter/recommender.py,
// which needs nothing but Python.
#pragma once

#include <string_view>

namespace recmeter {

[[nodiscard]] std::string_view python_client();

}  // namespace recmeter
