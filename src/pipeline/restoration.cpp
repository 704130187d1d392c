#include "recmeter/pipeline/restoration.h"

#include <algorithm>
#include <utility>

#include "recmeter/pipeline/journal.h"

namespace recmeter {

namespace {

// Without a backlog everything has been evaluated.
Backlog backlog_of(const Checkpoint& from) {
  return from.backlog.value_or(Backlog{.after = from.number, .evaluated_to = from.sequencer.watermark});
}

void append(std::vector<std::vector<RoutedBatch>>& to, std::vector<std::optional<RoutedBatch>>&& routed) {
  for (std::size_t s = 0; s < to.size(); ++s) {
    if (routed[s]) to[s].push_back(std::move(*routed[s]));
  }
}

}  // namespace

Restoration::Restoration(const StateStore& store, const EvaluatorSpec& spec, const Checkpoint& from, std::size_t shards,
                         std::size_t piece)
    : reader_(store, spec.join.key, spec.join.actions.size(), {.noted_by = from.number}, piece),
      shards_(shards),
      backlog_(backlog_of(from)),
      fetched_(reader_.fetch()),
      next_(shards),
      held_(shards) {}

void Restoration::begin(Generations& evaluation, std::vector<std::function<void()>>& tasks) {
  if (!fetched_ || is_done_) return;
  evaluation.receive(std::exchange(next_, std::vector<std::vector<RoutedBatch>>(shards_)));
  piece_ = std::move(*fetched_);
  reached_ = std::min(piece_.first, backlog_.evaluated_to);
  evaluation.begin(reached_, tasks);
  decoded_.assign(piece_.parts.size(), Routed());
  for (std::size_t p = 0; p < piece_.parts.size(); ++p) {
    tasks.emplace_back([this, p] { decoded_[p] = reader_.decode(piece_.parts[p], shards_); });
  }
  if (piece_.first != plus_infinity) tasks.emplace_back([this] { fetched_ = reader_.fetch(); });
}

// Events of a backlog were counted when they were noted.
Result<void> Restoration::complete(Generations& evaluation, const LogStart& start) {
  if (is_done_) return {};
  if (!fetched_) return tl::unexpected(fetched_.error());
  for (std::size_t p = 0; p < decoded_.size(); ++p) {
    if (!decoded_[p]) return tl::unexpected(std::move(decoded_[p]).error());
    append(piece_.parts[p].checkpoint <= backlog_.after ? next_ : held_, std::move(*decoded_[p]));
  }
  decoded_.clear();
  if (auto done = evaluation.complete(start); !done) return done;
  is_done_ = piece_.first == plus_infinity;
  return is_done_ ? evaluation.advance(backlog_.evaluated_to, start) : Result<void>();
}

void Restoration::hold(std::vector<std::vector<RoutedBatch>>&& routed) {
  for (std::size_t s = 0; s < routed.size(); ++s) {
    for (RoutedBatch& batch : routed[s]) {
      backlog_.events += batch.events.size();
      held_[s].push_back(std::move(batch));
    }
  }
}

}  // namespace recmeter
