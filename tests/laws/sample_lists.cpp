#include "laws/sample_lists.h"

#include <algorithm>
#include <array>
#include <functional>

#include "recmeter/metric/latency_buckets.h"
#include "recmeter/metric/registry.h"
#include "support/off_policy.h"

namespace recmeter::laws {

namespace {

// What stands at a rank.
struct Place {
  double grade = 0;
  bool is_new = true;  // an item no rank before shows
  std::span<const std::uint32_t> attributes = {};
  std::uint32_t acting_users = 0;
  std::uint8_t seen = 0;
  std::uint32_t logged_rank = 0;
  std::uint8_t known = 0;
};

std::vector<Place> places_of(const SampleList& sample) {
  std::vector<Place> places(sample.length);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = {.grade = 0,
                 .is_new = sample.distinct[i + 1] > sample.distinct[i],
                 .attributes = sample.attributes[i],
                 .acting_users = sample.acting_users_of[i],
                 .seen = sample.seen[i],
                 .logged_rank = sample.logged_ranks[i],
                 .known = sample.known[i]};
  }
  for (const Hit& hit : sample.hits) places[hit.rank - 1].grade = hit.grade;
  return places;
}

void fill(SampleList& sample, const std::vector<Place>& places) {
  sample.hits.clear();
  sample.distinct.assign(1, 0);
  sample.attributes.clear();
  sample.acting_users_of.clear();
  sample.seen.clear();
  sample.logged_ranks.clear();
  sample.known.clear();
  for (const Place& place : places) {
    sample.attributes.push_back(place.attributes);
    sample.acting_users_of.push_back(place.acting_users);
    sample.seen.push_back(place.seen);
    sample.logged_ranks.push_back(place.logged_rank);
    sample.known.push_back(place.known);
    sample.distinct.push_back(sample.distinct.back() + (place.is_new ? 1 : 0));
    if (place.grade > 0) sample.hits.push_back({static_cast<std::uint32_t>(sample.distinct.size() - 1), place.grade});
  }
  sample.ratings.clear();
  sample.judged.clear();
  sample.retests.clear();
  for (const Hit& hit : sample.hits) sample.judged.push_back(hit.rank);
  sample.credited = sample.judged.size();
  sample.credited_with_score = 0;
}

}  // namespace

namespace {

bool is_slower_share(const MetricDefinition& metric) {
  return metric.takes.has(MetricOption::slower_than) && metric.family == Family::list_mean;
}

bool is_r_precision(const MetricDefinition& metric) {
  return &metric == find_metric("precision")->cut_at_relevant;
}

}  // namespace

std::vector<const MetricDefinition*> every_definition() {
  std::vector<const MetricDefinition*> all;
  for (const MetricDefinition* metric : all_metrics()) {
    all.push_back(metric);
    if (metric->slower_share != nullptr) all.push_back(metric->slower_share);
    if (metric->cut_at_relevant != nullptr) all.push_back(metric->cut_at_relevant);
  }
  return all;
}

std::string name_of_definition(const MetricDefinition& metric) {
  return std::string(metric.name) + (is_slower_share(metric) ? "_slower_share" : is_r_precision(metric) ? "_at_R" : "");
}

MetricContext sample_context() {
  return {.catalog_size = 2000,
          .catalog_has_attributes = true,
          .has_lanes = true,
          .ratings = {},
          .actions = {{.name = sample_action, .gain = 30, .after = {}, .horizon = {}}}};
}

MetricContext sample_context(const MetricDefinition& metric) {
  MetricContext context = sample_context();
  if (!judges_policy(metric)) return context;
  context.off_policy = support::off_policy_of(support::usual_estimator(metric));
  // Refused sometimes.
  context.off_policy->min_ess = 3;
  context.off_policy->max_weight_share = 0.9;
  return context;
}

MetricOptions sample_options(const MetricDefinition& metric) {
  MetricOptions options;
  if (metric.needs_action) options.action = sample_action;
  if (metric.needs_estimator) options.of = Estimator::ips;
  if (is_slower_share(metric)) options.slower_than = 100;
  if (is_r_precision(metric)) options.cut = Cut::relevant;
  return options;
}

