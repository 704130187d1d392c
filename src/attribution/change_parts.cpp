#include "recmeter/attribution/change_parts.h"

#include <cstddef>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

// A part: its share and value, before and after.
struct Weighed {
  double share_a = 0;
  double share_b = 0;
  double value_a = 0;
  double value_b = 0;
};

double within(const Weighed& of) {
  return 0.5 * (of.share_a + of.share_b) * (of.value_b - of.value_a);
}
// `mean`: of the two values of the whole.
double mix(const Weighed& of, double mean) {
  return (of.share_b - of.share_a) * (0.5 * (of.value_a + of.value_b) - mean);
}

// A value that one side has not is the other's; without either 0.
double value_or(std::optional<double> value, std::optional<double> other) {
  return value ? *value : other.value_or(0);
}

// Nothing gives 0.
double share(std::uint64_t count, std::uint64_t all) {
  return all == 0 ? 0 : share_of(count, all);
}

}  // namespace

double difference_of(const FactsPair& whole) {
  return *whole.b.value - *whole.a.value;
}

std::vector<double> segment_parts(const FactsPair& whole, std::span<const FactsPair> segments) {
  RECMETER_CHECK(whole.a.value && whole.b.value, "a difference without values");
  const double mean = 0.5 * (*whole.a.value + *whole.b.value);
  std::vector<double> parts(2 * segments.size());
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const auto& [a, b] = segments[s];
    const Weighed of{.share_a = share(a.lists, whole.a.lists),
                     .share_b = share(b.lists, whole.b.lists),
                     .value_a = value_or(a.value, b.value),
                     .value_b = value_or(b.value, a.value)};
    parts[s] = within(of);
    parts[segments.size() + s] = mix(of, mean);
  }
  return parts;
}

std::optional<FactorParts> factor_parts(const FactsPair& whole) {
  const auto& [a, b] = whole;
  if (!a.relevant_share || !b.relevant_share || (!a.given_relevant && !b.given_relevant)) return std::nullopt;
  const double given_a = value_or(a.given_relevant, b.given_relevant);
  const double given_b = value_or(b.given_relevant, a.given_relevant);
  return FactorParts{.relevant_share = (*b.relevant_share - *a.relevant_share) * (0.5 * (given_a + given_b)),
                     .given_relevant = (given_b - given_a) * (0.5 * (*a.relevant_share + *b.relevant_share))};
}

std::optional<RankForm> rank_form(std::string_view metric) {
  if (metric == "precision") return RankForm::precision;
  if (metric == "hit_rate") return RankForm::hit_rate;
  if (metric == "mrr") return RankForm::mrr;
  return std::nullopt;
}

std::vector<double> rank_parts(const RankCounts& a, const RankCounts& b, RankForm form) {
  RECMETER_CHECK(a.counts.size() == b.counts.size(), "two rows of one metric have as many ranks");
  const std::size_t ranks = a.counts.size();
  std::vector<double> parts;
  for (std::size_t i = 0; i < ranks; ++i) {
    const double moved = share(b.counts[i], b.lists) - share(a.counts[i], a.lists);
    const std::size_t over = form == RankForm::precision ? ranks : form == RankForm::mrr ? i + 1 : 1;
    parts.push_back(moved / static_cast<double>(over));
  }
  return parts;
}

std::vector<double> item_group_parts(std::span<const ItemGroupRows> groups, std::uint64_t places_a, std::uint64_t places_b) {
  ShownItems all_a;
  ShownItems all_b;
  for (const ItemGroupRows& group : groups) {
    all_a.shown += group.a.shown;
    all_a.hits += group.a.hits;
    all_b.shown += group.b.shown;
    all_b.hits += group.b.hits;
  }
  RECMETER_CHECK(all_a.shown > 0 && all_b.shown > 0, "items were shown on both sides");
  const auto value_of = [](const ShownItems& items) {
    return items.shown == 0 ? std::nullopt : std::optional(share_of(items.hits, items.shown));
  };
  const double mean = 0.5 * (*value_of(all_a) + *value_of(all_b));
  std::vector<double> parts(2 * groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::optional<double> value_a = value_of(groups[g].a);
    const std::optional<double> value_b = value_of(groups[g].b);
    const Weighed of{.share_a = share(groups[g].a.shown, places_a),
                     .share_b = share(groups[g].b.shown, places_b),
                     .value_a = value_or(value_a, value_b),
                     .value_b = value_or(value_b, value_a)};
    parts[g] = within(of);
    parts[groups.size() + g] = mix(of, mean);
  }
  parts.push_back((share(all_b.shown, places_b) - share(all_a.shown, places_a)) * mean);
  return parts;
}

}  // namespace recmeter
