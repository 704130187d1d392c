// What a replay reads: the configured files and topics, or the command line's files, as partitions with their ways of
// decoding.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/message_schemas.h"
#include "app/run/topic_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/file/container.h"
#include "recmeter/file/open_file.h"

namespace recmeter {

// A source that can be read again.
struct ReopenableLog {
  std::function<Result<std::unique_ptr<RecordSource>>()> open;
  // About `bytes` of records at each of so many places of it; as file::sample_log().
  std::function<Result<std::vector<RecordBatch>>(std::size_t places, std::size_t bytes)> sample;
};

struct ReplayInputs {
  std::vector<PartitionInput> partitions;
  std::vector<std::optional<ReopenableLog>> logs;  // for each partition; none: a stream, of a dump or of a topic
  std::vector<std::string> formats;                // what each partition is read as, a format_sentence(); "" for a stream
  std::vector<std::string> lacking;                // a sentence for each file that lacks columns that are read
  file::FileOptions file_options;
  std::vector<DecoderOptions> decoders;  // first one for each input
  Duration lateness_max;
  std::vector<std::string> paths;  // as they were named
};

// "it is read as CSV, since ...; if it is in another format, set inputs.format", or that this key says so.
[[nodiscard]] std::string format_sentence(const file::FoundContainer& found);
// How the records of an input are read that come in such a container.
[[nodiscard]] DecoderOptions decoder_for(const Config& config, const InputSpec& input, file::Container container);
// Of a topic's messages. `form`: of those that need one.
[[nodiscard]] DecoderOptions decoder_for(const Config& config, const InputSpec& input, const MessageSchemas& form);

// What a build without Kafka does not have; each may be null.
struct InputEdges {
  OpenTopicInputs* open_topics = nullptr;
  OpenMessages* open_messages = nullptr;
};

// `files`: from the command line; they take the place of the configured inputs. `from`: the first window's start, from which
// follows what has to be read of topics. `open_topics`: null in a build without Kafka. `ends`: of topics; empty: as they are
// now. `stop` outlives the inputs.
[[nodiscard]] Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files, EventTime from,
                                                 const InputEdges& edges, const std::atomic<bool>& stop,
                                                 const PinnedEnds& ends = {});

}  // namespace recmeter
