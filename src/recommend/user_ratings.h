// UserRatings: what users gave to items so far, by user and by item: one for all recommenders that learn the same events.
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "recmeter/recommend/learning_log.h"

namespace recmeter {

class UserRatings {
 public:
  struct Rated {
    std::uint32_t item = 0;
    double value = 0;
    double rank = 0;  // among the user's ratings, the mean of equal ones; after rank()
  };
  struct Taste {
    std::vector<Rated> rated;  // in the order in which the user rated them first
    double sum = 0;
    double squares = 0;
    bool has_ranks = false;

    [[nodiscard]] double mean() const { return sum / static_cast<double>(rated.size()); }
    // Of the population.
    [[nodiscard]] double deviation() const;
  };
  struct Rater {
    std::uint32_t user = 0;
    std::uint32_t place = 0;  // of the rating, in the user's taste
    double value = 0;         // once more: reading it there costs more than all else
  };

  // `action`: the one whose values are ratings.
  explicit UserRatings(std::optional<std::uint8_t> action) : action_(action) {}

  // A later rating of the same item takes the place of the earlier one. Those of nobody are passed over.
  void learn(const LearnedEvent& event);
  // Ranks are computed anew where the user rated since.
  void rank(std::uint32_t user);

  [[nodiscard]] const std::vector<Taste>& tastes() const { return tastes_; }               // by user
  [[nodiscard]] const std::vector<std::vector<Rater>>& raters() const { return raters_; }  // by item, as they came first
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::optional<std::uint8_t> action_;
  std::vector<Taste> tastes_;
  std::vector<std::vector<Rater>> raters_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // of (user, item), in the user's taste
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace recmeter
