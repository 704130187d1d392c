// KeptPane: a sealed pane of all shards together, as bytes that a later run reads in place of the events it was made of; and
// how it reads them. A live run keeps its own in its state.
//
// The bytes are canonical: they do not depend on threads, rounds and shards. They belong to one configuration and one version
// of the program, and say neither: whoever keeps them does. Thread safety: none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/shard.h"

namespace recmeter {

struct KeptPane {
  struct Key {
    EventTime sealed;         // the watermark that sealed it
    std::size_t grid = 0;     // of the plan
    std::size_t horizon = 0;  // of the join + 1; 0: what was shown
    EventTime start;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  Key key;
  std::string bytes;
};

class KeptPaneReader {
 public:
  // `plan` outlives the reader.
  explicit KeptPaneReader(const EvaluatorPlan& plan) : plan_(plan) {}

  // Adds a pane to those taken next. Whether the bytes are one of this plan; else nothing more is read.
  [[nodiscard]] bool read(const KeptPane::Key& key, std::string_view bytes);
  // What was read since, as a shard would hand it over. Items keep their numbers from call to call.
  [[nodiscard]] ShardOutput take();

 private:
  const EvaluatorPlan& plan_;
  Interner items_;
  ShardOutput output_;
};

}  // namespace recmeter
