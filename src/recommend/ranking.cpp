#include "recmeter/recommend/ranking.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace recmeter {

namespace {

constexpr std::size_t block = 16;            // scores that are compared at once
constexpr double step = 1.0 / 4294967296.0;  // between scores, as far as they count

// To a multiple of 2^-32, ties to even. Adding 1.5 * 2^52 leaves no room for a fraction: the same as nearbyint(), which is a
// call for each of the millions of scores of a log.
double rounded(double score) {
  constexpr double scale = 4294967296.0;
  constexpr double whole = 6755399441055744.0;
  const double scaled = score * scale;
  if (std::abs(scaled) >= 2251799813685248.0) return std::nearbyint(scaled) / scale;
  return ((scaled + whole) - whole) / scale;
}

// What is hashed of a list behind the item.
std::string after_item(std::string_view user, EventTime ts) {
  std::string text(1, '\0');
  text.append(user);
  text.push_back('\0');
  text.append(std::to_string(ts.ms));
  return text;
}

// `text` is room to work in.
std::uint64_t hash_of(std::string& text, std::string_view item, std::string_view after, std::uint64_t seed) {
  text.assign(item).append(after);
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

}  // namespace

std::uint64_t tie_hash(std::string_view item, std::string_view user, EventTime ts, std::uint64_t seed) {
  std::string text;
  return hash_of(text, item, after_item(user, ts), seed);
}

// Most items of a log are not among its best: one comparison for a block of them tells. What comes near the least score that
// is still in is kept, and sorted out at the end.
double Ranking::sift(std::span<const std::uint32_t> candidates, std::span<const double> scores,
                     std::span<const std::uint8_t> is_out, std::size_t length) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  top_.clear();  // the `length` best scores so far, descending
  placed_.clear();
  double least = -infinity;  // the last of them, once they are as many
  double bound = -infinity;  // what lies below it is rounded to less than that
  const auto look_at = [&](std::size_t i) {
    if (is_out[candidates[i]] != 0) return;
    const double score = rounded(scores[i]);
    if (score < least) return;
    placed_.push_back({score, candidates[i], 0});
    if (top_.size() == length) {
      if (score == least) return;
      top_.pop_back();
    }
    top_.insert(std::upper_bound(top_.begin(), top_.end(), score, std::greater<>()), score);
    if (top_.size() < length) return;
    least = top_.back();
    bound = least - step;
  };
  std::size_t first = 0;
  for (; first + block <= candidates.size(); first += block) {
    bool any = false;
    for (std::size_t i = 0; i < block; ++i) any |= scores[first + i] >= bound;
    if (!any) continue;
    for (std::size_t i = first; i < first + block; ++i) {
      if (scores[i] >= bound) look_at(i);
    }
  }
  for (; first < candidates.size(); ++first) look_at(first);
  std::erase_if(placed_, [&](const Placed& one) { return one.score < least; });
  return least;
}

// Of equal scores, the first up to `middle` by hash and bytes. One alone needs no hash.
void Ranking::order_ties(std::span<Placed> ties, std::size_t middle, std::string_view after) {
  if (ties.size() < 2) return;
  for (Placed& one : ties) one.hash = hash_of(text_, log_.items.text(one.item), after, seed_);
  std::partial_sort(ties.begin(), ties.begin() + static_cast<std::ptrdiff_t>(middle), ties.end(),
                    [&](const Placed& a, const Placed& b) {
                      return a.hash != b.hash ? a.hash < b.hash : log_.items.text(a.item) < log_.items.text(b.item);
                    });
}

std::span<const RankedItem> Ranking::best(const ListRequest& request, std::span<const std::uint32_t> candidates,
                                          std::span<const double> scores, std::span<const std::uint8_t> is_out,
                                          std::size_t length) {
  best_.clear();
  if (length == 0) return best_;
  const double least = sift(candidates, scores, is_out, length);
  const std::string after = after_item(log_.users.text(request.user), request.ts);
  const auto is_above = [&](const Placed& one) { return one.score > least; };
  const auto last = std::partition(placed_.begin(), placed_.end(), is_above);
  std::sort(placed_.begin(), last, [](const Placed& a, const Placed& b) { return a.score > b.score; });
  for (auto tie = placed_.begin(); tie != last;) {
    const auto end = std::find_if(tie, last, [&](const Placed& one) { return one.score != tie->score; });
    order_ties({tie, end}, static_cast<std::size_t>(end - tie), after);
    tie = end;
  }
  const std::size_t count = std::min(length, placed_.size());
  order_ties({last, placed_.end()}, count - static_cast<std::size_t>(last - placed_.begin()), after);
  for (std::size_t i = 0; i < count; ++i) best_.push_back({placed_[i].item, placed_[i].score});
  return best_;
}

}  // namespace recmeter
