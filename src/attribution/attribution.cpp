#include "recmeter/attribution/attribution.h"

#include <algorithm>
#include <array>

#include "attribution/cause.h"
#include "attribution/left_out_parts.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

using MaybeInterval = std::optional<std::pair<double, double>>;

// Two rows of all lists, and what their groups tell.
class Whole {
 public:
  Whole(const MeanRow& a, const MeanRow& b, const AttributionRule& rule) : facts_{a.facts, b.facts}, rule_(rule) {
    if (a.sums == nullptr || b.sums == nullptr) return;
    groups_ = shared_groups(a, b);
    for (std::size_t g = 0; g < user_groups; ++g) without_[g] = facts_without(a, b, g);
  }

  [[nodiscard]] const FactsPair& facts() const { return facts_; }
  [[nodiscard]] const SharedGroups& groups() const { return groups_; }
  // Empty: a side has no list then.
  [[nodiscard]] const FactsPair* without(std::size_t group) const {
    const FactsPair& facts = without_[group];
    return facts.a.value && facts.b.value ? &facts : nullptr;
  }
  // part_of(facts): of both rows without a group.
  template <class PartOf>
  [[nodiscard]] MaybeInterval interval(double value, const PartOf& part_of) const {
    if (groups_.held == 0) return std::nullopt;
    return estimate_without(value, groups_, rule_,
                            [&](std::size_t g) -> std::optional<double> {
                              const FactsPair* facts = without(g);
                              return facts == nullptr ? std::nullopt : part_of(*facts);
                            })
        .ci;
  }

 private:
  FactsPair facts_;
  const AttributionRule& rule_;
  SharedGroups groups_;
  std::array<FactsPair, user_groups> without_;
};

bool have_sums(std::span<const SegmentRows> segments) {
  return std::ranges::all_of(segments, [](const SegmentRows& segment) {
    return (segment.a.facts.lists == 0 || segment.a.sums != nullptr) &&
           (segment.b.facts.lists == 0 || segment.b.sums != nullptr);
  });
}

// The intervals of the parts of a key, in the order of segment_parts(). A part is left out of where the whole has lists, and
// has its groups by its own segment.
std::vector<MaybeInterval> intervals_of(const Whole& whole, std::span<const SegmentRows> segments,
                                        std::span<const double> parts, const AttributionRule& rule) {
  std::vector<MaybeInterval> out(parts.size());
  if (whole.groups().held == 0 || !have_sums(segments)) return out;
  std::array<std::vector<double>, user_groups> without;
  std::vector<FactsPair> facts(segments.size());
  for (std::size_t g = 0; g < user_groups; ++g) {
    const FactsPair* of_whole = whole.without(g);
    if (of_whole == nullptr) continue;
    std::ranges::transform(segments, facts.begin(),
                           [g](const SegmentRows& segment) { return facts_without(segment.a, segment.b, g); });
    without[g] = segment_parts(*of_whole, facts);
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const SegmentRows& segment = segments[p % segments.size()];
    const SharedGroups groups{.held = whole.groups().held, .evidence = shared_groups(segment.a, segment.b).evidence};
    out[p] = estimate_without(parts[p], groups, rule, [&](std::size_t g) {
               return without[g].empty() ? std::nullopt : std::optional(without[g][p]);
             }).ci;
  }
  return out;
}

KeyParts parts_of(const Whole& whole, const KeyRows& rows, const AttributionRule& rule) {
  std::vector<FactsPair> facts;
  for (const SegmentRows& segment : rows.segments) facts.push_back({segment.a.facts, segment.b.facts});
  const std::vector<double> parts = segment_parts(whole.facts(), facts);
  const std::vector<double> exact = exact_parts(parts, difference_of(whole.facts()), rule.unit).parts;
  const std::vector<MaybeInterval> intervals = intervals_of(whole, rows.segments, parts, rule);
  KeyParts out{.key = rows.key, .parts = {}};
  const std::size_t count = rows.segments.size();
  for (std::size_t s = 0; s < count; ++s) {
    out.parts.push_back({.value = rows.segments[s].value,
                         .a = facts[s].a,
                         .b = facts[s].b,
                         .within = {exact[s], intervals[s]},
                         .mix = {exact[count + s], intervals[count + s]}});
    out.within += exact[s];
    out.mix += exact[count + s];
  }
  return out;
}

std::optional<std::pair<ChangePart, ChangePart>> factors_of(const Whole& whole, const AttributionRule& rule) {
  if (!rule.has_factors) return std::nullopt;
  const auto parts = factor_parts(whole.facts());
  if (!parts) return std::nullopt;
  const auto exact =
      exact_parts(std::array{parts->relevant_share, parts->given_relevant}, difference_of(whole.facts()), rule.unit).parts;
  const auto interval = [&](double FactorParts::* part) {
    return whole.interval(*parts.*part, [part](const FactsPair& facts) {
      const auto without = factor_parts(facts);
      return without ? std::optional(*without.*part) : std::nullopt;
    });
  };
  return std::pair{ChangePart{exact[0], interval(&FactorParts::relevant_share)},
                   ChangePart{exact[1], interval(&FactorParts::given_relevant)}};
}

}  // namespace

std::string_view to_string(CauseKind kind) {
  constexpr std::array<std::string_view, 3> names{"mix", "segment", "everywhere"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Factor factor) {
  return factor == Factor::relevant_share ? "relevant_share" : "given_relevant";
}

Attribution attribute(const MeanRow& a, const MeanRow& b, std::span<const KeyRows> keys, const AttributionRule& rule) {
  RECMETER_CHECK(a.facts.value && b.facts.value, "a difference without values");
  const Whole whole(a, b, rule);
  Attribution out{.a = a.facts, .b = b.facts, .difference = {}, .by = {}, .factors = factors_of(whole, rule), .cause = {}};
  const double difference = difference_of(whole.facts());
  out.difference = {exact_parts({}, difference, rule.unit).whole,
                    whole.interval(difference, [](const FactsPair& facts) { return std::optional(difference_of(facts)); })};
  const MaybeInterval& ci = out.difference.ci;
  const bool is_sure = ci && (ci->first > 0 || ci->second < 0);
  for (const KeyRows& rows : keys) {
    KeyParts& key = out.by.emplace_back(parts_of(whole, rows, rule));
    if (!is_sure || !have_sums(rows.segments)) continue;
    key.unevenness = unevenness_of(rows.segments, rule);
    key.cause = cause_of(key, whole.facts(), difference, rule);
  }
  out.cause = first_cause(out.by);
  return out;
}

}  // namespace recmeter
