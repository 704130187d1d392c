// Entries that are found by a key, as GA4 writes parameters: [{"key": "variant", "value": {"string_value": "B"}}].
#pragma once

#include "app/infer/log_sample.h"

namespace recmeter {

// Adds a column for each such entry and value: `event_params[key=variant].value.string_value`. Requires: lists are read.
void add_keyed_entries(LogSample& sample);

}  // namespace recmeter
