// Restoration: how a run gets back the joins, panes and windows of the runs before it: it evaluates their journal again, in
// steps between which it reads on. What is routed meanwhile is held until that is done, and so is what the runs before had
// noted but not evaluated (Backlog).
//
// Steps are made of tasks that may run beside each other: a piece of the journal is fetched while the one before it is
// decoded and the one before that is evaluated, up to where the next one begins. So no more is in memory than a few pieces.
//
// Thread safety: calls from one thread; not while tasks run. Invariants: (1) when it is done, the evaluation is as if every
// event noted up to `backlog.after` had been routed and the watermark were `backlog.evaluated_to`; (2) every other event is
// held exactly once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/pipeline/checkpoint.h"
#include "recmeter/pipeline/evaluator_spec.h"
#include "recmeter/pipeline/generations.h"
#include "recmeter/pipeline/journal_reader.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class Restoration {
 public:
  // Of the runs that wrote `from`; `piece`: about so many events of the journal are read at a time. `store` and `spec`
  // outlive the restoration.
  Restoration(const StateStore& store, const EvaluatorSpec& spec, const Checkpoint& from, std::size_t shards,
              std::size_t piece);

  // A step: its tasks; and what is to be done when all of them have been run. Errors: state_unusable, storage_failed.
  void begin(Generations& evaluation, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(Generations& evaluation, const LogStart& start);
  // There are no more steps.
  [[nodiscard]] bool is_done() const { return is_done_; }

  // Keeps what was routed for take_held().
  void hold(std::vector<std::vector<RoutedBatch>>&& routed);
  // All that is held, by shard.
  [[nodiscard]] std::vector<std::vector<RoutedBatch>> take_held() { return std::move(held_); }

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
  std::vector<std::vector<RoutedBatch>> held_;  // by shard
  EventTime reached_ = minus_infinity;
  bool is_done_ = false;
};

}  // namespace recmeter
