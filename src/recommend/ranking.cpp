#include "recmeter/recommend/ranking.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace recmeter {

namespace {

// To a multiple of 2^-32, ties to even. Adding 1.5 * 2^52 leaves no room for a fraction: the same as nearbyint(), which is a
// call for each of the millions of scores of a log.
double rounded(double score) {
  constexpr double scale = 4294967296.0;
  constexpr double whole = 6755399441055744.0;
  const double scaled = score * scale;
  if (std::abs(scaled) >= 2251799813685248.0) return std::nearbyint(scaled) / scale;
  return ((scaled + whole) - whole) / scale;
}

}  // namespace

std::uint64_t tie_hash(std::string_view item, std::string_view user, EventTime ts, std::uint64_t seed) {
  thread_local std::string text;
  text.assign(item);
  text.push_back('\0');
  text.append(user);
  text.push_back('\0');
  text.append(std::to_string(ts.ms));
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

// The score of the last of the `length` best.
double Ranking::least_in(std::span<const double> scores, std::span<const std::uint8_t> is_out, std::size_t length) {
  top_.clear();  // descending
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (is_out[i] != 0) continue;
    const double score = rounded(scores[i]);
    if (top_.size() == length) {
      if (length == 0 || score <= top_.back()) continue;
      top_.pop_back();
    }
    top_.insert(std::upper_bound(top_.begin(), top_.end(), score, std::greater<>()), score);
  }
  return top_.size() < length || top_.empty() ? -std::numeric_limits<double>::infinity() : top_.back();
}

std::span<const RankedItem> Ranking::best(const ListRequest& request, std::span<const std::uint32_t> candidates,
                                          std::span<const double> scores, std::span<const std::uint8_t> is_out,
                                          std::size_t length) {
  // Only what can come in is hashed: what is better than the last one in, and all that is as good.
  const double least = least_in(scores, is_out, length);
  placed_.clear();
  for (std::size_t i = 0; i < candidates.size() && length > 0; ++i) {
    if (is_out[i] != 0) continue;
    const double score = rounded(scores[i]);
    if (score >= least) placed_.push_back({score, candidates[i], 0});
  }
  for (Placed& one : placed_)
    one.hash = tie_hash(log_.items.text(one.item), log_.users.text(request.user), request.ts, seed_);
  const std::size_t count = std::min(length, placed_.size());
  std::partial_sort(placed_.begin(), placed_.begin() + static_cast<std::ptrdiff_t>(count), placed_.end(),
                    [&](const Placed& a, const Placed& b) {
                      if (a.score != b.score) return a.score > b.score;
                      if (a.hash != b.hash) return a.hash < b.hash;
                      return log_.items.text(a.item) < log_.items.text(b.item);
                    });
  best_.clear();
  for (std::size_t i = 0; i < count; ++i) best_.push_back({placed_[i].item, placed_[i].score});
  return best_;
}

}  // namespace recmeter
