// ScriptedJoin: a joiner fed line by line in milliseconds after zero_ms, and what it says of the lists.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/event_batch.h"
#include "recmeter/join/joiner.h"
#include "support/decoded.h"

namespace recmeter::test {

// A list scored at one horizon.
struct Scored {
  std::uint32_t length = 0;
  std::vector<std::pair<std::uint32_t, double>> hits;  // rank, grade
  std::vector<std::pair<double, std::uint64_t>> missed;
  std::uint64_t missed_items = 0;
  std::vector<AssignedFeedback> feedback;
  std::vector<Rating> ratings;
  std::vector<std::uint32_t> judged;
  std::vector<Retest> retests;
  std::uint64_t credited = 0;
  std::uint64_t credited_with_score = 0;
};

using Hits = std::vector<std::pair<std::uint32_t, double>>;
using Grades = std::vector<std::pair<double, std::uint64_t>>;

// Horizons 100 ms and 1000 ms; click (gain 1), like (gain 3), view (gain 0), buy (gain 5, after click). last_touch,
// skew 0, same_list 500 ms, assemble 50 ms.
[[nodiscard]] JoinRule small_rule();

class ScriptedJoin : private ListObserver {
 public:
  explicit ScriptedJoin(JoinRule rule = small_rule(), bool needs_missed = true, bool needs_feedback = false,
                        bool needs_retests = false, std::size_t list_items_max = 1000);

  // Requires: lines in the order of their times, as the joiner does. `more`: further members of the line.
  ScriptedJoin& list(std::int64_t ms, std::string_view user, std::string_view list, const std::vector<std::string>& items,
                     std::string_view more = "");
  ScriptedJoin& row(std::int64_t ms, std::string_view user, std::string_view list, std::string_view item, int position,
                    std::string_view more = "");
  ScriptedJoin& feedback(std::int64_t ms, std::string_view action, std::string_view user, std::string_view item,
                         std::string_view list = "", std::string_view more = "");
  ScriptedJoin& advance(std::int64_t ms);
  // Advances beyond everything.
  ScriptedJoin& finish();

  // Whether the last list or row was accepted.
  [[nodiscard]] bool accepted() const { return !duplicate_; }
  // And why not.
  [[nodiscard]] std::optional<DuplicateReason> duplicate() const { return duplicate_; }
  // The list of this id at horizon number h (0: 100 ms, 1: 1000 ms); fails the test when it was not scored exactly once.
  [[nodiscard]] Scored scored(std::string_view list, std::size_t h = 0) const;
  [[nodiscard]] Hits hits(std::string_view list, std::size_t h = 0) const { return scored(list, h).hits; }
  // Of all lists of this id, in the order in which they were scored at h.
  [[nodiscard]] std::vector<Hits> hits_of_each(std::string_view list, std::size_t h) const;
  // How many ranks each list of this id has, in the order in which they were scored at the first horizon.
  [[nodiscard]] std::vector<std::uint32_t> scored_lengths(std::string_view list) const;
  // List ids in the order in which they were scored at h.
  [[nodiscard]] std::vector<std::string> order(std::size_t h) const;
  // Items of each list as they were assembled, "" for an empty rank.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& assembled_items() const { return assembled_; }
  // Of each list in the order of opening: which of them, from 1, was called the one before it of its user; 0: none.
  [[nodiscard]] const std::vector<std::uint32_t>& labels_before() const { return labels_before_; }
  [[nodiscard]] Joiner& joiner() { return *joiner_; }

 private:
  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
             std::span<const std::uint32_t> before) override;
  void assembled(const ListView& list) override;
  void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score,
              std::span<const AssignedFeedback> feedback) override;
  void add(const std::string& line);

  struct Entry {
    std::string list;
    std::size_t horizon;
    Scored scored;
  };
  JoinRule rule_;
  DecoderOptions decoding_;
  std::unique_ptr<Joiner> joiner_;
  std::map<std::string, std::vector<std::string>> assembled_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> labels_before_;
  std::optional<DuplicateReason> duplicate_;
};

}  // namespace recmeter::test
