// Proposal: the configuration that `recmeter infer` writes for the logs it saw, with what speaks for each line.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "app/infer/shortfall.h"
#include "app/infer/trial.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct Doubt {
  std::string about;     // "user_id"
  std::string sentence;  // both candidates, or the question
};

struct ProposedArms {
  std::string key;  // of segments
  std::vector<std::string> values;
  std::string control;
};

struct Proposal {
  std::string config;  // commented YAML; "": none was found
  std::string shape;   // the preset that it names; "native": recmeter's own names; "": none
  std::vector<Doubt> doubts;
  std::vector<std::string> profile;  // of the columns, where no configuration was found
  Shortfall shortfall;               // where no configuration was found: why
  std::vector<ProposedArms> arms;    // columns that say which arm of an experiment a list is of
  Trial trial;                       // of the configuration, over the sample
  Report report;
  doctor::DelayCurve curve;
};

// Errors: those of open_log().
[[nodiscard]] Result<Proposal> infer_configuration(const std::vector<std::string>& files, EventTime now,
                                                   const std::atomic<bool>& stop);

}  // namespace recmeter
