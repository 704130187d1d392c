#include "app/generate/click_model.h"

#include "app/generate/random_stream.h"

namespace recmeter::generate {

namespace {

double mean_affinity(double quality) {
  double uniform = 0;
  for (const double affinity : affinities) uniform += affinity / static_cast<double>(item_groups);
  return quality * affinities.front() + (1 - quality) * uniform;
}

}  // namespace

ClickModel::ClickModel(const TrafficSpec& spec)
    : seed_(spec.seed), variants_(spec.segment_values), share_b_(spec.share_b), qualities_{spec.quality_a, spec.quality_b} {
  for (std::uint32_t rank = 1; rank <= spec.length_max; ++rank) {
    examine_.push_back(portable_pow(rank, -spec.position_bias));
  }
  weigh_users(spec);
  click_rate_ = solve_click_rate(spec);
}

std::uint32_t ClickModel::draw_variant(double uniform) const noexcept {
  if (variants_ == 2) return uniform < share_b_ ? 1 : 0;
  return static_cast<std::uint32_t>(uniform * variants_);
}

std::uint32_t ClickModel::variant_of_user(std::uint64_t user) const noexcept {
  return draw_variant(RandomStream(seed_, Purpose::user, user).uniform());
}

std::uint64_t ClickModel::favourite_group(std::uint64_t user) const noexcept {
  RandomStream random(seed_, Purpose::user, user);
  random.next();  // the variant's
  return random.below(item_groups);
}

double ClickModel::click_probability(std::size_t rank, std::size_t quality_class, std::size_t engagement) const noexcept {
  return click_rate_ * examine(rank) * engagements[engagement] * mean_affinity(qualities_[quality_class]);
}

void ClickModel::weigh_users(const TrafficSpec& spec) {
  const double named = 1 - spec.placeholder_users;
  std::array<std::array<std::uint64_t, engagements.size()>, quality_classes> users{};
  for (std::uint64_t user = 0; user < spec.users; ++user) {
    ++users[class_of_variant(variant_of_user(user))][engagement_of_user(user)];
  }
  for (std::size_t c = 0; c < quality_classes; ++c) {
    for (std::size_t e = 0; e < engagements.size(); ++e) {
      weights_[c][e] = named * (1 - spec.heavy_user) * static_cast<double>(users[c][e]) / static_cast<double>(spec.users);
    }
  }
  weights_[class_of_variant(variant_of_user(0))][engagement_of_user(0)] += named * spec.heavy_user;
  double b = share_b_;
  if (variants_ != 2) b = static_cast<double>(variants_ / 2) / variants_;
  weights_[0][middle_engagement] += spec.placeholder_users * (1 - b);
  weights_[1][middle_engagement] += spec.placeholder_users * b;
}

double ClickModel::solve_click_rate(const TrafficSpec& spec) const {
  double per_examination = 0;
  for (std::size_t c = 0; c < quality_classes; ++c) {
    for (std::size_t e = 0; e < engagements.size(); ++e) {
      per_examination += weights_[c][e] * engagements[e] * mean_affinity(qualities_[c]);
    }
  }
  double examinations = 0;
  const double lengths = spec.length_max - spec.length_min + 1;
  for (std::uint32_t rank = 1; rank <= spec.length_max; ++rank) {
    const double shorter = rank > spec.length_min ? rank - spec.length_min : 0;
    examinations += examine(rank) * (lengths - shorter) / lengths;
  }
  const double on_lists = spec.feedback_per_list * (1 - spec.organic);
  const double actions_per_click = 1 + spec.purchases + spec.ratings;
  return on_lists / (actions_per_click * (1 - spec.empty_lists) * examinations * per_examination);
}

}  // namespace recmeter::generate
