// Change: the two rows that `recmeter why` compares, and those of the values of each segment key below them. [S16.9].
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/why/kept_means.h"
#include "recmeter/attribution/attribution.h"
#include "recmeter/base/result.h"

namespace recmeter::why {

// With what the window is compared: the one a day before, or, where there is none, the one before; the one so long before;
// the newest one that ends by then.
using Against = std::variant<std::monostate, Duration, EventTime>;

struct Request {
  std::string metric;
  std::string window = {};           // "": the longest that has what is compared
  std::optional<EventTime> at = {};  // the newest window by default
  Against against = {};
  std::string key = {};  // "": two windows; else two values of this key in one window
  std::string a = {};
  std::string b = {};
  std::string by = {};  // "": all keys
};

// Errors: config_invalid: what is asked for does not go together.
[[nodiscard]] Result<void> check(const Request& request);
[[nodiscard]] KeepRule keep_rule_of(const Request& request);

struct Change {
  std::string window;
  Duration horizon;
  KeptMean a;
  KeptMean b;
  std::vector<KeyRows> keys;                    // by name
  std::vector<std::string> keys_left_out = {};  // some of their rows are missing
  bool has_factors = false;
};

// Errors: config_invalid: what was asked for is not there; input_missing: nothing to compare; input_corrupt: rows of several
// evaluators, or rows that do not add up.
[[nodiscard]] Result<Change> change_of(const KeptMeans& means, const Request& request);

}  // namespace recmeter::why