Examination sample_examination() {
  Examination examination{.first = 0.3, .by_rank = {}};
  for (int rank = 1; rank <= 2000; ++rank) examination.by_rank.push_back(1.0 / rank);
  return examination;
}

ScoredList SampleList::list() const {
  ScoredList list{.length = length, .hits = hits, .missed = missed, .missed_items = 0, .distinct = distinct};
  list.ratings = ratings;
  list.judged = judged;
  list.retests = retests;
  list.credited = credited;
  list.credited_with_score = credited_with_score;
  list.attributes = attributes;
  list.acting_users_of = acting_users_of;
  list.acting_users = acting_users;
  list.popular_from = popular_from;
  list.latency_bucket = latency_bucket;
  if (!is_nobodys) list.known = known;
  list.beside_shown = {.distinct = distinct, .seen = seen};
  if (has_place) list.beside_shown.logged_ranks = logged_ranks;
  if (has_policy) list.policy = ListPolicy{target, logged, predicted, expected};
  for (const GradeCount& level : missed) list.missed_items += level.items;
  constexpr std::int64_t reach_ms = 1'800'000;
  action_hits = hits;
  for (Hit& hit : action_hits) hit.grade = 1;
  list.first_ms = hits.empty() ? reach_ms : first_ms;
  action = {.hits = action_hits,
            .missed = missed,
            .missed_items = list.missed_items,
            .reach_ms = reach_ms,
            .first_ms = list.first_ms,
            .worth = hits};
  list.by_action = {&action, 1};
  return list;
}

void SampleList::take_feedback_away() {
  hits.clear();
  feedback.clear();
  ratings.clear();
  judged.clear();
  retests.clear();
  credited = 0;
  credited_with_score = 0;
}

void SampleList::swap(std::uint32_t a, std::uint32_t b) {
  std::vector<Place> places = places_of(*this);
  std::swap(places[a - 1], places[b - 1]);
  fill(*this, places);
}

void SampleList::make_ideal() {
  std::vector<Place> places = places_of(*this);
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.grade > b.grade; });
  fill(*this, places);
}

void SampleList::shift_scores(double by) {
  for (Rating& rating : ratings) {
    rating.rating += by;
    rating.prediction += by;
  }
  for (Retest& retest : retests) {
    retest.first += by;
    retest.again += by;
  }
}

namespace {

// Judged are the hits and some more; some of these are rated, some of them shown with a score. All numbers are multiples of
// 2^-10, so that moving them rounds nothing.
void judge(SampleList& sample, support::Dice& dice) {
  const std::vector<double> points{1, 2, 2.5, 3, 3.75, 4, 5, -7.0 / 1024};
  const auto number = [&] { return dice.percent(2) ? dice.pick<double>({1e8, -1e8, 0}) : dice.pick(points); };
  const std::size_t rated_percent = dice.pick<std::size_t>({0, 50, 100});
  auto hit = sample.hits.begin();
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    const bool relevant = hit != sample.hits.end() && hit->rank == rank;
    if (relevant) ++hit;
    if (!relevant && !dice.percent(10)) continue;
    sample.judged.push_back(rank);
    const bool scored = dice.percent(70);
    const std::uint64_t credits = 1 + dice.below(2);
    sample.credited += credits;
    sample.credited_with_score += scored ? credits : 0;
    if (!dice.percent(rated_percent)) continue;
    sample.ratings.push_back({rank, number(), scored, scored ? number() : 0});
    for (std::size_t again = dice.below(3); again > 0; --again) {
      sample.retests.push_back({.rank = rank, .first = sample.ratings.back().rating, .again = number()});
    }
  }
}

}  // namespace

