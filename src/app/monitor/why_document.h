// WhyDocument: what the API answers about why a metric changed, of the sums that a live run keeps. [I6.16].
//
// Pure but for reading the store. Errors: config_invalid: what was asked for is not there; input_missing: nothing is kept of
// it, or nothing to compare; state_unusable, storage_failed.
#pragma once

#include <string>

#include "app/monitor/published_schema.h"
#include "app/why/question.h"
#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// `kept`: null: nothing is kept.
[[nodiscard]] Result<std::string> why_document(const PublishedSchema& schema, const StateStore* kept,
                                               const why::Question& asked);

}  // namespace recmeter
