// Attach: a run over partitions that go on, whose state outlives it: what a replay of the same records would give, published
// once each window is final.
//
// It works in rounds, as Replay does. Every so often, and before rows are published, a checkpoint puts into the store in one
// batch: where each partition is read on, what clocks and counts know, the events noted since the last one
// (pipeline/journal.h) and the rows that became final. A run that goes on from a store reads the journal again, so has the
// joins and panes of the run before, and publishes again what was not known to be published. docs/decisions/0012.
//
// Keys of the store: "c" the Checkpoint, "d" the position of the dead letters, 'j' the journal, 'o' and a number the rows not
// known to be published. A checkpoint moves past a record only when its dead letter is delivered: while that cannot be done
// nothing more is sequenced.
// Thread safety: run() is called once, from one thread; the executor's threads run what may run at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/pipeline/checkpoint.h"
#include "recmeter/pipeline/evaluator_plan.h"
#include "recmeter/pipeline/intake.h"
#include "recmeter/pipeline/letter_box.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct AttachInput {
  PartitionInput partition;
  Duration idle_after{5 * 60 * 1000};
};

struct AttachOptions {
  std::vector<DecoderOptions> decoders;
  std::size_t shards = 1;  // 1 to 256
  std::size_t block_bytes = 0;
  Duration align{5 * 60 * 1000};  // how far one partition may run ahead of another
  Duration checkpoint_every{1000};
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, the run finishes what it has and ends
  std::function<EventTime()> now;           // the reader's clock
  std::function<void()> wait;               // called when there was nothing to do
  DeadLetters* dead_letters = nullptr;      // where records with these fates go; their sources give envelopes
  LetterFates letter_fates = {};
  Duration drain_patience{10'000};                    // for dead letters that are under way when it is to end
  std::function<void()> pulse = {};                   // called each round, and when it begins to finish
  std::function<bool()> has_room = {};                // false: nothing is sequenced or kept until it is true again
  std::function<void(std::string_view)> tell = {};    // told what a user should know while it goes on, once each
  std::function<void(std::string_view)> passes = {};  // told of named points on the way; for tests that end it there
};

// Where a run with this store goes on; nothing when the store is new. Errors: state_unusable, storage_failed.
[[nodiscard]] Result<std::optional<Checkpoint>> checkpoint_in(const StateStore& store);

class Attach {
 public:
  // Sources of `inputs` stand where the checkpoint in `store` says, by their names. `plan`, `store`, `executor` and
  // `publisher` outlive the run.
  Attach(const EvaluatorPlan& plan, std::vector<AttachInput> inputs, AttachOptions options, StateStore& store,
         Executor& executor, RowPublisher& publisher);
  ~Attach();

  // Until stopped; then drains: what was read is evaluated, kept and published as far as it is final.
  [[nodiscard]] Result<Report> run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
