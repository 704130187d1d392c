#include "support/batch_attribution.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

namespace recmeter::support {
namespace {

using Real = long double;
using Exact = boost::multiprecision::cpp_rational;
using Whole = boost::multiprecision::cpp_int;

struct Facts {
  Real lists = 0, v = 0, r = 0, g = 0;
  bool has_value = false, has_given = false;
};

// Sums of one side, without a group (or, with 64, of all).
Facts facts_of(const GroupSums& sums, std::size_t without) {
  Real s = 0, n = 0, e = 0;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (g == without) continue;
    s += static_cast<Real>(sums[g].sum) / 4294967296.0L;
    n += static_cast<Real>(sums[g].lists);
    e += static_cast<Real>(sums[g].evidence);
  }
  Facts facts{.lists = n};
  facts.has_value = n > 0;
  facts.has_given = e > 0;
  if (n > 0) facts.v = s / n, facts.r = e / n;
  if (e > 0) facts.g = s / e;
  return facts;
}

struct Sides {
  Facts a, b;
};

// "A value missing on one side takes the other's."
Sides completed(Sides of) {
  if (!of.a.has_value) of.a.v = of.b.v;
  if (!of.b.has_value) of.b.v = of.a.v;
  if (!of.a.has_given) of.a.g = of.b.g;
  if (!of.b.has_given) of.b.g = of.a.g;
  return of;
}

std::vector<Real> factors_of(const Sides& sides) {
  const auto [a, b] = completed(sides);
  return {(b.r - a.r) * (a.g + b.g) / 2, (b.g - a.g) * (a.r + b.r) / 2};
}

struct Change {
  Sides whole;
  std::vector<Sides> segments;
  std::vector<Real> parts;
  bool is_defined = false;
};

Change change_of(const std::vector<BatchSegment>& segments, std::size_t without) {
  GroupSums all_a{}, all_b{};
  Change out;
  for (const BatchSegment& segment : segments) {
    out.segments.push_back({facts_of(segment.a, without), facts_of(segment.b, without)});
    for (std::size_t g = 0; g < user_groups; ++g) {
      for (auto [to, from] : {std::pair{&all_a[g], &segment.a[g]}, std::pair{&all_b[g], &segment.b[g]}}) {
        to->sum += from->sum;
        to->lists += from->lists;
        to->evidence += from->evidence;
      }
    }
  }
  out.whole = {facts_of(all_a, without), facts_of(all_b, without)};
  out.is_defined = out.whole.a.has_value && out.whole.b.has_value;
  if (!out.is_defined) return out;
  const Real mean = (out.whole.a.v + out.whole.b.v) / 2;
  std::vector<Real> mixes;
  for (const Sides& sides : out.segments) {
    const auto [a, b] = completed(sides);
    const Real w = a.lists / out.whole.a.lists;
    const Real w2 = b.lists / out.whole.b.lists;
    out.parts.push_back((w + w2) / 2 * (b.v - a.v));
    mixes.push_back((w2 - w) * ((a.v + b.v) / 2 - mean));
  }
  out.parts.insert(out.parts.end(), mixes.begin(), mixes.end());
  return out;
}

std::size_t evidence_groups(const GroupSums& sums) {
  std::size_t count = 0;
  for (const GroupSum& group : sums) count += group.evidence > 0 ? 1 : 0;
  return count;
}

constexpr Range plain{.low = -std::numeric_limits<double>::infinity(), .high = std::numeric_limits<double>::infinity()};

std::size_t shared(const GroupSums& a, const GroupSums& b) {
  return std::min(evidence_groups(a), evidence_groups(b));
}

// x and 1 / se^2 of the segments that have their groups.
std::vector<std::pair<Real, Real>> log_ratios(const std::vector<BatchSegment>& segments, double confidence,
                                              std::size_t groups_min) {
  std::vector<std::pair<Real, Real>> changes;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const BatchSegment& segment = segments[s];
    if (shared(segment.a, segment.b) < std::max<std::size_t>(1, groups_min)) continue;
    const auto log_ratio = [&](std::size_t g) -> std::optional<double> {
      const Facts before = facts_of(segment.a, g), after = facts_of(segment.b, g);
      if (!before.has_value || !after.has_value || before.v <= 0 || after.v <= 0) return std::nullopt;
      return static_cast<double>(std::log(after.v / before.v));
    };
    const auto x = log_ratio(user_groups);
    std::vector<std::optional<double>> xs;
    for (std::size_t g = 0; g < user_groups; ++g) {
      if (segment.a[g].lists + segment.b[g].lists > 0) xs.push_back(log_ratio(g));
    }
    const auto se = estimate_left_out(x, xs, user_groups, confidence, plain).se;
    if (x && se && *se > 0) changes.emplace_back(*x, 1 / (static_cast<Real>(*se) * *se));
  }
  return changes;
}

