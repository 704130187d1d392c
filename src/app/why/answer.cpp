#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/why/why_run.h"
#include "recmeter/attribution/exact_parts.h"

namespace recmeter::why {

Answer answer_of(const Request& request, Change change, AttributionRule rule, std::optional<RankForm> form, std::size_t top) {
  rule.has_factors = change.has_factors;
  Attribution attribution = attribute(change.a.mean, change.b.mean, change.keys, rule);
  Answer answer{.request = request,
                .change = std::move(change),
                .attribution = std::move(attribution),
                .confidence = rule.confidence,
                .top = top};
  const KeptMean& a = answer.change.a;
  const KeptMean& b = answer.change.b;
  if (form && a.ranks && b.ranks) {
    const double difference = *b.mean.facts.value - *a.mean.facts.value;
    answer.ranks = exact_parts(rank_parts(*a.ranks, *b.ranks, *form), difference, rule.unit).parts;
  }
  return answer;
}

Shown shown_of(const KeyParts& key, std::size_t top) {
  Shown out;
  const auto weight = [&](std::size_t place) {
    return std::abs(key.parts[place].within.amount) + std::abs(key.parts[place].mix.amount);
  };
  std::vector<std::size_t> places(key.parts.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  const std::size_t shown = top == 0 ? places.size() : std::min(top, places.size());
  for (std::size_t i = shown; i < places.size(); ++i) {
    out.within += key.parts[places[i]].within.amount;
    out.mix += key.parts[places[i]].mix.amount;
  }
  out.hidden = places.size() - shown;
  places.resize(shown);
  std::ranges::sort(places);
  for (const std::size_t place : places) out.parts.push_back(key.parts[place]);
  return out;
}

}  // namespace recmeter::why
