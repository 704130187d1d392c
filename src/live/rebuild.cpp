#include "recmeter/live/rebuild.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "live/journal.h"
#include "live/journal_digest.h"
#include "live/position_index.h"
#include "recmeter/live/kept_experiments.h"

namespace recmeter {

namespace {

using Positions = std::map<std::string, PositionIndex::Position>;

// With where the partitions stand now, as the last entry of the index.
Result<Positions> positions_for(const StateStore& store, const Checkpoint& checkpoint, EventTime from) {
  auto positions = PositionIndex::positions_for(store, from);
  if (!positions) return positions;
  const auto& partitions = checkpoint.sequencer.partitions;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const EventTime max_time = partitions[p].clock.max_time.value_or(minus_infinity);
    const PositionIndex::Position now{.next_offset = checkpoint.positions[p].next_offset, .max_time = max_time};
    const auto [at, is_only] = positions->try_emplace(partitions[p].name, now);
    if (!is_only && partitions[p].clock.max_time && max_time < from) at->second = now;
  }
  return positions;
}

}  // namespace

// Rows not yet made are of windows whose end + horizon lies after rows_to. A record that was too far ahead of its broker, and
// is not by the new rule, stands that much before the events of its time.
Result<EventTime> rebuild(StateStore& store, const Checkpoint& from, const EvaluatorPlan& plan, const Generation& generation,
                          const std::function<bool(std::string_view partition)>& is_input) {
  const EventTime needed =
      from.rows_to == minus_infinity ? minus_infinity : from.rows_to - plan.event_memory() - plan.spec->time.max_future_skew;
  const auto positions = positions_for(store, from, needed);
  if (!positions) return tl::unexpected(positions.error());
  Checkpoint to{.number = from.number + 1,
                .sequencer = {},
                .positions = {},
                .outcomes = {},
                .rows_to = from.rows_to,
                .rows = from.rows,
                .published = from.published,
                .revision = from.revision,
                .publisher_position = from.publisher_position};
  for (std::size_t p = 0; p < from.positions.size(); ++p) {
    const Sequencer::PartitionState& partition = from.sequencer.partitions[p];
    if (!is_input(partition.name)) continue;
    const PositionIndex::Position& position = positions->at(partition.name);
    to.sequencer.partitions.push_back({.name = partition.name,
                                       .clock = {},
                                       .counts = {},
                                       .is_cut_at_start = partition.is_cut_at_start || position.max_time != minus_infinity});
    to.positions.push_back(
        {.unit = from.positions[p].unit, .next_offset = position.next_offset, .last_record = {}, .decided = {}});
  }
  StateBatch batch;
  JournalDigest::drop_all(batch);
  Journal::drop_all(batch);  // sealed panes go with their generations
  erase_all_experiments(batch);
  put_only_generation(batch, generation);
  PositionIndex::drop_all(batch);
  put_checkpoint(batch, to);
  if (auto written = store.write(batch, StateStore::Durability::machine); !written) {
    return tl::unexpected(std::move(written).error());
  }
  return needed;
}

}  // namespace recmeter