// Q, and the cause. Of a difference whose interval leaves 0 out.
void judge(BatchAttribution& out, const Change& all, const std::vector<BatchSegment>& segments, double confidence,
           std::size_t groups_min) {
  const auto changes = log_ratios(segments, confidence, groups_min);
  const Real difference = all.whole.b.v - all.whole.a.v;
  Real within = 0, mix = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) within += all.parts[s], mix += all.parts[segments.size() + s];
  const Real sign = difference < 0 ? -1 : 1;
  const auto largest = [&](std::size_t first) {
    std::size_t best = first;
    for (std::size_t p = first; p < first + segments.size(); ++p) {
      if (sign * all.parts[p] > sign * all.parts[best]) best = p;
    }
    return best - first;
  };
  const auto factor = [&](const Sides& sides) -> std::string {
    const auto parts = factors_of(sides);
    return sign * parts[0] >= sign * parts[1] ? "relevant_share" : "given_relevant";
  };
  if (sign * mix > sign * within) out.cause = {"mix", segments[largest(segments.size())].value, ""};
  if (changes.size() < 2) return;
  Real weight = 0, mean = 0, q = 0;
  for (const auto& [x, w] : changes) weight += w, mean += w * x;
  mean /= weight;
  for (const auto& [x, w] : changes) q += w * (x - mean) * (x - mean);
  out.q = static_cast<double>(q);
  if (out.cause) return;
  const Real d = static_cast<Real>(changes.size() - 1);
  const Real z = (std::pow(q / d, Real{1} / 3) - 1 + 2 / (9 * d)) / std::sqrt(2 / (9 * d));
  if (z > 2.3263478740408408L) {
    const std::size_t s = largest(0);
    out.cause = {"segment", segments[s].value, factor(all.segments[s])};
  } else {
    out.cause = {"everywhere", "", factor(all.whole)};
  }
}

}  // namespace

BatchAttribution batch_attribution(const std::vector<BatchSegment>& segments, double confidence, std::size_t groups_min) {
  BatchAttribution out;
  const Change all = change_of(segments, user_groups);
  const Real difference = all.whole.b.v - all.whole.a.v;
  out.difference = static_cast<double>(difference);
  for (const Real part : all.parts) out.parts.push_back(static_cast<double>(part));
  for (const Real factor : factors_of(all.whole)) out.factors.push_back(static_cast<double>(factor));

  std::vector<std::optional<double>> without;
  std::vector<std::vector<std::optional<double>>> parts_without(all.parts.size());
  GroupSums a{}, b{};
  for (std::size_t g = 0; g < user_groups; ++g) {
    for (const BatchSegment& segment : segments) {
      a[g].lists += segment.a[g].lists, a[g].evidence += segment.a[g].evidence;
      b[g].lists += segment.b[g].lists, b[g].evidence += segment.b[g].evidence;
    }
    if (a[g].lists + b[g].lists == 0) continue;
    const Change change = change_of(segments, g);
    using Maybe = std::optional<double>;
    without.push_back(change.is_defined ? Maybe(static_cast<double>(change.whole.b.v - change.whole.a.v)) : Maybe());
    for (std::size_t p = 0; p < all.parts.size(); ++p) {
      parts_without[p].push_back(change.is_defined ? Maybe(static_cast<double>(change.parts[p])) : Maybe());
    }
  }
  const auto enough = [&](std::size_t groups) { return groups >= groups_min ? user_groups : 0; };
  out.ci = estimate_left_out(out.difference, without, enough(shared(a, b)), confidence, plain).ci;
  for (std::size_t p = 0; p < all.parts.size(); ++p) {
    const BatchSegment& segment = segments[p % segments.size()];
    out.part_cis.push_back(
        estimate_left_out(out.parts[p], parts_without[p], enough(shared(segment.a, segment.b)), confidence, plain).ci);
  }
  if (!out.ci || (out.ci->first <= 0 && out.ci->second >= 0)) return out;

  judge(out, all, segments, confidence, groups_min);
  return out;
}

std::vector<std::int64_t> batch_units(const std::vector<double>& parts, double whole, double unit) {
  const auto half_even = [](const Exact& x) {
    const Whole n = numerator(x), d = denominator(x);
    Whole below = n / d;
    if (below * d > n) --below;  // towards minus infinity
    const Exact rest = x - Exact(below);
    const bool up = rest > Exact(1, 2) || (rest == Exact(1, 2) && below % 2 != 0);
    return static_cast<std::int64_t>(up ? Whole(below + 1) : below);
  };
  std::vector<std::int64_t> units;
  std::vector<Exact> remainders;
  std::int64_t left = half_even(Exact(whole) / Exact(unit));
  for (const double part : parts) {
    const Exact x = Exact(part) / Exact(unit);
    units.push_back(half_even(x));
    remainders.push_back(x - Exact(units.back()));
    left -= units.back();
  }
  const int sign = left < 0 ? -1 : 1;
  for (; left != 0; left -= sign) {  // the largest one each time, which then is the smallest
    std::size_t best = 0;
    for (std::size_t p = 1; p < parts.size(); ++p) {
      if (sign * remainders[p] > sign * remainders[best]) best = p;
    }
    units[best] += sign;
    remainders[best] -= sign;
  }
  return units;
}

}  // namespace recmeter::support
