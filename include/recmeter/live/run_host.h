// RunHost: what a live run asks of the program around it, and what it reports to it. The port that `attach` and tests
// implement.
//
// Thread safety: all calls come from the thread of the run, but is_abandoned(), which any of its threads may ask. A host may
// leave out what it does not care about.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

// What a run does next. hold: it reads and publishes nothing, and keeps what it has.
enum class RunMode : std::uint8_t { go_on, hold, end };

class RunHost {
 public:
  virtual ~RunHost() = default;

  // The reader's clock.
  [[nodiscard]] virtual EventTime now() = 0;
  // There was nothing to do: waits a moment.
  virtual void wait() = 0;
  // Asked in every round. `end`: the run finishes what it has and ends.
  [[nodiscard]] virtual Result<RunMode> mode() = 0;
  // Once true, the run ends as if it was killed, with Errc::interrupted.
  [[nodiscard]] virtual bool is_abandoned() const { return false; }
  // While false, nothing is sequenced or kept.
  [[nodiscard]] virtual bool has_room() { return true; }

  // In every round, on hold too, and while the end waits for dead letters.
  virtual void alive(RunMode /*mode*/) {}
  // After every checkpoint: where each partition is read on, by name.
  virtual void kept(const std::map<std::string, std::int64_t>& /*next_offsets*/) {}
  // About once a second of now().
  virtual void status(RunStatus /*status*/) {}
  // Every row as it is made, provisional ones too.
  virtual void row(const SharedRow& /*row*/) {}
  // Every row of an experiment as it is made; a run that goes on makes those of the runs before again.
  virtual void experiment(const SharedExperimentRow& /*row*/) {}
  // What a user should know while it goes on, once each.
  virtual void tell(Notice /*notice*/, std::string_view /*message*/) {}
};

}  // namespace recmeter
