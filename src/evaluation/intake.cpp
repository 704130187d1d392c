#include "recmeter/evaluation/intake.h"

#include <algorithm>
#include <utility>

namespace recmeter {

namespace {

constexpr std::size_t block_bytes_max = 512 << 10;
constexpr std::size_t block_bytes_min = 32 << 10;
constexpr std::size_t beginning_bytes = 16 << 10;     // enough for M_p, where not all partitions can stay open
constexpr std::size_t buffered_bytes_max = 64 << 20;  // of blocks, over all partitions

}  // namespace

Intake::Intake(std::vector<PartitionInput> inputs, IntakeOptions options) : options_(std::move(options)) {
  for (PartitionInput& input : inputs) {
    const std::int64_t begin = input.source->next_offset();
    partitions_.push_back({.input = std::move(input), .raw = {}, .decoded = {}, .read_to = begin});
  }
}

void Intake::begin(std::span<const std::size_t> order, std::vector<std::function<void()>>& tasks) {
  begin_decoding(tasks);
  begin_reading(order, tasks);
}

void Intake::begin_decoding(std::vector<std::function<void()>>& tasks) {
  std::size_t slot = 0;
  for (Partition& partition : partitions_) {
    while (!partition.raw.empty()) {
      if (slot == decoders_.size()) {
        auto& kinds = decoders_.emplace_back();
        for (const DecoderOptions& options : options_.decoders) kinds.push_back(make_decoder(options));
      }
      auto raw = std::make_shared<RecordBatch>(std::move(partition.raw.front()));
      partition.raw.pop_front();
      partition.decoded.push_back({.events = nullptr,
                                   .last = raw->last,
                                   .next_offset = raw->next_offset,
                                   .last_record = raw->last_record,
                                   .lost_before = raw->lost_before,
                                   .lost_records = raw->lost_records});
      if (options_.keep_records) partition.decoded.back().records = raw;
      decoding_.push_back(raw);
      tasks.emplace_back([&to = partition.decoded.back(), &decoder = *decoders_[slot][partition.input.decoder], raw] {
        to.events = std::make_shared<const EventBatch>(decoder.decode(*raw));
      });
      ++slot;
    }
  }
}

// Keeps open, and a few blocks ahead, the first of `order`.
void Intake::begin_reading(std::span<const std::size_t> order, std::vector<std::function<void()>>& tasks) {
  for (std::size_t i = options_.open_max; i < order.size(); ++i) partitions_[order[i]].input.source->suspend();
  order = order.first(std::min(order.size(), options_.open_max));
  if (order.empty()) return;
  const std::size_t ahead = std::max<std::size_t>(2, 2 * options_.threads / order.size());
  for (const std::size_t p : order) {
    Partition& partition = partitions_[p];
    const std::size_t buffered = partition.raw.size() + partition.decoded.size();
    if (partition.read_to_end || buffered >= 2 * ahead) continue;
    const std::size_t blocks = std::min(ahead, 2 * ahead - buffered);
    const bool beginning = partition.input.source->bytes_read() == 0;
    tasks.emplace_back([this, &partition, blocks, bytes = block_bytes(beginning),
                        reuse = std::make_shared<std::vector<RecordBatch>>(take_spare(blocks))] {
      read(partition, blocks, bytes, std::move(*reuse));
    });
  }
}

// Touches what is the partition's own.
void Intake::read(Partition& partition, std::size_t blocks, std::size_t bytes, std::vector<RecordBatch> reuse) const {
  reuse.resize(blocks);
  for (std::size_t b = 0; b < blocks && !partition.read_to_end; ++b) {
    auto block = partition.input.source->read(bytes, std::move(reuse[b]));
    if (!block) {
      partition.outcome = tl::unexpected(std::move(block).error());
      return;
    }
    partition.read_to_end = block->last;
    // Offsets that hold nothing for anybody are passed too, as transactions leave them behind.
    const bool has_passed = std::exchange(partition.read_to, block->next_offset) != block->next_offset;
    if (block->records.empty() && !block->last && !block->lost_before && !has_passed) return;  // nothing is there yet
    partition.raw.push_back(std::move(*block));
  }
}

Result<void> Intake::complete() {
  for (const auto& block : std::exchange(decoding_, {})) {
    if (options_.keep_records) continue;
    block->layout = nullptr;
    block->first_line = 0;
    spare_.push_back(std::move(*block));
  }
  for (Partition& partition : partitions_) {
    if (!partition.outcome) return std::exchange(partition.outcome, {});
  }
  return {};
}

std::optional<Intake::Block> Intake::take(std::size_t partition) {
  auto& decoded = partitions_[partition].decoded;
  if (decoded.empty()) return std::nullopt;
  Block block = std::move(decoded.front());
  decoded.pop_front();
  if (block.last) partitions_[partition].input.source->suspend();
  return block;
}

std::size_t Intake::block_bytes(bool beginning) const {
  if (options_.block_bytes > 0) return options_.block_bytes;
  if (beginning && partitions_.size() > options_.open_max) return beginning_bytes;
  const std::size_t share = buffered_bytes_max / 4 / std::min(partitions_.size(), options_.open_max);
  return std::clamp(share, block_bytes_min, block_bytes_max);
}

std::vector<RecordBatch> Intake::take_spare(std::size_t count) {
  const std::size_t some = std::min(count, spare_.size());
  std::vector<RecordBatch> taken(std::make_move_iterator(spare_.end() - static_cast<std::ptrdiff_t>(some)),
                                 std::make_move_iterator(spare_.end()));
  spare_.resize(spare_.size() - some);
  return taken;
}

}  // namespace recmeter
