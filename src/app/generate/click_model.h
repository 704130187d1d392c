// ClickModel: who clicks on what. Everything the generator draws about relevance, and everything the truth is computed from.
//
// Given a list, the click at rank i is independent of all others and has the probability
//   p_i = click_rate * examine(i) * engagement(user) * affinity(user, group of the item at i),
//   examine(i) = i^-position_bias.
// Every user has the same affinities in another order (one favourite group), and a rank is filled from the favourite group
// with probability quality(variant), else from a uniform group, independently of other ranks. So, over the items drawn, the
// clicks of one list are still independent and p_i depends on rank, variant and engagement only: metric values have closed
// forms (app/generate/expected_metrics.h).
// Thread safety: immutable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/generate/traffic_spec.h"

namespace recmeter::generate {

inline constexpr std::uint64_t item_groups = 8;
inline constexpr std::size_t quality_classes = 2;  // the quality of A and that of B
inline constexpr std::array<double, item_groups> affinities{1.0, 0.6, 0.4, 0.25, 0.15, 0.1, 0.06, 0.04};
// How eager a user is; user u has level u mod 3. Placeholders have the middle one. Lists of one user are thus not
// independent.
inline constexpr std::array<double, 3> engagements{0.5, 1.0, 1.5};
inline constexpr std::size_t middle_engagement = 1;

class ClickModel {
 public:
  // Counts the users of each kind, once: time proportional to spec.users. Requires: the ranges of TrafficSpec.
  explicit ClickModel(const TrafficSpec& spec);

  [[nodiscard]] std::uint32_t variant_of_user(std::uint64_t user) const noexcept;
  [[nodiscard]] std::uint32_t draw_variant(double uniform) const noexcept;
  // 0 or 1: the quality of A or of B.
  [[nodiscard]] std::size_t class_of_variant(std::uint32_t variant) const noexcept { return variant % quality_classes; }
  [[nodiscard]] std::uint64_t favourite_group(std::uint64_t user) const noexcept;
  [[nodiscard]] static std::size_t engagement_of_user(std::uint64_t user) noexcept { return user % engagements.size(); }
  [[nodiscard]] double quality(std::size_t quality_class) const noexcept { return qualities_[quality_class]; }
  [[nodiscard]] double examine(std::size_t rank) const noexcept { return examine_[rank - 1]; }
  [[nodiscard]] double click_rate() const noexcept { return click_rate_; }

  // p_i before the item of rank i is known.
  [[nodiscard]] double click_probability(std::size_t rank, std::size_t quality_class, std::size_t engagement) const noexcept;
  // Share of all lists that have this class and engagement; sums to 1.
  [[nodiscard]] double weight(std::size_t quality_class, std::size_t engagement) const noexcept {
    return weights_[quality_class][engagement];
  }
  [[nodiscard]] double largest_click_probability() const noexcept { return click_rate_ * engagements.back(); }

 private:
  void weigh_users(const TrafficSpec& spec);
  // The click rate at which the mean of all actions is spec.feedback_per_list.
  [[nodiscard]] double solve_click_rate(const TrafficSpec& spec) const;

  std::uint64_t seed_;
  std::uint32_t variants_;
  double share_b_;
  std::array<double, quality_classes> qualities_;
  std::vector<double> examine_;
  std::array<std::array<double, engagements.size()>, quality_classes> weights_{};
  double click_rate_ = 1;
};

}  // namespace recmeter::generate
