// KnownItems: what metrics ask for of a list's items and the join does not know: their attributes, how many users acted on
// them before, and whether the list's user did. Thread safety: none; owned by one shard or by ProvisionalRows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/evaluation/distinct_ranks.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/first_acts.h"
#include "recmeter/join/joiner.h"
#include "recmeter/window/acting_users.h"
#include "recmeter/window/popularity_table.h"

namespace recmeter {

// Where it is found out how popular items are: the table of all shards, and items by their numbers there.
struct PopularityView {
  const PopularityTable* table = nullptr;
  const std::vector<std::uint32_t>* number_of = nullptr;
};

class KnownItems {
 public:
  // `plan` and what `popularity` shows outlive this. Requires: `popularity` shows a table where some metric asks for one.
  KnownItems(const EvaluatorPlan& plan, PopularityView popularity);

  // An item that was not known, or forgotten.
  void learn(Interner::Id id, std::string_view text);
  // [S5.21]: what a known user does, with a gain; whether a list takes the credit does not matter. `is_relevant`: by its
  // value.
  void add_act(const EventBatch& batch, const Event& event, bool is_relevant, Interner& items);
  // Every event before `w` has been added. Returns what changed of who acted on what.
  [[nodiscard]] std::vector<ActingChange> advance(EventTime w);
  // Fetches what complete() for a list of these items will look at first, ahead of time.
  void prefetch(std::span<const Interner::Id> items) const {
    for (const Interner::Id item : items) {
      if (item != Interner::none) fetch_ahead(&known_[item]);
    }
  }
  // The list with the parts that metrics ask for. Valid until the next call.
  [[nodiscard]] ScoredList complete(const ListView& list, const ScoredList& score, const Interner& items);
  // Of who acted on what in the trailing period.
  [[nodiscard]] std::size_t popularity_bytes() const { return acting_ ? acting_->memory_bytes() : 0; }

 private:
  // What was last found out about an item. Half a cache line: attributes stand in it where they are few.
  struct alignas(32) KnownItem {
    static constexpr std::size_t few = 4;
    static constexpr std::uint16_t many = few + 1;

    std::int64_t step = 0;  // acting_users holds for so many steps from this one on
    std::uint32_t acting_users = 0;
    std::uint16_t steps = 0;
    std::uint16_t attributes_size = 0;  // `many`: they are elsewhere
    struct There {
      const std::uint32_t* first;
      std::size_t size;
    };
    union {
      std::array<std::uint32_t, few> attributes_here = {};
      There attributes_there;
    };

    void set_attributes(std::span<const std::uint32_t> attributes);
    [[nodiscard]] std::span<const std::uint32_t> attributes() const {
      if (attributes_size == many) return {attributes_there.first, attributes_there.size};
      return std::span(attributes_here).first(attributes_size);
    }
    void set_acting(std::int64_t from, const StepHistory::Lasting& users);
    // Steps before the first wrap to large numbers.
    [[nodiscard]] bool knows_acting(std::int64_t at) const {
      return static_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(step) < steps;
    }
  };
  void look_back(const ListView& list, const Interner& items);
  void look_up(std::span<const Interner::Id> items, std::int64_t step);

  const EvaluatorPlan& plan_;
  PopularityView popularity_;
  std::optional<ActingUsers> acting_;
  std::optional<FirstActs> first_acts_;
  bool is_needed_ = false;                                  // some metric asks for more of an item than who acted
  std::vector<KnownItem> known_;                            // by item
  std::vector<Interner::Id> unknown_;                       // items of the list being completed
  std::vector<std::span<const std::uint32_t>> attributes_;  // by rank of it
  std::vector<std::uint32_t> group_of_;                     // by item
  std::vector<std::uint32_t> groups_;                       // by rank of it
  std::vector<std::uint32_t> acting_users_of_;              // by rank of it
  std::vector<std::uint8_t> acted_before_;                  // by rank of it
  DistinctRanks distinct_;
};

}  // namespace recmeter
