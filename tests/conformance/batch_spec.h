// An EvaluatorSpec from a JSON file of the batch evaluator's own: plain numbers, no durations, no YAML, none of the product's
// configuration code. Every member is optional but `horizons` and `actions`; times in milliseconds.
//
//   {"name": "default", "config": "0000000000000000", "key": "user", "not_users": [], "credit": "last_touch",
//    "horizons": [1800000], "actions": [{"name": "click", "gain": 1, "after": "view", "horizon": 60000}],
//    "skew": 0, "same_list": 1800000, "assemble": 10000, "max_step": 3600000, "allowed_lateness": 60000,
//    "windows": [{"name": "minute", "size": 60000, "slide": 60000, "offset": 0}],
//    "segments": [{"keys": ["variant"], "keep": [["A"]]}], "catalog": {"size": 10, "items": ["a"]},
//    "cutoffs": [1, 5, 10], "confidence": 0.95, "metrics": ["precision", {"name": "ndcg_list", "as": "x", "gain": "exp2",
//    "ap_denominator": "k", "beta": 2}], "limits": {"list_items": 1000, "segment_values": 200}}
#pragma once

#include <string>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::conformance {

struct BatchSpec {
  EvaluatorSpec evaluator;
  Duration allowed_lateness{60000};  // of every input
};

[[nodiscard]] Result<BatchSpec> parse_batch_spec(const std::string& text);

}  // namespace recmeter::conformance
