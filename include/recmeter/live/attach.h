// Attach: a run over partitions that go on, whose state outlives it: what a replay of the same records would give, published
// once each window is final.
//
// It works in rounds, as Replay does. Every so often, and before rows are published, a checkpoint puts into the store in one
// batch: where each partition is read on, what clocks and counts know, the events noted since the last one
// (live/journal.h) and the rows that became final. A run that goes on from a store publishes again what was not known to
// be published, reads the journal again, so has the joins and panes of the run before, and reads on while it does
// (live/journal_replay.h). docs/decisions/0012, 0027, 0041.
//
// Keys of the store: "c" the Checkpoint, "d" the position of the dead letters, 'g' the generations, 'i' the index of
// positions, 'j' the journal, 'o' and a number the rows not known to be published, 'q', 'r' and 's' the rows kept for
// queries. A checkpoint moves past a record only when its dead letter is delivered: while that cannot be done nothing more is
// sequenced. Thread safety: run() is called once, from one thread; the executor's threads run what may run at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/dead_letter_queue.h"
#include "recmeter/live/generation_set.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter {

struct AttachInput {
  PartitionInput partition;
  Duration idle_after{5 * 60 * 1000};
};

// What a run does next: hold means that it reads and publishes nothing, and keeps what it has.
enum class RunMode : std::uint8_t { go_on, hold, end };

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
  Duration publish_every{5000};             // provisional rows, where somebody wants them
  Duration keep_results{0};                 // rows for queries, in the state (live/row_archive.h)
  bool wants_provisional = false;           // `seen` and the kept results do, if the publisher does not
  Duration drain_patience{10'000};          // for dead letters that are under way when it is to end
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, the run finishes what it has and ends
  std::function<bool()> abandon = {};   // once true, the run ends as if it was killed, with Errc::interrupted; may be empty
  std::function<EventTime()> now;       // the reader's clock
  std::function<void()> wait;           // called when there was nothing to do
  DeadLetters* dead_letters = nullptr;  // where records with these fates go; their sources give envelopes
  LetterFates letter_fates = {};
  std::function<Result<RunMode>()> mode = {};  // asked in every round; end is as `stop`
  // Told after every checkpoint where each partition is read on, by name.
  std::function<void(std::map<std::string, std::int64_t>)> kept = {};
  std::function<void(const RunStatus&)> status = {};  // told how it stands, about once a second of `now`
  std::function<void(const Row&)> seen = {};          // told of every row as it is made, provisional ones too
  std::function<void(RunMode)> pulse = {};  // called in every round, on hold too, and while the end waits for letters
  std::function<bool()> has_room = {};      // false: nothing is sequenced or kept until it is true again
  Tell tell = {};                           // told what a user should know while it goes on, once each
  std::function<void(std::string_view)> passes = {};  // told of named points on the way; for tests that end it there
  // For what is kept as long as the longest horizon; outlives the run.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

class Attach {
 public:
  // `generations`: those of the state, the oldest first; at least one. Sources of `inputs` stand where the checkpoint in
  // `store` says, by their names. Plans, `store`, `executor` and `publisher` outlive the run.
  Attach(const std::vector<PlannedGeneration>& generations, std::vector<AttachInput> inputs, AttachOptions options,
         StateStore& store, Executor& executor, RowPublisher& publisher);
  ~Attach();

  // Until it is to end; then drains: what was read is evaluated, kept and published as far as it is final.
  [[nodiscard]] Result<Report> run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
