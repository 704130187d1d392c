#include "support/partitioned_log.h"

#include <algorithm>

#include "recmeter/event/decoder.h"
#include "support/engine_run.h"
#include "support/memory_source.h"

namespace recmeter::support {

namespace {

// The number of the partition that a producer gives a record by its key.
std::uint64_t partition_number(EventDecoder& decoder, const std::string& line, std::uint64_t partitions, Dice& dice) {
  const EventBatch batch = decoder.decode(MemorySource("line", line).read(line.size() + 1, {}).value());
  const std::uint64_t any = dice.below(partitions);
  for (const Event& event : batch.events()) {
    if (event.outcome == Outcome::event) return event.key_hash % partitions;
  }
  return any;
}

}  // namespace

RandomLog in_partitions(const EvaluatorSpec& spec, const RandomLog& log, std::uint64_t partitions, Dice& dice) {
  RandomLog topics;
  for (const BatchInput& input : log.inputs) {
    std::vector<BatchInput> of_topic(partitions, input);
    for (std::uint64_t p = 0; p < partitions; ++p) {
      of_topic[p].name += "/" + std::to_string(p);
      of_topic[p].bytes.clear();
      of_topic[p].is_cut_at_start = input.is_cut_at_start && dice.percent(50);
    }
    const auto decoder = make_decoder(decoder_of(spec, input));
    const std::string bytes = input.bytes.starts_with("\xEF\xBB\xBF") ? input.bytes.substr(3) : input.bytes;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
      const std::string line = bytes.substr(at, end - at) + (bytes[end - 1] == '\n' ? "" : "\n");
      of_topic[partition_number(*decoder, line, partitions, dice)].bytes += line;
      at = end;
    }
    for (auto& partition : of_topic) topics.inputs.push_back(std::move(partition));
  }
  return topics;
}

std::vector<std::string> parts_by_partitions(const EvaluatorSpec& spec, const RandomLog& topics, std::uint64_t partitions,
                                             std::uint32_t count, Dice& dice) {
  std::vector<std::uint32_t> part_of;
  for (std::size_t p = 0; p < topics.inputs.size(); ++p)
    part_of.push_back(static_cast<std::uint32_t>(p % partitions % count));
  std::vector<std::string> partials;
  for (std::uint32_t part = 0; part < count; ++part) {
    const EngineVariant variant{.shards = 1 + dice.below(4), .block_bytes = 1 + dice.below(3000)};
    partials.push_back(run_share(spec, topics.inputs, variant, {.index = part, .count = count}, part_of));
  }
  return partials;
}

}  // namespace recmeter::support
