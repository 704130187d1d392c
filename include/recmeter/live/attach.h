// attach: a run over partitions that go on, whose state outlives it: what a replay of the same records would give, published
// once each window is final.
//
// It works in rounds, as Replay does. Every so often, and before rows are published, a checkpoint puts into the store in one
// batch: where each partition is read on, what clocks and counts know, the events noted since the last one
// (live/journal.h) and the rows that became final. A run that goes on from a store publishes again what was not known to
// be published, reads the journal again, so has the joins and panes of the run before, and reads on while it does
// (live/journal_replay.h). docs/decisions/0012, 0027, 0041.
//
// The parts: reading_order.h says which partitions are read next, live_evaluation.h how far is evaluated, outbox.h keeps
// final rows until they are published, provisional_feed.h makes those that may still change; state_keys.h has the keys of the
// store. A checkpoint moves past a record only when its dead letter is delivered: while that cannot be done nothing more is
// sequenced. Thread safety: attach() runs on one thread; the executor's threads run what may run at the same time.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/live/attach_input.h"
#include "recmeter/live/dead_letter_queue.h"
#include "recmeter/live/generation_set.h"
#include "recmeter/live/run_host.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/rendered_row.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct AttachOptions {
  std::vector<DecoderOptions> decoders;
  std::size_t shards = 1;  // 1 to 256
  std::size_t block_bytes = 0;
  std::size_t journal_piece = 50'000;  // events of the journal that are read at a time, about
  std::size_t backlog_max = 500'000;   // events that are read before the journal has been, about
  // A checkpoint is due when what it would write, rows and events, takes so much memory, about; rows are made in steps of
  // event time that make no more of them.
  std::size_t unkept_bytes_max = std::size_t{32} << 20;
  std::uint64_t rows_waiting_max = 1'000'000;  // final rows that cannot be published; nothing more is read then
  Duration align{5 * 60 * 1000};               // how far one partition may run ahead of another
  Duration checkpoint_every{1000};
  Duration publish_every{5000};         // provisional rows, where somebody wants them
  Duration keep_results{0};             // rows for queries, in the state (live/row_archive.h)
  Duration keep_sums{0};                // sums of rows that have them, in the state (live/kept_sums.h)
  bool wants_provisional = false;       // the host and the kept results do, if the publisher does not
  Duration drain_patience{10'000};      // for dead letters that are under way when it is to end
  DeadLetters* dead_letters = nullptr;  // where records with these fates go; their sources give envelopes
  LetterFates letter_fates = {};
  std::string program = {};  // which arithmetic it has, as KeptPanes says
  // For what is kept as long as the longest horizon; outlives the run.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

// Runs until `host` says that it is to end; then drains: what was read is evaluated, kept and published as far as it is
// final. `generations`: those of the state, the oldest first; at least one. Sources of `inputs` stand where the checkpoint in
// `store` says, by their names. Errors: state_unusable, storage_failed, those of sources and of the publisher, interrupted.
[[nodiscard]] Result<Report> attach(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs,
                                    AttachOptions options, StateStore& store, Executor& executor, RowPublisher& publisher,
                                    RunHost& host);

}  // namespace recmeter
