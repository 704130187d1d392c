#include "live/journal_replay.h"

#include <algorithm>
#include <utility>

#include "live/journal.h"

namespace recmeter {

// What this run notes meanwhile it has anyway. Without a backlog everything was evaluated up to the watermark.
JournalReplay::JournalReplay(const StateStore& store, const EvaluatorSpec& spec, const Checkpoint& from, std::size_t shards,
                             std::size_t piece, EventTime events_from)
    : reader_(store, spec.join.key, kinds_of(spec),
              {.from = std::max(events_from, EventTime{0}), .noted_by = from.number, .partitions = from.positions.size()},
              piece),
      shards_(shards),
      backlog_(from.backlog.value_or(Backlog{.to = from.sequencer.watermark})),
      fetched_(reader_.fetch()),
      next_(shards) {}

void JournalReplay::begin(GenerationSet& evaluation, std::vector<std::function<void()>>& tasks) {
  if (!fetched_ || is_done_) return;
  evaluation.receive(std::exchange(next_, std::vector<std::vector<RoutedBatch>>(shards_)));
  piece_ = std::move(*fetched_);
  reached_ = std::min(piece_.first, backlog_.to);
  evaluation.begin(reached_, tasks);
  decoded_.assign(piece_.parts.size(), Routed());
  for (std::size_t p = 0; p < piece_.parts.size(); ++p) {
    tasks.emplace_back([this, p] { decoded_[p] = reader_.decode(piece_.parts[p], shards_); });
  }
  if (piece_.first != plus_infinity) tasks.emplace_back([this] { fetched_ = reader_.fetch(); });
}

Result<void> JournalReplay::complete(GenerationSet& evaluation, const LogStart& start) {
  if (is_done_) return {};
  if (!fetched_) return tl::unexpected(fetched_.error());
  for (Result<Routed>& part : decoded_) {
    if (!part) return tl::unexpected(std::move(part).error());
    for (std::size_t s = 0; s < shards_; ++s) {
      if ((*part)[s]) next_[s].push_back(std::move(*(*part)[s]));
    }
  }
  decoded_.clear();
  if (auto done = evaluation.complete(start); !done) return done;
  is_done_ = piece_.first == plus_infinity;
  return is_done_ ? evaluation.advance(backlog_.to, start) : Result<void>();
}

void JournalReplay::count(const std::vector<std::vector<RoutedBatch>>& routed) {
  for (const auto& batches : routed) {
    for (const RoutedBatch& batch : batches) backlog_.events += batch.events.size();
  }
}

}  // namespace recmeter
