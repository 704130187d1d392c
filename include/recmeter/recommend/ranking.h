// The best items of many: by score, and where scores are equal in a random order that is anew for each list and the same in
// every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/recommend/learning_log.h"

namespace recmeter {

struct RankedItem {
  std::uint32_t item = 0;
  std::optional<double> score = {};       // of a built-in recommender: rounded to 2^-32
  std::optional<double> confidence = {};  // in [0, 1]: how sure its recommender is of it
};

// The hash that decides between equal scores: XXH3-64 of the item, a byte 0, the user, a byte 0 and the time in decimal
// milliseconds.
[[nodiscard]] std::uint64_t tie_hash(std::string_view item, std::string_view user, EventTime ts, std::uint64_t seed);

// The `length` best of `candidates`: by score rounded to 2^-32, descending; tie_hash, ascending; bytes of the item. What
// is_out says is left out. `scores` by place of the candidate, `is_out` by item.
class Ranking {
 public:
  Ranking(const LearningLog& log, std::uint64_t seed) : log_(log), seed_(seed) {}

  [[nodiscard]] std::span<const RankedItem> best(const ListRequest& request, std::span<const std::uint32_t> candidates,
                                                 std::span<const double> scores, std::span<const std::uint8_t> is_out,
                                                 std::size_t length);

 private:
  struct Placed {
    double score;
    std::uint32_t item;
    std::uint64_t hash;
  };

  // Into placed_: all that may be among the best. The least score of the best; -infinity: they are not as many.
  double sift(std::span<const std::uint32_t> candidates, std::span<const double> scores, std::span<const std::uint8_t> is_out,
              std::size_t length);
  void order_ties(std::span<Placed> ties, std::size_t middle, std::string_view after);

  const LearningLog& log_;
  std::uint64_t seed_;
  std::vector<double> top_;
  std::vector<Placed> placed_;
  std::vector<RankedItem> best_;
  std::string text_;
};

}  // namespace recmeter
