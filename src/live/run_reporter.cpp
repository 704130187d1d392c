#include "live/run_reporter.h"

#include <algorithm>
#include <utility>

namespace recmeter {

Report RunReporter::report() const {
  Report report;
  report.complete = true;
  report.partitions = parts_.sequencer.report();
  report.invalid_reasons = parts_.sequencer.invalid_reasons();
  const EvaluationCounts counts = parts_.evaluation.counts();
  report.lists = counts.lists;
  report.feedback = counts.outcomes;
  for (std::size_t lane = 0; lane < counts.lanes.size(); ++lane) {
    report.lanes.push_back(parts_.evaluation.plan().lanes[lane + 1]->report_of(counts.lanes[lane]));
  }
  report.rows_final = parts_.outbox.rows() - parts_.outbox.looks();
  report.rows_provisional = parts_.provisional.rows_given();
  for (std::size_t p = 0; p < report.partitions.size(); ++p) report.partitions[p].events += counts.decided[p];
  report.add_up();
  return report;
}

void RunReporter::update(RunHost& host, bool is_held, std::uint64_t publish_errors) {
  const EventTime now = host.now();
  if (now < next_) return;
  constexpr Duration period{1000};
  const EventTime last = std::exchange(last_, now);
  next_ = now + period;
  RunStatus status{.report = report(),
                   .watermark = parts_.evaluation.evaluated_to(),
                   .partitions = {},
                   .held_back_by = parts_.sequencer.slowest(),
                   .now = now,
                   .restored_to = parts_.evaluation.replayed_to(),
                   .is_held = is_held,
                   .has_room = host.has_room(),
                   .letters_under_way = parts_.letters.under_way(),
                   .letters_wait_since = parts_.letters.waits_since(),
                   .rows_waiting = parts_.outbox.waiting() - parts_.outbox.looks_waiting(),
                   .looks = parts_.outbox.looks(),
                   .looks_waiting = parts_.outbox.looks_waiting(),
                   .checkpoints = parts_.checkpoints.number(),
                   .last_checkpoint = parts_.checkpoints.last(),
                   .last_gap = parts_.positions.last_gap(),
                   .row_latency = parts_.outbox.latency(),
                   .checkpoint_time = parts_.checkpoints.durations(),
                   .publish_errors = publish_errors,
                   .publish_trouble = parts_.outbox.trouble()};
  status.report.complete = false;
  add_partitions(status);
  const std::uint64_t read = std::exchange(read_at_last_, status.report.events.read);
  if (last != minus_infinity) {
    status.report.events_per_second = static_cast<double>(read_at_last_ - read) * 1000 / static_cast<double>((now - last).ms);
  }
  host.status(std::move(status));
}

void RunReporter::add_partitions(RunStatus& status) const {
  for (std::size_t p = 0; p < parts_.intake.partitions(); ++p) {
    const RecordSource& source = parts_.intake.source(p);
    LivePartition partition{.max_time = parts_.sequencer.max_time(p),
                            .is_idle = parts_.sequencer.is_idle(p),
                            .is_caught_up = parts_.intake.is_caught_up(p),
                            .next_offset = parts_.positions.next_offset(p),
                            .end_offset = source.end_offset(),
                            .records_lost = parts_.positions.records_lost(p)};
    if (partition.is_caught_up && partition.end_offset) {
      partition.in_open_transaction = std::max<std::int64_t>(0, *partition.end_offset - source.next_offset());
    }
    status.partitions.push_back(partition);
  }
}

}  // namespace recmeter
