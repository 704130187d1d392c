// A replay whose events and outcomes the doctor sees, in place of rows.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "doctor/diagnosis.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"

namespace recmeter::doctor {

struct DoctorRun {
  Diagnosis diagnosis;
  Report report;
  std::vector<std::string> exceeded;  // for what replay would end with exit code 3
};

// `sorting`: as a replay's; what is sorted is read twice. `now`: times beyond
// tomorrow are implausible. One thread.
[[nodiscard]] Result<DoctorRun> run_doctor(const Config& config, ReplayInputs inputs, EventTime now, const Sorting& sorting,
                                           const std::function<void(const ReplayProgress&)>& progress,
                                           const std::atomic<bool>& stop);

// A page for a person: findings by weight, the delay curve, the profile. `all`: silent and hidden findings, too. Lines of at
// most `width` columns where they can be broken; 0: any.
[[nodiscard]] std::string text_of(const DoctorRun& run, bool all, std::size_t width);
// One object with a newline: docs/doctor.md.
[[nodiscard]] std::string json_of(const DoctorRun& run, bool all);

}  // namespace recmeter::doctor
