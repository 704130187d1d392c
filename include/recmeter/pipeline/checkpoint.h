// Checkpoint: where a run that goes on later stands, apart from its events, which are in its journal. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/event/record_batch.h"
#include "recmeter/pipeline/evaluation_counts.h"
#include "recmeter/pipeline/sequencer.h"

namespace recmeter {

struct Checkpoint {
  std::uint64_t number = 0;                             // of checkpoints of this state, from 1
  Sequencer::State sequencer;                           // everything before its watermark has been evaluated
  std::vector<std::int64_t> next_offsets;               // per partition of it, where reading goes on
  std::vector<std::optional<RecordMark>> last_records;  // per partition of it, read last
  EvaluationCounts counts;
  std::uint64_t rows = 0;       // final rows made: the next one's number
  std::uint64_t published = 0;  // of these, how many are known to be published
  std::uint64_t revision = 0;   // of the provisional rows given last
  std::string publisher_position;
};

[[nodiscard]] std::string to_bytes(const Checkpoint& checkpoint);
// Nothing when the bytes are no checkpoint.
[[nodiscard]] std::optional<Checkpoint> checkpoint_from(std::string_view bytes);

}  // namespace recmeter
