// ShowCounts: how often items were shown and clicked, by rank and user group, and for harvesting by item and variant too.
//
// Thread safety: none. Memory: at most 32 bytes for each item x rank x variant x group that occurs, and the items' texts; of
// these entries there are at most `entries_max`. What is counted does not depend on the order of add().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recmeter/metric/estimate.h"

namespace recmeter::examining {

// Deeper ranks are not counted: as many as metrics.examination.by_rank may name.
inline constexpr std::uint32_t ranks_max = 1000;
inline constexpr std::size_t variants_max = 256;
inline constexpr std::size_t entries_max = 32'000'000;

struct Shows {
  std::uint64_t shown = 0;
  std::uint64_t clicked = 0;

  Shows& operator+=(const Shows& other) {
    shown += other.shown;
    clicked += other.clicked;
    return *this;
  }
  friend Shows operator-(const Shows& a, const Shows& b) { return {a.shown - b.shown, a.clicked - b.clicked}; }
};

// Of a whole, and what of it is of each user group.
struct GroupedShows {
  Shows all;
  std::array<Shows, user_groups> by_group{};

  void add(std::size_t group, const Shows& shows) {
    all += shows;
    by_group[group] += shows;
  }
  [[nodiscard]] Shows without(std::size_t group) const { return all - by_group[group]; }
};

class ShowCounts {
 public:
  struct Entry {
    std::uint32_t item;
    std::uint16_t rank;  // from 1
    std::uint8_t variant;
    std::uint8_t group;
    std::uint32_t shown;
    std::uint32_t clicked;
  };

  // `entries_most`: beyond so many items are no longer told apart, and is_full() says so.
  explicit ShowCounts(std::size_t entries_most = entries_max) : entries_most_(entries_most) {}

  void add_list(std::size_t group) { ++lists_[group]; }
  // Requires: 1 <= rank <= ranks_max.
  void add(std::uint32_t rank, std::size_t group, bool is_clicked);
  // The same, and by item and variant. Requires: variant < variants_max.
  void add(std::string_view item, std::uint32_t rank, std::size_t variant, std::size_t group, bool is_clicked);

  // By rank, from 1, as far as anything was shown.
  [[nodiscard]] std::span<const GroupedShows> by_rank() const { return by_rank_; }
  [[nodiscard]] const std::array<std::uint64_t, user_groups>& lists() const { return lists_; }
  // Sorted by item, rank, variant and group, each combination once. Valid until the next add().
  [[nodiscard]] std::span<const Entry> entries();
  [[nodiscard]] bool is_full() const { return is_full_; }

 private:
  void compact();

  std::size_t entries_most_;
  std::array<std::uint64_t, user_groups> lists_{};
  std::vector<GroupedShows> by_rank_;
  std::unordered_map<std::string, std::uint32_t> items_;
  std::string item_;  // kept for its room
  std::vector<Entry> entries_;
  std::size_t compact_at_ = std::size_t{1} << 20;
  bool is_full_ = false;
};

}  // namespace recmeter::examining
