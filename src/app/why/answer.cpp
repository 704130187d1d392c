#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/why/why_run.h"
#include "recmeter/attribution/exact_parts.h"

namespace recmeter::why {

namespace {

// Empty: some side has no counts.
std::vector<double> rank_amounts(const Change& change, const MetricRule& rule, double difference) {
  const KeptMean& a = change.a;
  const KeptMean& b = change.b;
  if (!rule.ranks || !a.shown || !b.shown || a.shown->ranks.empty() || b.shown->ranks.empty()) return {};
  const auto counts_of = [&](const KeptMean& side) {
    RankCounts counts{.counts = {}, .lists = side.mean.facts.lists};
    for (const ShownCounts::OfRank& rank : side.shown->ranks) {
      counts.counts.push_back(*rule.ranks == RankForm::precision ? rank.hits : rank.first);
    }
    return counts;
  };
  return exact_parts(rank_parts(counts_of(a), counts_of(b), *rule.ranks), difference, rule.parts.unit).parts;
}

std::optional<Answer::ItemGroups> group_amounts(const Change& change, const MetricRule& rule, double difference) {
  const auto counts_of = [&](const KeptMean& side) {
    const bool is_of_these =
        side.shown && side.shown->groups_id == rule.item_groups_id && side.shown->groups.size() == rule.item_groups.size();
    return is_of_these ? &side.shown->groups : nullptr;
  };
  const auto* a = counts_of(change.a);
  const auto* b = counts_of(change.b);
  if (rule.item_groups.empty() || a == nullptr || b == nullptr) return std::nullopt;
  Answer::ItemGroups groups{.attribute = rule.item_group};
  bool has_a = false;
  bool has_b = false;
  for (std::size_t g = 0; g < rule.item_groups.size(); ++g) {
    const ShownCounts::OfGroup& of_a = (*a)[g];
    const ShownCounts::OfGroup& of_b = (*b)[g];
    has_a = has_a || of_a.shown > 0;
    has_b = has_b || of_b.shown > 0;
    if (of_a.shown == 0 && of_b.shown == 0) continue;
    groups.rows.push_back({.value = rule.item_groups[g], .a = {of_a.shown, of_a.hits}, .b = {of_b.shown, of_b.hits}});
  }
  if (!has_a || !has_b) return std::nullopt;
  const auto ranks_in = [&](const KeptMean& side) { return side.mean.facts.lists * rule.cutoff; };
  groups.parts =
      exact_parts(item_group_parts(groups.rows, ranks_in(change.a), ranks_in(change.b)), difference, rule.parts.unit).parts;
  return groups;
}

struct Places {
  std::vector<std::size_t> shown;  // ascending
  std::vector<std::size_t> hidden;
};
// Those `top` of `count` whose parts are largest; 0: all.
template <class Weight>
Places places_of(std::size_t count, std::size_t top, const Weight& weight) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  const std::size_t shown = top == 0 ? count : std::min(top, count);
  Places out{.shown = {}, .hidden = {places.begin() + static_cast<std::ptrdiff_t>(shown), places.end()}};
  places.resize(shown);
  std::ranges::sort(places);
  out.shown = std::move(places);
  return out;
}

}  // namespace

// Multiples of one unit add up exactly.
double Answer::ItemGroups::within() const {
  return std::accumulate(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(rows.size()), 0.0);
}
double Answer::ItemGroups::mix() const {
  const auto first = parts.begin() + static_cast<std::ptrdiff_t>(rows.size());
  return std::accumulate(first, first + static_cast<std::ptrdiff_t>(rows.size()), 0.0);
}

Answer answer_of(const Request& request, Change change, const MetricRule& rule, std::size_t top) {
  AttributionRule parts = rule.parts;
  parts.has_factors = change.has_factors;
  Attribution attribution = attribute(change.a.mean, change.b.mean, change.keys, parts);
  const double difference = *change.b.mean.facts.value - *change.a.mean.facts.value;
  return {.request = request,
          .change = change,
          .attribution = std::move(attribution),
          .ranks = rank_amounts(change, rule, difference),
          .item_groups = group_amounts(change, rule, difference),
          .confidence = parts.confidence,
          .top = top};
}

Shown shown_of(const KeyParts& key, std::size_t top) {
  const Places places = places_of(key.parts.size(), top, [&](std::size_t place) {
    return std::abs(key.parts[place].within.amount) + std::abs(key.parts[place].mix.amount);
  });
  Shown out{.parts = {}, .hidden = places.hidden.size()};
  for (const std::size_t place : places.hidden) {
    out.within += key.parts[place].within.amount;
    out.mix += key.parts[place].mix.amount;
  }
  for (const std::size_t place : places.shown) out.parts.push_back(key.parts[place]);
  return out;
}

ShownGroups shown_of(const Answer::ItemGroups& groups, std::size_t top) {
  const std::size_t count = groups.rows.size();
  Places places = places_of(
      count, top, [&](std::size_t place) { return std::abs(groups.parts[place]) + std::abs(groups.parts[count + place]); });
  ShownGroups out{.places = std::move(places.shown), .hidden = places.hidden.size()};
  for (const std::size_t place : places.hidden) {
    out.within += groups.parts[place];
    out.mix += groups.parts[count + place];
  }
  return out;
}

}  // namespace recmeter::why
