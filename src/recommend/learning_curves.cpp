#include "recmeter/recommend/learning_curves.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace recmeter {

namespace {

constexpr std::array<std::string_view, 4> kind_names{"events", "user_events", "item_events", "item_age"};
constexpr std::array<std::uint64_t, 6> count_bounds{1, 5, 10, 20, 50, 100};  // where a bucket begins
constexpr std::array<std::string_view, 7> count_names{"0", "1-4", "5-9", "10-19", "20-49", "50-99", "100+"};
constexpr std::array<std::int64_t, 4> age_bounds{one_hour.ms, one_day.ms, 7 * one_day.ms, 30 * one_day.ms};
constexpr std::array<std::string_view, 6> age_names{"new", "<1h", "<1d", "<7d", "<30d", "more"};

template <class Bounds, class Value>
std::size_t place_in(const Bounds& bounds, Value value) {
  return static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end(), value) - bounds.begin());
}

std::string bucket_name(std::size_t kind, std::size_t bucket) {
  if (kind == 1 || kind == 2) return std::string(count_names[bucket]);
  if (kind == 3) return std::string(age_names[bucket]);
  if (bucket < 2) return std::to_string(bucket);
  return std::to_string(std::uint64_t{1} << (bucket - 1)) + "-" + std::to_string((std::uint64_t{1} << (bucket - 1)) * 2 - 1);
}

}  // namespace

LearningCurves::LearningCurves(const LearningLog& log, std::span<const LearnedEvent> acts, std::size_t recommenders,
                               std::vector<Duration> horizons, std::vector<std::uint32_t> cutoffs)
    : log_(log),
      acts_(acts),
      horizons_(std::move(horizons)),
      cutoffs_(std::move(cutoffs)),
      acts_of_(log.users.size()),
      sums_(recommenders * horizons_.size() * cutoffs_.size()),
      user_events_(log.users.size()),
      item_events_(log.items.size()),
      first_of_item_(log.items.size()) {
  for (std::uint32_t place = 0; place < acts.size(); ++place) acts_of_[acts[place].user].push_back(place);
  for (Sums& sums : sums_) {
    sums.by[0].resize(buckets_max);
    sums.by[1].resize(count_names.size());
    sums.by[2].resize(count_names.size());
    sums.by[3].resize(age_names.size());
  }
}

void LearningCurves::add(std::size_t recommender, const ListRequest& request, std::span<const RankedItem> list) {
  move_to(request.ts);
  for (std::size_t h = 0; h < horizons_.size(); ++h) {
    const std::vector<Target> targets = targets_of(request, horizons_[h]);
    for (std::size_t c = 0; c < cutoffs_.size(); ++c) {
      Sums& sums = sums_[(recommender * horizons_.size() + h) * cutoffs_.size() + c];
      add_list(sums, targets, list.first(std::min<std::size_t>(cutoffs_[c], list.size())));
    }
  }
}

void LearningCurves::move_to(EventTime ts) {
  for (; events_ < log_.events.size() && log_.events[events_].ts < ts; ++events_) {
    const LearnedEvent& event = log_.events[events_];
    if (event.user != nobody) ++user_events_[event.user];
    if (item_events_[event.item]++ == 0) first_of_item_[event.item] = event.ts;
  }
}

std::vector<LearningCurves::Target> LearningCurves::targets_of(const ListRequest& request, Duration horizon) const {
  std::vector<Target> out;
  const std::vector<std::uint32_t>& acts = acts_of_[request.user];
  auto act = std::lower_bound(acts.begin(), acts.end(), request.ts,
                              [&](std::uint32_t place, EventTime ts) { return acts_[place].ts < ts; });
  for (; act != acts.end() && acts_[*act].ts < request.ts + horizon; ++act) {
    const std::uint32_t item = acts_[*act].item;
    if (std::ranges::any_of(out, [&](const Target& other) { return other.item == item; })) continue;
    const std::uint64_t of_item = item_events_[item];
    const std::size_t age = of_item == 0 ? 0 : 1 + place_in(age_bounds, (request.ts - first_of_item_[item]).ms);
    out.push_back({item,
                   acts_[*act].value,
                   {static_cast<std::size_t>(std::bit_width(events_)), place_in(count_bounds, user_events_[request.user]),
                    place_in(count_bounds, of_item), age}});
  }
  return out;
}

