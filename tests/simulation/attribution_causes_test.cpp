// How often attribution finds what was planted (docs/why.md): made-up days of 3,000 to 30,000 lists. RECMETER_LONG=1: 300 of
// each, the figures of the page.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "recmeter/attribution/attribution.h"
#include "support/effort.h"
#include "support/mean_rows.h"
#include "support/surface_traffic.h"

namespace recmeter {
namespace {

using support::Day;
using support::Plant;
using support::Planted;

constexpr std::array<std::string_view, support::surfaces> surface_names{"a", "b", "c", "d", "e", "f"};

// Shares of fewer say nothing: under the sanitizers, too.
std::uint64_t runs() {
  return support::at_length() ? 300 : 20;
}

template <std::size_t count>
KeyRows key_of(std::string name, const std::array<support::GroupSums, count>& before,
               const std::array<support::GroupSums, count>& after) {
  KeyRows key{.key = std::move(name), .segments = {}};
  for (std::size_t s = 0; s < count; ++s) {
    key.segments.push_back({std::string(surface_names[s]), support::mean_row_of(before[s]), support::mean_row_of(after[s])});
  }
  return key;
}

MeanRow sum_of(const KeyRows& key, MeanRow SegmentRows::* side) {
  auto sums = std::make_shared<GroupSums>();
  for (const SegmentRows& segment : key.segments) *sums += *(segment.*side).sums;
  return {mean_facts(*sums), sums};
}

Attribution attributed(const support::TwoDays& days) {
  const std::vector<KeyRows> keys{key_of("device", days.before.by_device, days.after.by_device),
                                  key_of("surface", days.before.by_surface, days.after.by_surface)};
  return attribute(sum_of(keys[1], &SegmentRows::a), sum_of(keys[1], &SegmentRows::b), keys, {});
}

bool is_right(const std::optional<Cause>& cause, Planted planted) {
  if (!cause) return false;
  const std::size_t surface = support::planted_surface(planted);
  if (planted == Planted::clicks_lost) {
    return cause->kind == CauseKind::everywhere && cause->factor == Factor::relevant_share;
  }
  if (cause->key != "surface") return false;
  if (surface == support::surfaces) return cause->kind == CauseKind::mix;
  return cause->kind == CauseKind::segment && cause->value == surface_names[surface];
}

// Tells whether the largest of Σmix and each within in the direction of the difference is what was planted.
bool is_largest_right(const Attribution& found, Planted planted) {
  const KeyParts& key = found.by[1];
  const double sign = found.difference.amount < 0 ? -1 : 1;
  std::size_t best = support::surfaces;
  double most = sign * key.mix;
  for (std::size_t s = 0; s < key.parts.size(); ++s) {
    if (sign * key.parts[s].within.amount > most) most = sign * key.parts[s].within.amount, best = s;
  }
  return best == support::planted_surface(planted);
}

// The truths that intervals should hold.
std::vector<double> true_parts(const Day& before, const Day& after) {
  FactsPair whole;
  std::vector<FactsPair> segments(support::surfaces);
  constexpr double many = 1e9;
  for (std::size_t s = 0; s < support::surfaces; ++s) {
    segments[s].a.lists = static_cast<std::uint64_t>(std::llround(many * before.share[s]));
    segments[s].b.lists = static_cast<std::uint64_t>(std::llround(many * after.share[s]));
    segments[s].a.value = before.expected(s);
    segments[s].b.value = after.expected(s);
    whole.a.lists += segments[s].a.lists;
    whole.b.lists += segments[s].b.lists;
  }
  whole.a.value = before.expected();
  whole.b.value = after.expected();
  return segment_parts(whole, segments);
}

struct Figures {
  double right = 0, changed = 0, right_of_changed = 0, largest = 0, any_cause = 0;
  double covered = 0, intervals = 0;             // of D
  double parts_covered = 0, part_intervals = 0;  // of within and mix
  [[nodiscard]] double of_changed() const { return changed == 0 ? 0 : right_of_changed / changed; }
};

Figures figures_of(const Plant& plant, std::size_t lists) {
  const Day before;
  const Day after = support::planted_day(plant);
  const std::vector<double> truth = true_parts(before, after);
  const double true_difference = after.expected() - before.expected();
  Figures out;
  for (std::uint64_t seed = 1; seed <= runs(); ++seed) {
    const Attribution found = attributed(support::two_days(before, after, lists, seed));
    const bool right = is_right(found.cause, plant.what);
    const auto& ci = found.difference.ci;
    const bool changed = ci && (ci->first > 0 || ci->second < 0);
    out.right += right ? 1 : 0;
    out.changed += changed ? 1 : 0;
    out.right_of_changed += right && changed ? 1 : 0;
    out.any_cause += found.cause ? 1 : 0;
    out.largest += is_largest_right(found, plant.what) ? 1 : 0;
    const auto holds = [](const auto& interval, double value) {
      return interval->first <= value && value <= interval->second;
    };
    if (ci) {
      out.covered += holds(ci, true_difference) ? 1 : 0;
      ++out.intervals;
    }
    const auto& parts = found.by[1].parts;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      for (const auto& [part, value] :
           {std::pair(&parts[s].within, truth[s]), std::pair(&parts[s].mix, truth[support::surfaces + s])}) {
        if (!part->ci) continue;
        out.parts_covered += holds(part->ci, value) ? 1 : 0;
        ++out.part_intervals;
      }
    }
  }
  const auto of = static_cast<double>(runs());
  out.right /= of;
  out.any_cause /= of;
  out.largest /= of;
  return out;
}

std::string line_of(std::string_view name, std::size_t lists, const Figures& figures) {
  return fmt::format(
      "{:<22} {:>6} lists: right {:.2f} ({:.2f} of {:.0f} changed), largest right {:.2f}, a cause {:.2f}, "
      "D covered {:.3f}, parts covered {:.3f}\n",
      name, lists, figures.right, figures.of_changed(), figures.changed, figures.largest, figures.any_cause,
      figures.covered / std::max(1.0, figures.intervals), figures.parts_covered / std::max(1.0, figures.part_intervals));
}

struct Expected {
  std::string_view name;
  Plant plant;
  std::array<double, 3> right;       // of all, with 3,000, 10,000 and 30,000 lists
  std::array<double, 3> of_changed;  // of those with a change
};
const std::array<Expected, 6> all_expected{{
    {"visits move", {Planted::visits_move, 0.10}, {0.44, 0.94, 1}, {0.95, 1, 1}},
    {"ranker of a fifth", {Planted::ranker_of_a_fifth, 0.12}, {0.32, 0.97, 1}, {0.54, 1, 1}},
    {"ranker of a few", {Planted::ranker_of_a_few, 0.05}, {0.05, 0.43, 0.80}, {0.33, 0.96, 0.99}},
    {"clicks lost", {Planted::clicks_lost, 0.12}, {0.58, 0.95, 0.98}, {0.97, 0.97, 0.98}},
    {"clicks lost of few", {Planted::clicks_lost_of_few, 0.09}, {0.34, 0.88, 1}, {0.85, 0.99, 1}},
    {"opposed", {Planted::opposed, 0.07}, {0.19, 0.65, 0.99}, {0.97, 1, 1}},
}};
constexpr std::array<std::size_t, 3> sizes{3'000, 10'000, 30'000};

// How far chance may take a share of so many runs from what is expected: three standard errors, and what the traffic, of
// which not all is written down, differs.
double reach(double share, double of) {
  return 3 * std::sqrt(std::max(0.02, share * (1 - share)) / std::max(1.0, of)) + 0.03;
}

TEST(AttributionCauses, are_those_that_were_planted) {
  const auto of = static_cast<double>(runs());
  for (const Expected& expected : all_expected) {
    for (std::size_t size = 0; size < sizes.size(); ++size) {
      const Figures figures = figures_of(expected.plant, sizes[size]);
      const std::string line = line_of(expected.name, sizes[size], figures);
      std::cout << line;
      EXPECT_GE(figures.right, expected.right[size] - reach(expected.right[size], of)) << line;
      EXPECT_GE(figures.of_changed(), expected.of_changed[size] - reach(expected.of_changed[size], figures.changed)) << line;
      EXPECT_GE(figures.covered / figures.intervals, 0.92 - reach(0.95, figures.intervals)) << line;
      EXPECT_GE(figures.parts_covered / figures.part_intervals, 0.92) << line;
      // Everywhere has no largest part.
      if (size > 0 && expected.plant.what != Planted::clicks_lost) {
        EXPECT_GE(figures.largest, 0.99 - reach(0.95, of)) << line;
      }
    }
  }
}

TEST(AttributionCauses, are_seldom_named_where_nothing_was_planted) {
  for (const std::size_t size : sizes) {
    const Figures figures = figures_of({}, size);
    const std::string line = line_of("nothing", size, figures);
    std::cout << line;
    EXPECT_LE(figures.any_cause, 0.05 + reach(0.05, static_cast<double>(runs()))) << line;
  }
}

}  // namespace
}  // namespace recmeter
