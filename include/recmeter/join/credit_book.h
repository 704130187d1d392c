// CreditBook: which feedback was assigned to which list, and at which horizons. [S4].
//
// A list's credits are a chain of small records. Of a (list, item, action) some count: its first feedback at each horizon; at
// most one horizon by horizon, so their masks are disjoint. The others say how often it was repeated. Feedback of which
// something is to be kept has a record of its own; all other shares a record. Records that are not shared stand in the order
// in which feedback was assigned, the last first. Thread safety: none.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"

namespace recmeter {

// One bit a horizon, in configured order.
using HorizonMask = std::uint32_t;

struct Assignment {
  std::uint32_t next = 0;  // index + 1; 0: the last
  Interner::Id item = Interner::none;
  HorizonMask mask = 0;       // where it counts; for repeats: where it was repeated
  std::uint32_t repeats = 0;  // 0: this record counts; else how many further feedbacks had exactly this mask
  std::uint8_t action = 0;
};

// What is kept of a feedback that counts, where somebody will ask.
struct KeptFeedback {
  std::optional<double> value = {};
  Duration delay{0};  // from the list; may be negative
  bool is_relevant = true;
  HorizonMask worth = ~HorizonMask{0};  // where it has what it was worth
};

class CreditBook {
 public:
  // `memory` outlives the book.
  explicit CreditBook(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : credits_(memory), kept_(memory), free_(memory) {}

  // The horizons at which (item, action) is credited in the chain `head`.
  [[nodiscard]] HorizonMask credited(std::uint32_t head, Interner::Id item, std::uint8_t action) const;
  // Assigns a feedback at `mask`: it counts where the triple is new, and is repeated elsewhere. Returns where it counts.
  // What is kept of it is kept of repeats, too, where it is `kept_each`.
  HorizonMask assign(std::uint32_t& head, Interner::Id item, std::uint8_t action, HorizonMask mask,
                     const KeptFeedback* kept = nullptr, bool kept_each = false);
  [[nodiscard]] const Assignment& at(std::uint32_t index_plus_one) const { return credits_[index_plus_one - 1]; }
  // Nothing where nothing was kept.
  [[nodiscard]] std::optional<KeptFeedback> kept(std::uint32_t index_plus_one) const;
  void forget(std::uint32_t head);

 private:
  std::uint32_t make(const Assignment& credit, const KeptFeedback* kept);
  // The record that feedback counts in of which nothing is kept, or 0.
  [[nodiscard]] std::uint32_t counting(std::uint32_t head, Interner::Id item, std::uint8_t action) const;

  std::pmr::vector<Assignment> credits_;
  std::pmr::vector<std::optional<KeptFeedback>> kept_;  // of each record; empty until the first is
  std::pmr::vector<std::uint32_t> free_;
};

}  // namespace recmeter
