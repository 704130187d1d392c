// JournalReplay: how a run gets back the joins, panes and windows of the runs before it: it evaluates their journal again, up
// to the watermark that they had, in steps between which it reads on. What it accepts meanwhile lies at or after that
// watermark, as everything that is in time, and waits in the evaluation; and so does what the runs before had left like that
// (Backlog).
//
// Steps are made of tasks that may run beside each other: a piece of the journal is fetched while the one before it is
// decoded and the one before that is evaluated, up to where the next one begins. So no more is in memory than a few pieces.
//
// Thread safety: calls from one thread; not while tasks run. Invariant: when it is done, the evaluation is as if every event
// of the journal it needs had been routed to it and the watermark were `backlog().to`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "live/journal_reader.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation_set.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class JournalReplay {
 public:
  // Of the runs that wrote `from`; `piece`: about so many events of the journal are read at a time, those of `events_from` or
  // later. `store` and `spec` outlive the restoration.
  JournalReplay(const StateStore& store, const EvaluatorSpec& spec, const Checkpoint& from, std::size_t shards,
                std::size_t piece, EventTime events_from);

  // A step: its tasks; and what is to be done when all of them have been run. Errors: state_unusable, storage_failed.
  void begin(GenerationSet& evaluation, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(GenerationSet& evaluation, const LogStart& start);
  // There are no more steps.
  [[nodiscard]] bool is_done() const { return is_done_; }

  // What is routed meanwhile, by shard, belongs to the backlog.
  void count(const std::vector<std::vector<RoutedBatch>>& routed);
  // What a checkpoint has to say now.
  [[nodiscard]] const Backlog& backlog() const { return backlog_; }
  // Everything before it is evaluated; minus_infinity before the first step.
  [[nodiscard]] EventTime reached() const { return reached_; }

 private:
  using Routed = std::vector<std::optional<RoutedBatch>>;  // by shard

  JournalReader reader_;
  std::size_t shards_;
  Backlog backlog_;
  Result<JournalReader::Piece> fetched_;        // the piece after `piece_`
  JournalReader::Piece piece_;                  // is decoded
  std::vector<Result<Routed>> decoded_;         // by part of `piece_`
  std::vector<std::vector<RoutedBatch>> next_;  // to be evaluated in the next step, by shard
  EventTime reached_ = minus_infinity;
  bool is_done_ = false;
};

}  // namespace recmeter
