// RunReporter: what a live run says of itself: its accounting and, about once a second, how it stands.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>

#include "live/checkpoint_clock.h"
#include "live/live_evaluation.h"
#include "live/outbox.h"
#include "live/provisional_feed.h"
#include "live/read_positions.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/evaluation/sequencer.h"
#include "recmeter/live/dead_letter_queue.h"
#include "recmeter/live/run_host.h"
#include "recmeter/result/report.h"

namespace recmeter {

// The parts of a run, which outlive their reporter.
struct RunParts {
  const Intake& intake;
  const Sequencer& sequencer;
  const ReadPositions& positions;
  const LiveEvaluation& evaluation;
  const ProvisionalFeed& provisional;
  const DeadLetterQueue& letters;
  const Outbox& outbox;
  const CheckpointClock& checkpoints;
};

class RunReporter {
 public:
  explicit RunReporter(const RunParts& parts) : parts_(parts) {}

  [[nodiscard]] Report report() const;
  // Tells `host` how the run stands, if it is time; `publish_errors`: as RowPublisher's.
  void update(RunHost& host, bool is_held, std::uint64_t publish_errors);

 private:
  void add_partitions(RunStatus& status) const;

  RunParts parts_;
  EventTime last_ = minus_infinity;  // by the reader's clock
  EventTime next_ = minus_infinity;  // by the reader's clock
  std::uint64_t read_at_last_ = 0;   // events
};

}  // namespace recmeter
