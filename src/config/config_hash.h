// config_hash: the fingerprint of what the values of a row mean. [I4], `config`.
//
// XXH3-64 of a canonical text, as 16 lower-case hex digits. Its lines come from `join` without `horizons`, `ratings`,
// `catalog` and the metrics with the options that change their definition; never from inputs, time, horizons, windows,
// segments or paths. The order in which actions, placeholder ids, metrics and cutoffs are written does not matter.
// The form of the text is part of the contract: a change of it changes every hash (tests/unit/config pins one).
#pragma once

#include <string>

#include "config/config.h"

namespace recmeter {

[[nodiscard]] std::string config_canonical_text(const EvaluatorSpec& spec);
[[nodiscard]] std::string config_hash(const EvaluatorSpec& spec);

}  // namespace recmeter
