// What a replay reads: the configured files, or those of the command line, as partitions with their ways of decoding.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/pipeline/replay.h"

namespace recmeter {

struct ReplayInputs {
  std::vector<ReplayInput> partitions;
  std::vector<DecoderOptions> decoders;
  Duration lateness_max;
  std::vector<std::string> paths;  // as they were named
};

// `files`: from the command line; they take the place of the configured inputs. `stop` outlives the inputs.
[[nodiscard]] Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files,
                                                 const std::atomic<bool>& stop);

}  // namespace recmeter