// `list`: its first k.
void LearningCurves::add_list(Sums& sums, std::span<const Target> targets, std::span<const RankedItem> list) {
  for (const Target& target : targets) {
    const auto shown = std::ranges::find(list, target.item, &RankedItem::item);
    const bool is_hit = shown != list.end();
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      Bucket& bucket = sums.by[kind][target.bucket[kind]];
      ++bucket.targets;
      if (!is_hit) continue;
      ++bucket.hits;
      bucket.reciprocal += to_q32(1 / static_cast<double>(shown - list.begin() + 1));
      bucket.errors.add(*shown, target.rating);
    }
  }
  for (const RankedItem& shown : list) {
    if (!shown.confidence) continue;
    Bin& bin = sums.of_confidence[std::min(static_cast<std::size_t>(*shown.confidence * bins), bins - 1)];
    const auto target = std::ranges::find(targets, shown.item, &Target::item);
    const double relevant = target != targets.end() ? 1 : 0;
    ++bin.items;
    bin.relevant += target != targets.end() ? 1U : 0U;
    bin.confidence += to_q32(*shown.confidence);
    bin.square += to_q32((*shown.confidence - relevant) * (*shown.confidence - relevant));
    if (target != targets.end()) bin.errors.add(shown, target->rating);
  }
}

void LearningCurves::Errors::add(const RankedItem& shown, std::optional<double> rating) {
  if (!shown.score || !rating) return;
  ++pairs;
  sum += to_q32_wide(std::abs(*shown.score - *rating));
}

std::optional<double> LearningCurves::Errors::mean() const {
  return pairs == 0 ? std::nullopt : std::optional(mean_of_q32(sum, pairs));
}

std::vector<LearningPoint> LearningCurves::curves() const {
  std::vector<LearningPoint> out;
  for (std::size_t place = 0; place < sums_.size(); ++place) {
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      for (std::size_t b = 0; b < sums_[place].by[kind].size(); ++b) {
        const Bucket& bucket = sums_[place].by[kind][b];
        if (bucket.targets == 0) continue;
        LearningPoint& point = out.emplace_back();
        point.of = place_of(place);
        point.by = kind_names[kind];
        point.bucket = bucket_name(kind, b);
        point.targets = bucket.targets;
        point.hits = bucket.hits;
        point.recall = share_of(bucket.hits, bucket.targets);
        point.mrr = mean_of_q32(bucket.reciprocal, bucket.targets);
        point.pairs = bucket.errors.pairs;
        point.mae = bucket.errors.mean();
      }
    }
  }
  return out;
}

CalibrationPoint LearningCurves::point_of(const Bin& bin) {
  CalibrationPoint point;
  point.items = bin.items;
  point.mean_confidence = mean_of_q32(bin.confidence, bin.items);
  point.relevant_share = share_of(bin.relevant, bin.items);
  point.pairs = bin.errors.pairs;
  point.mae = bin.errors.mean();
  return point;
}

std::vector<CalibrationPoint> LearningCurves::calibration() const {
  std::vector<CalibrationPoint> out;
  for (std::size_t place = 0; place < sums_.size(); ++place) {
    Bin all;
    double off = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      const Bin& bin = sums_[place].of_confidence[b];
      if (bin.items == 0) continue;
      CalibrationPoint& point = out.emplace_back(point_of(bin));
      point.of = place_of(place);
      point.bucket = "0." + std::to_string(b) + "-" + (b + 1 == bins ? "1" : "0." + std::to_string(b + 1));
      off += static_cast<double>(bin.items) * std::abs(point.mean_confidence - point.relevant_share);
      all.add(bin);
    }
    if (all.items == 0) continue;
    CalibrationPoint& point = out.emplace_back(point_of(all));
    point.of = place_of(place);
    point.bucket = "all";
    point.brier = mean_of_q32(all.square, all.items);
    point.calibration_error = off / static_cast<double>(all.items);
  }
  return out;
}

void LearningCurves::Bin::add(const Bin& other) {
  items += other.items;
  relevant += other.relevant;
  confidence += other.confidence;
  square += other.square;
  errors.pairs += other.errors.pairs;
  errors.sum += other.errors.sum;
}

CurvePlace LearningCurves::place_of(std::size_t sums) const {
  const std::size_t of_recommender = horizons_.size() * cutoffs_.size();
  return {sums / of_recommender, horizons_[sums % of_recommender / cutoffs_.size()], cutoffs_[sums % cutoffs_.size()]};
}

}  // namespace recmeter
