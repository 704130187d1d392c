// What a replay reads: the configured files and topics, or the command line's files, as partitions with their ways of
// decoding.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/run/topic_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"

namespace recmeter {

struct ReplayInputs {
  std::vector<PartitionInput> partitions;
  std::vector<DecoderOptions> decoders;  // first one for each input
  Duration lateness_max;
  std::vector<std::string> paths;  // as they were named
};

// How the records of an input are read. `rows`: that they are rows of text.
[[nodiscard]] DecoderOptions decoder_for(const Config& config, const InputSpec& input, bool rows);
// Of a topic's messages.
[[nodiscard]] DecoderOptions decoder_for(const Config& config, const InputSpec& input);

// `files`: from the command line; they take the place of the configured inputs. `from`: the first window's start, from which
// follows what has to be read of topics. `open_topics`: null in a build without Kafka. `stop` outlives the inputs.
[[nodiscard]] Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files, EventTime from,
                                                 OpenTopicInputs* open_topics, const std::atomic<bool>& stop);

}  // namespace recmeter