SampleList random_sample(support::Dice& dice) {
  const std::vector<double> grades{0.25, 1, 1, 2, 3, 30, 1e-9};
  SampleList sample;
  sample.length = dice.percent(10) ? 0 : static_cast<std::uint32_t>(dice.between(1, dice.percent(5) ? 1500 : 12));
  const std::size_t hit_percent = dice.pick<std::size_t>({0, 5, 30, 100});
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    if (dice.percent(hit_percent)) sample.hits.push_back({rank, dice.pick(grades)});
  }
  if (dice.percent(30)) {
    std::vector<double> missed{0.25, 1, 2, 3, 30};
    dice.shuffle(missed);
    missed.resize(1 + dice.below(missed.size()));
    std::sort(missed.begin(), missed.end(), std::greater<>());
    for (const double grade : missed) sample.missed.push_back({grade, static_cast<std::uint64_t>(dice.between(1, 4))});
  }
  judge(sample, dice);
  if (dice.percent(50)) sample.feedback = {{dice.below(3), dice.below(3)}, {dice.below(2), 0}};
  // Some ranks repeat an item or are empty; the relevant ones are neither.
  sample.distinct.push_back(0);
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    const bool relevant =
        std::any_of(sample.hits.begin(), sample.hits.end(), [&](const Hit& hit) { return hit.rank == rank; });
    sample.distinct.push_back(sample.distinct.back() + (relevant || !dice.percent(10) ? 1 : 0));
  }
  // What is known of an item; of those far down, and of a rank that shows none, nothing is.
  static constexpr std::array<std::uint32_t, 8> known{0, 1, 2, 3, 5, 8, 13, 21};
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    const auto some = std::span(known).subspan(dice.below(5), dice.below(4));
    const bool is_known = rank <= 40 && dice.percent(80) && sample.distinct[rank] > sample.distinct[rank - 1];
    sample.attributes.push_back(is_known ? some : std::span<const std::uint32_t>());
  }
  // Before some lists nobody acted.
  sample.acting_users = dice.percent(20) ? 0 : static_cast<std::uint64_t>(dice.between(1, 40));
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    const bool shows_item = sample.distinct[rank] > sample.distinct[rank - 1];
    sample.acting_users_of.push_back(shows_item ? static_cast<std::uint32_t>(dice.below(sample.acting_users + 1)) : 0);
  }
  sample.first_ms = dice.pick<std::int64_t>({0, 1, 999, 60'000, 1'799'999});
  sample.popular_from = dice.below(sample.acting_users + 1);
  // Few groups, or all of them: intervals need 20.
  sample.group = dice.percent(30) ? dice.below(3) : dice.below(64);
  sample.user = dice.below(3);
  sample.matured = dice.percent(80);
  sample.has_policy = dice.percent(70);
  const bool is_sure = dice.percent(30);
  const bool is_predicted = !dice.percent(1);
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    sample.target.push_back(is_sure ? 1 : dice.pick<double>({0.05, 0.25, 0.3, 0.5, 1, 0}));
    sample.logged.push_back(dice.percent(99) ? dice.pick<double>({0.1, 0.25, 0.5, 1}) : dice.pick<double>({1e-3, 1e-12, 1}));
    if (is_predicted) sample.predicted.push_back(dice.pick<double>({0, 0.1, 1.0 / 3, 2}));
    if (is_predicted) sample.expected.push_back(dice.pick<double>({0, 0.2, 1.0 / 7, 3}));
  }
  // Many of some latencies, and any of them.
  if (dice.percent(80)) {
    sample.latency_bucket = dice.percent(50) ? dice.pick<std::uint32_t>({0, 1, 462, latency_buckets - 1})
                                             : static_cast<std::uint32_t>(dice.below(latency_buckets));
  }
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) {
    sample.seen.push_back(dice.percent(60) ? 1 : 0);
    sample.logged_ranks.push_back(dice.percent(40) ? 1 + static_cast<std::uint32_t>(dice.below(12)) : 0);
  }
  sample.has_place = dice.percent(70);
  const std::size_t known_percent = dice.pick<std::size_t>({0, 30, 100});
  for (std::uint32_t rank = 1; rank <= sample.length; ++rank) sample.known.push_back(dice.percent(known_percent) ? 1 : 0);
  sample.is_nobodys = dice.percent(20);
  return sample;
}

std::vector<SampleList> random_samples(support::Dice& dice, std::size_t count) {
  std::vector<SampleList> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(random_sample(dice));
  return samples;
}

}  // namespace recmeter::laws
