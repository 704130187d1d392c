// IgnoredReading: records that a configuration ignores, read as if they were feedback: whose they are, of which item and of
// which type. Thread safety: none.
#pragma once

#include <memory>
#include <vector>

#include "doctor/facts.h"
#include "recmeter/event/decoder.h"

namespace recmeter::doctor {

class IgnoredReading {
 public:
  // `options`: those of the run. `facts` outlives this.
  IgnoredReading(const DecoderOptions& options, Facts& facts);
  // Looks at some records.
  void take(const RecordBatch& some);

 private:
  void read(const RecordBatch& ignored);

  Facts& facts_;
  std::unique_ptr<EventDecoder> as_configured_;
  std::vector<std::unique_ptr<EventDecoder>> as_feedback_;  // one for each place that items of feedback have
};

}  // namespace recmeter::doctor
