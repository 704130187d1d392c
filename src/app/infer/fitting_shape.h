// FittingShape: the preset that makes the most of a log, and what a configuration says beside it.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "app/infer/log_sample.h"
#include "app/infer/position_base.h"
#include "app/infer/segment_guess.h"
#include "app/infer/trial.h"
#include "config/config.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

// How rows are written, where a preset does not say so itself; "": there is nothing to say.
struct ShapeRows {
  std::string csv = {};
  std::string absent = {};
};

struct FittingShape {
  std::string name;                 // of a preset; "native": recmeter's own names; "": none fits
  std::vector<std::string> others;  // that read as much
  ShapeRows rows = {};
  PositionBase positions = {};
  std::string dropped = {};  // a field that it does not look for, since what stands there does not fit
  std::string near = {};     // where none fits: which does but for a field, as a sentence
  Trial trial;
  std::vector<SegmentGuess> segments = {};  // those without a path are the preset's own
  EventTime first_list = plus_infinity;     // where it has segments
  bool joins_by_list = false;               // likewise
};

// The preset that makes the most of the sample; recmeter's own names, which need none, count as "native". Errors: those of
// try_configuration() by which no preset could be tried. Requires: samples, of the files.
[[nodiscard]] Result<FittingShape> find_fitting_shape(const std::vector<std::string>& files,
                                                      const std::vector<LogSample>& samples, const std::atomic<bool>& stop);

// Keys of its input; and those as a configuration. "": there are none.
[[nodiscard]] std::vector<std::string> shape_keys(const FittingShape& shape);
[[nodiscard]] std::string shape_input(const FittingShape& shape);
// Where the first input looks for fields and conditions.
[[nodiscard]] std::set<std::string> paths_of(const Config& config);

}  // namespace recmeter
