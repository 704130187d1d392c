// KeptPanes: the sealed panes of one generation in the state of a live run. A restart reads them in place of the events they
// were made of, and of the journal only what is not sealed yet (docs/decisions/0083).
//
// They are a cache of the journal. They say which program and configuration made them, and hold checksums; where they are
// absent, of another meaning or damaged, the run reads the journal as if there were none, and makes them anew.
//
// Keys of the store: 'p' and the number of the generation: what the panes mean, the checkpoint at which none is missing, and
// how many there are and the sum of their hashes; and, behind the number, the watermark that sealed a pane, its grid, horizon
// and start: a checksum, and the pane's bytes. So a program that knows nothing of panes makes its checkpoints without them,
// and what it leaves is not whole. Thread safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/kept_pane.h"
#include "recmeter/live/record_sum.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class KeptPanes {
 public:
  enum class Found : std::uint8_t { none, other, damaged, whole };

  // `plan` outlives this. `program`: which arithmetic makes the panes, such as a version.
  KeptPanes(const EvaluatorPlan& plan, std::uint64_t generation, std::string_view program);

  // What the runs before checkpoint number `checkpoint` left; looks at all of it. Panes that are not `whole` go when the next
  // ones are saved. Errors: storage_failed.
  [[nodiscard]] Result<Found> open(const StateStore& store, std::uint64_t checkpoint);
  // The next panes, of about so many bytes, and up to which watermark they are all that was sealed; plus_infinity: there are
  // no more. Requires: open() found them whole. Errors: state_unusable, storage_failed.
  struct Piece {
    ShardOutput panes;
    EventTime to = plus_infinity;
  };
  [[nodiscard]] Result<Piece> read(const StateStore& store, std::size_t bytes);

  // Keeps panes at checkpoint number `checkpoint`, and drops those that no window holds which is not final at watermark `w`.
  // `are_all`: with them every other pane sealed by `w` has been saved, if it was not found.
  void save(StateBatch& batch, std::deque<KeptPane>&& panes, EventTime w, std::uint64_t checkpoint, bool are_all);

  static void drop(StateBatch& batch, std::uint64_t generation);
  static void drop_all(StateBatch& batch);

 private:
  [[nodiscard]] std::string pane_key(const KeptPane::Key& key) const;
  [[nodiscard]] std::string first_sealed_at(EventTime w) const;
  void count(std::string_view key, std::string_view value);
  void drop_old(StateBatch& batch, EventTime w);

  const EvaluatorPlan& plan_;
  std::uint64_t generation_;
  std::string meaning_;
  std::map<EventTime, RecordSum> sums_;  // by the watermark that sealed the panes; what the store has
  RecordSum sum_;                        // of all of these
  bool are_sound_ = true;                // what the store has may stay
  bool were_whole_ = false;              // open() said so
  EventTime dropped_to_ = minus_infinity;
  std::optional<KeptPaneReader> reader_;
  std::string next_;  // key
};

// All that a store has. Errors: storage_failed.
struct PaneSurvey {
  std::uint64_t panes = 0;
  std::uint64_t bytes = 0;    // of keys and values
  std::uint64_t damaged = 0;  // which attach makes anew, with the others
};
[[nodiscard]] Result<PaneSurvey> survey_panes(const StateStore& store);

}  // namespace recmeter
