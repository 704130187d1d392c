#include "live/attach_inputs.h"

#include <algorithm>
#include <string>
#include <utility>

namespace recmeter {

void put_in_order(std::vector<AttachInput>& inputs, const Checkpoint& checkpoint) {
  const auto& known = checkpoint.sequencer.partitions;
  std::stable_sort(inputs.begin(), inputs.end(), [&](const AttachInput& a, const AttachInput& b) {
    const auto place = [&](const AttachInput& input) {
      return std::find_if(known.begin(), known.end(),
                          [&](const auto& p) { return p.name == input.partition.source->name(); });
    };
    return place(a) < place(b);
  });
}

std::vector<Sequencer::PartitionSpec> partition_specs(const std::vector<AttachInput>& inputs) {
  std::vector<Sequencer::PartitionSpec> specs;
  for (const AttachInput& input : inputs) {
    const RecordSource& source = *input.partition.source;
    specs.push_back({std::string(source.name()), input.partition.lateness, source.is_cut_at_start()});
  }
  return specs;
}

std::vector<PartitionInput> partitions_of(std::vector<AttachInput>&& inputs) {
  std::vector<PartitionInput> partitions;
  for (AttachInput& input : inputs) partitions.push_back(std::move(input.partition));
  return partitions;
}

}  // namespace recmeter
