// RunningCounts: how many lists of a window that moves showed each item in the top of each cutoff, and how many items have
// each such count, at the cost of the panes that come and go. Thread safety: none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "recmeter/metric/exposure_facts.h"
#include "recmeter/window/item_set.h"
#include "recmeter/window/paged_rows.h"
#include "recmeter/window/show_counts.h"

namespace recmeter {

class RunningCounts {
 public:
  explicit RunningCounts(std::size_t cutoffs) : counts_(cutoffs), levels_(cutoffs), levels_in_catalog_(cutoffs) {}

  // `bands`: by item, how many of a pane's lists showed it in the band of each cutoff (window/exposure.h); fewer than 2^32 in
  // all panes inside. `catalog`: which items belong to it; nullptr: all of them.
  void enter(std::span<const ShowCounts> bands, const ItemSet* catalog) { apply(bands, catalog, true); }
  // Requires: they have entered.
  void leave(std::span<const ShowCounts> bands, const ItemSet* catalog) { apply(bands, catalog, false); }

  // The same, for less, where nothing else ever is inside.
  void enter_alone(std::span<const ShowCounts> bands, const ItemSet* catalog);

  // Of cutoff number c. Ascending.
  [[nodiscard]] std::vector<CountLevel> levels(std::size_t c) const { return levels_[c].sorted(); }
  // Of items of the catalogue; empty when all items belong to it.
  [[nodiscard]] std::vector<CountLevel> levels_in_catalog(std::size_t c) const { return levels_in_catalog_[c].sorted(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  // By count, how many items have it.
  class Levels {
   public:
    void move(std::uint32_t from, std::uint32_t to) {
      change(from, ~std::uint32_t{0});
      change(to, 1);
    }
    [[nodiscard]] std::vector<CountLevel> sorted() const;
    [[nodiscard]] std::size_t memory_bytes() const {
      return low_.capacity() * sizeof(std::uint32_t) + high_.size() * high_node_bytes;
    }

   private:
    // Most items have one of these counts.
    static constexpr std::uint32_t low_end = 4096;
    static constexpr std::size_t high_node_bytes = 6 * sizeof(void*);
    void change(std::uint32_t count, std::uint32_t by) {
      if (count >= low_end) {
        if ((high_[count] += by) == 0) high_.erase(count);
        return;
      }
      if (count >= low_.size()) low_.resize(std::min(low_end, 2 * count + 64));
      low_[count] += by;
    }
    std::vector<std::uint32_t> low_;  // that of 0 means nothing
    std::map<std::uint32_t, std::uint32_t> high_;
  };

  template <class Visit>
  void for_each_row(const ShowCounts& band, Visit&& visit);
  void apply(std::span<const ShowCounts> bands, const ItemSet* catalog, bool entering);

  PagedRows<std::uint32_t, 64> counts_;  // by item and cutoff
  std::vector<Levels> levels_;           // by cutoff
  std::vector<Levels> levels_in_catalog_;
};

}  // namespace recmeter
