// The partitions of a live run, as its parts take them.
#pragma once

#include <vector>

#include "recmeter/evaluation/sequencer.h"
#include "recmeter/live/attach_input.h"

namespace recmeter {

// Puts partitions that the state knows first, in its order: the journal names them by their place.
void put_in_order(std::vector<AttachInput>& inputs, const Checkpoint& checkpoint);
[[nodiscard]] std::vector<Sequencer::PartitionSpec> partition_specs(const std::vector<AttachInput>& inputs);
[[nodiscard]] std::vector<PartitionInput> partitions_of(std::vector<AttachInput>&& inputs);

}  // namespace recmeter
