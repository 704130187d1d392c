// Inputs whose records are not in the order of time are sorted before a run reads them. [S3.26] to [S3.30].
//
// By itself only a file is sorted that would have a late event as it is, or whose records have events with times of their
// own: what is found or configured says so, never what is guessed, so that which files are sorted depends on them alone.
#pragma once

#include <cstdint>
#include <functional>

#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/file/sort_space.h"
#include "recmeter/port/executor.h"

namespace recmeter {

enum class SortWhen : std::uint8_t {
  automatic,  // files that would have a late event, or have times within a record
  always,     // every partition
  never,
};

// How a command sorts what it reads.
struct Sorting {
  SortWhen when = SortWhen::automatic;
  file::SortSpace space;
  bool says_so = true;  // a message for each that was not in order
};

enum class LookThrough : std::uint8_t {
  sample,  // files are looked at in ten places; those left as they are end the run at their first late event
  whole,   // every file is looked through, so that no run over it meets one
};

// Sorts in `inputs` what is to be sorted. `progress` may be empty. Errors: those of the sources;
// output_failed, where there is no room; interrupted.
[[nodiscard]] Result<void> sort_inputs(ReplayInputs& inputs, const TimeRule& rule, const Sorting& sorting, LookThrough look,
                                       Executor& executor, const std::function<void(const ReplayProgress&)>& progress);

// Whether something among the inputs cannot be read a second time.
[[nodiscard]] bool has_streams(const ReplayInputs& inputs);

}  // namespace recmeter
