// SmallRun: a live run over a small topic that never changes, for tests of what its state looks like. Deterministic; nothing
// of it may be changed, or golden states (tests/golden) no longer belong to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/live/attach.h"
#include "support/topic_source.h"

namespace recmeter::support {

// Rows by their numbers, as everybody has seen them.
struct SeenRows {
  std::map<std::uint64_t, std::string> rows;
};

class SmallRun {
 public:
  SmallRun();

  // Goes on with `store` up to record `end` of the topic's partition, or all of them, and stops. There is a checkpoint when
  // it has begun and one at the end: rows of this run are waiting in the state then, those of runs before are published.
  void go_on(StateStore& store, std::size_t end, SeenRows& seen) const;
  [[nodiscard]] std::size_t records() const { return records_->size(); }

 private:
  EvaluatorSpec spec_;
  DecoderOptions decoder_;
  TopicRecords records_;
};

}  // namespace recmeter::support
