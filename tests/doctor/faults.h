// Faults to plant in a sound log, and what their remedies ask to be done where that is no configuration.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "doctor/sound_log.h"

namespace recmeter::doctor {

using Change = std::function<void(SoundLog&)>;

struct Fault {
  std::string code;
  std::string name;
  Change plant;
  Change mend = {};  // in the log, as the remedy says; without it the configuration is changed, or the log is as it was
};

void PrintTo(const Fault& fault, std::ostream* out);
[[nodiscard]] std::vector<Fault> all_faults();

}  // namespace recmeter::doctor
