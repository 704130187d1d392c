// What `recmeter prequential` says of a run, in sentences and in its report. [I5.7].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/prequential/prequential_run.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

// A sentence of the run, and one for each recommender in another program.
[[nodiscard]] std::vector<std::string> prequential_summary(const PrequentialResult& result);
// What makes the rows doubtful, as sentences.
[[nodiscard]] std::vector<std::string> prequential_warnings(const PrequentialSpec& rules, const PrequentialResult& result);
// The report of the log, with the rows that were written, the warnings, and the member `prequential`. JSON.
[[nodiscard]] std::string prequential_report(const PrequentialSpec& rules, std::span<const std::uint32_t> cutoffs,
                                             const PrequentialResult& result);

}  // namespace recmeter
