// First records: those of a log that infer tries its proposals on.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/event/decoder.h"

namespace recmeter {

// Opens what a replay would read, cut to the first sample_records_max records of each source. Errors: those of
// replay_inputs().
[[nodiscard]] Result<ReplayInputs> first_records(const Config& config, const std::vector<std::string>& files,
                                                 const std::atomic<bool>& stop);

// Decodes them in order, source by source, and shows each batch of records with its events. `adjust` changes how a source is
// decoded. Errors: those of first_records() and of its sources.
[[nodiscard]] Result<void> decode_first_records(const Config& config, const std::vector<std::string>& files,
                                                const std::atomic<bool>& stop,
                                                const std::function<void(const RecordBatch&, const EventBatch&)>& show,
                                                const std::function<void(DecoderOptions&)>& adjust = {});

}  // namespace recmeter
