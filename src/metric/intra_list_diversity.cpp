#include "metric/metrics.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace recmeter {

namespace {

const std::array examples{
    WorkedExample{
        .lists = "A",
        .cutoff = 5,
        .arithmetic = "attributes: a {1, 2}, b {1}, c unknown, d {3}; pairs ab 1 - 1/2, ad 1 - 0, bd 1 - 0: 2.5 / 3",
        .value = 0.8333},
    WorkedExample{.lists = "A", .cutoff = 2, .arithmetic = "ab 1 - 1/2", .value = 0.5},
};

using Attributes = std::span<const std::uint32_t>;  // ascending

// Whether the rank, from 0, shows an item with attributes that no rank before it shows.
bool is_known(const ScoredList& list, std::size_t rank) {
  return !list.attributes[rank].empty() && list.distinct[rank + 1] > list.distinct[rank];
}

bool has_pair(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  std::uint32_t known = 0;
  for (std::size_t rank = 0; rank < std::min<std::size_t>(k, list.attributes.size()) && known < 2; ++rank) {
    known += is_known(list, rank) ? 1U : 0U;
  }
  return known == 2;
}

struct Pairs {
  double distances = 0;
  std::uint64_t number = 0;
};

// An item's attributes also as bits, one for each modulo 64.
struct KnownItem {
  Attributes attributes;
  std::uint64_t bits;
};

KnownItem known_item(Attributes attributes) {
  std::uint64_t bits = 0;
  for (const std::uint32_t attribute : attributes) bits |= std::uint64_t{1} << (attribute % 64);
  return {attributes, bits};
}

// Branches on what lists happen to hold would cost more than the counting; std::popcount is a call where the target is every
// processor of its kind, so that those that count bits themselves are asked for it below.
std::uint64_t count_bits(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555U;
  x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
  return ((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fU) * 0x0101010101010101U >> 56;
}

std::uint64_t common_of(const KnownItem& a, const KnownItem& b) {
  if ((a.bits & b.bits) == 0) return 0;
  std::uint64_t common = 0;
  for (auto x = a.attributes.begin(), y = b.attributes.begin(); x != a.attributes.end() && y != b.attributes.end();) {
    common += *x == *y ? 1U : 0U;
    const bool step_x = *x <= *y;
    const bool step_y = *y <= *x;
    x += step_x ? 1 : 0;
    y += step_y ? 1 : 0;
  }
  return common;
}

// Similarities |common| / |either| of pairs, to be summed: those with the same |either| are divided by it together.
class Similarities {
 public:
  // `either_max`: no pair has more.
  explicit Similarities(std::size_t either_max) : end_(std::min(either_max + 1, few)) {
    std::fill_n(common_by_either_.begin(), end_, 0);
  }
  void add(std::uint64_t common, std::uint64_t either) {
    if (either < few) {
      common_by_either_[either] += common;
    } else {
      others_ += static_cast<double>(common) / static_cast<double>(either);
    }
  }
  [[nodiscard]] double sum() const {
    double sum = others_;
    for (std::size_t either = 1; either < end_; ++either) {
      if (common_by_either_[either] == 0) continue;
      sum += static_cast<double>(common_by_either_[either]) / static_cast<double>(either);
    }
    return sum;
  }

 private:
  static constexpr std::size_t few = 64;
  std::size_t end_;
  std::array<std::uint64_t, few> common_by_either_;  // up to there
  double others_ = 0;
};

void add_pairs(const std::vector<KnownItem>& known, bool bits_say_all, Similarities& similarities) {
  for (std::size_t a = 0; a < known.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::uint64_t common = bits_say_all ? count_bits(known[a].bits & known[b].bits) : common_of(known[a], known[b]);
      similarities.add(common, known[a].attributes.size() + known[b].attributes.size() - common);
    }
  }
}

#if defined(__x86_64__)
// The same where the bits say all.
__attribute__((target("popcnt"))) void add_pairs_by_bits(const std::vector<KnownItem>& known, Similarities& similarities) {
  for (std::size_t a = 0; a < known.size(); ++a) {
    const std::uint64_t bits = known[a].bits;
    const std::size_t size = known[a].attributes.size();
    for (std::size_t b = 0; b < a; ++b) {
      const auto common = static_cast<std::uint64_t>(__builtin_popcountll(bits & known[b].bits));
      similarities.add(common, size + known[b].attributes.size() - common);
    }
  }
}
const bool counts_bits = __builtin_cpu_supports("popcnt") != 0;
#else
void add_pairs_by_bits(const std::vector<KnownItem>& known, Similarities& similarities) {
  add_pairs(known, true, similarities);
}
constexpr bool counts_bits = false;
#endif

Pairs pairs_of(const ScoredList& list, std::uint32_t k) {
  const std::size_t end = std::min<std::size_t>(k, list.attributes.size());
  thread_local std::vector<KnownItem> known;
  known.clear();
  bool bits_say_all = true;
  std::size_t attributes_max = 0;
  for (std::size_t rank = 0; rank < end; ++rank) {
    if (!is_known(list, rank)) continue;
    known.push_back(known_item(list.attributes[rank]));
    bits_say_all = bits_say_all && list.attributes[rank].back() < 64;
    attributes_max = std::max(attributes_max, list.attributes[rank].size());
  }
  Similarities similarities(2 * attributes_max);
  if (bits_say_all && counts_bits) {
    add_pairs_by_bits(known, similarities);
  } else {
    add_pairs(known, bits_say_all, similarities);
  }
  const std::uint64_t number = known.size() * (known.size() - 1) / 2;
  return {.distances = static_cast<double>(number) - similarities.sum(), .number = number};
}

double evaluate(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const Pairs pairs = pairs_of(list, k);
  return pairs.distances / static_cast<double>(pairs.number);
}

std::string pairs_text(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const Pairs pairs = pairs_of(list, k);
  return four_decimals(pairs.distances) + " / " + std::to_string(pairs.number) + ": summed distances of the pairs";
}

}  // namespace

const MetricDefinition intra_list_diversity_metric{
    .name = "intra_list_diversity",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::attributes, ListPart::distinct},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "mean over the pairs of items in the top k of 1 - |a and b| / |a or b|; a, b: the sets of attributes that the "
        "catalogue file gives the two items",
    .own_evidence = "a pair of items with attributes in the top k",
    .says =
        "How different the items of one list are, by their attributes in the catalogue: 0 when all have the same attributes, "
        "1 when no two share any. It does not measure whether the items are good, and is only as informative as the "
        "attributes.",
    .edges =
        "An item counts at its first rank. Pairs with an item without attributes are left out; a list without a pair is left "
        "out of the mean (relevant_share gives the share of lists in it). Each value of a member of the item's object is one "
        "attribute (`genre=jazz`): strings, numbers and booleans, and those in arrays; null and nested objects are none. The "
        "same list has the same value at every horizon.",
    .elsewhere = "Ziegler et al. add similarities up instead; others use vectors and the cosine.",
    .source = "Smyth, McClave 2001; Ziegler et al. 2005; Jaccard 1901",
    .examples = examples,
    .evaluate = evaluate,
    .arithmetic = pairs_text,
    .has_evidence = has_pair,
};

}  // namespace recmeter
