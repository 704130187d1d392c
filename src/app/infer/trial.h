// Trial: what a configuration makes of the first records of a log.
#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/config_fault.h"
#include "doctor/delay_curve.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/result/report.h"

namespace recmeter {

// A configuration that infer wrote; of no catalogue, and without variables.
[[nodiscard]] tl::expected<Config, std::vector<ConfigFault>> load_inferred(const std::string& text);

struct Trial {
  std::uint64_t records = 0;
  std::uint64_t events = 0;  // impressions, rows and feedback
  std::uint64_t invalid = 0;
  std::uint64_t bad_positions = 0;           // of these
  std::set<std::string> faulty_fields = {};  // of these, as far as samples of them say
  std::uint64_t ignored = 0;                 // with a time
  std::uint64_t timeless = 0;                // ignored, without one
  std::uint64_t lists = 0;                   // different ids
  std::uint64_t continued = 0;               // of these: by a whole list with items that it has not ([S3.20])
  std::uint64_t feedback = 0;
  std::uint64_t behind_list = 0;  // of that: on an item of the list it names, and not before it
  std::uint64_t on_first = 0;     // of these: on the list's first item, at its own time

  // Whether the records are what the configuration is for: hardly any is invalid, and there are lists with feedback, or
  // ratings.
  [[nodiscard]] bool fits() const;
  // Whether nothing but what stands in one field is in the way: the field. "": more is, or nothing.
  [[nodiscard]] std::string unfit_field() const;
};

// Errors: those of first_records() and of its sources.
[[nodiscard]] Result<Trial> try_configuration(const Config& config, const std::vector<std::string>& files,
                                              const std::atomic<bool>& stop);
struct SampleReplay {
  Report report;
  doctor::DelayCurve curve;  // the doctor's, so that both advise the same horizon
};

// The same records replayed: fates and credits.
[[nodiscard]] Result<SampleReplay> replay_sample(const Config& config, const std::vector<std::string>& files,
                                                 const std::atomic<bool>& stop);

}  // namespace recmeter
