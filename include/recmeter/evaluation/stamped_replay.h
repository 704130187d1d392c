// StampedReplay: the events of one part of a stamped log, in the order of time, from lines to a partial. [S11.7].
//
// A step decodes some lines while the shards join those before, and ends between two times. Memory is bounded as in a replay.
// Thread safety: run() is called once, from one thread; the executor's threads run what may run at the same time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/evaluation/stamped_log.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/record_source.h"

namespace recmeter {

class StampedReplay {
 public:
  struct Options {
    std::size_t shards = 1;  // 1 to 256
    Merger::Range range;
    std::size_t block_bytes = std::size_t{256} << 10;  // of lines at a time
    const std::atomic<bool>* stop = nullptr;           // when it becomes true, run() ends as interrupted
  };
  // `log` has been finished, and `lines` are those of its part's events, by time. All outlive the replay but `lines`.
  StampedReplay(const EvaluatorPlan& plan, const StampedLog& log, std::unique_ptr<RecordSource> lines, const Options& options,
                Executor& executor, SealedSink& sealed);
  ~StampedReplay();

  // How many lists there were. Errors: those of the lines, the log and `sealed`; interrupted.
  [[nodiscard]] Result<std::uint64_t> run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
