// StateSurvey: what a state holds, read without changing it, and whether it can be gone on from. state/FORMAT.md.
#pragma once

#include <cstdint>
#include <optional>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/kept_panes.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct StateSurvey {
  struct Journal {
    std::uint64_t blocks = 0;
    std::uint64_t bytes = 0;  // of keys and values
    std::uint64_t events = 0;
    EventTime from = plus_infinity;  // of the first minute kept
    EventTime to = minus_infinity;   // the end of the last
  };

  std::optional<Checkpoint> checkpoint;  // none: nothing has been kept yet
  Journal journal;
  PaneSurvey panes;
  struct Rows {
    std::uint64_t made = 0;
    std::uint64_t waiting = 0;  // not known to be published
  };
  Rows rows;                        // of windows
  Rows looks;                       // of experiments
  std::uint64_t bytes_waiting = 0;  // of both
};

// Reads all of it: every event of the journal is decoded, as events of `spec` if it is known, sealed panes are held to their
// checksums, rows to be published are counted. Errors: state_unusable, with the place, where something is damaged or missing,
// or was never recmeter's; storage_failed.
[[nodiscard]] Result<StateSurvey> survey_of(const StateStore& store, const EvaluatorSpec* spec = nullptr);

}  // namespace recmeter
