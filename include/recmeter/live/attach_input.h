// AttachInput: a partition of a live run. A value.
#pragma once

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/live/checkpoint.h"

namespace recmeter {

struct AttachInput {
  PartitionInput partition;
  Duration idle_after{5 * 60 * 1000};  // without an event that moves its clock it does not delay the watermark
  UnitNumber unit{};
};

}  // namespace recmeter
