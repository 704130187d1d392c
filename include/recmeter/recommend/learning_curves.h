// LearningCurves: how well recommenders do by how much there was to learn from, and how well they know it themselves.
//
// By target: an item that the user acts on by a target action within the horizon of the request, each once a request. So the
// buckets of a curve add up to all targets. What there was to learn from is counted at the request's time, whatever `step`
// and `delay` say. (Herlocker et al. 2004, sections 5.2 and 5.4.) [S12.8], [S12.9].
//
// Sums are exact. Thread safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/recommend/learning_log.h"
#include "recmeter/recommend/ranking.h"

namespace recmeter {

// Whose lists, cut where.
struct CurvePlace {
  std::size_t recommender = 0;
  Duration horizon;
  std::uint32_t k = 0;
};

// Targets of a bucket at one cut-off. Absent: no evidence.
struct LearningPoint {
  CurvePlace of;
  std::string_view by;  // events, user_events, item_events, item_age
  std::string bucket;
  std::uint64_t targets = 0;
  std::uint64_t hits = 0;   // of them, within the first k
  double recall = 0;        // hits / targets
  double mrr = 0;           // mean of 1 / rank, 0 where it is not a hit
  std::uint64_t pairs = 0;  // hits with a score, and a rating
  std::optional<double> mae;
};

// Shown items of one bin of confidence; `bucket` all: of all of them.
struct CalibrationPoint {
  CurvePlace of;
  std::string bucket;
  std::uint64_t items = 0;
  double mean_confidence = 0;
  double relevant_share = 0;
  std::uint64_t pairs = 0;
  std::optional<double> mae;
  std::optional<double> brier;              // of all: mean of (confidence - relevant)^2
  std::optional<double> calibration_error;  // of all: sum of n_b / n * |mean confidence - relevant share| over the bins
};

class LearningCurves {
 public:
  // `acts`: feedback of target actions, by time; it and `log` outlive this. `cutoffs`: from 1.
  LearningCurves(const LearningLog& log, std::span<const LearnedEvent> acts, std::size_t recommenders,
                 std::vector<Duration> horizons, std::vector<std::uint32_t> cutoffs);

  // Requires: requests come in the order of time.
  void add(std::size_t recommender, const ListRequest& request, std::span<const RankedItem> list);

  // By recommender, horizon, k, kind of bucket and bucket; empty buckets are left out.
  [[nodiscard]] std::vector<LearningPoint> curves() const;
  [[nodiscard]] std::vector<CalibrationPoint> calibration() const;

 private:
  static constexpr std::size_t kinds = 4;
  static constexpr std::size_t bins = 10;
  static constexpr std::size_t buckets_max = 65;

  struct Target {
    std::uint32_t item = 0;
    std::optional<double> rating;
    std::array<std::size_t, kinds> bucket = {};
  };
  struct Errors {
    std::uint64_t pairs = 0;
    Int128 sum = 0;  // of |score - rating|, in 2^-32
    void add(const RankedItem& shown, std::optional<double> rating);
    [[nodiscard]] std::optional<double> mean() const;
  };
  struct Bucket {
    std::uint64_t targets = 0;
    std::uint64_t hits = 0;
    Int128 reciprocal = 0;
    Errors errors;
  };
  struct Bin {
    std::uint64_t items = 0;
    std::uint64_t relevant = 0;
    Int128 confidence = 0;
    Int128 square = 0;
    Errors errors;
    void add(const Bin& other);
  };
  // Of one recommender, horizon and k.
  struct Sums {
    std::array<std::vector<Bucket>, kinds> by;
    std::array<Bin, bins> of_confidence;
  };

  void move_to(EventTime ts);
  [[nodiscard]] std::vector<Target> targets_of(const ListRequest& request, Duration horizon) const;
  static void add_list(Sums& sums, std::span<const Target> targets, std::span<const RankedItem> list);
  [[nodiscard]] static CalibrationPoint point_of(const Bin& bin);
  [[nodiscard]] CurvePlace place_of(std::size_t sums) const;

  const LearningLog& log_;
  std::span<const LearnedEvent> acts_;
  std::vector<Duration> horizons_;
  std::vector<std::uint32_t> cutoffs_;
  std::vector<std::vector<std::uint32_t>> acts_of_;  // by user: places in acts
  std::vector<Sums> sums_;                           // by recommender, horizon and k
  // What had happened before the time of the request.
  std::size_t events_ = 0;
  std::vector<std::uint64_t> user_events_;
  std::vector<std::uint64_t> item_events_;
  std::vector<EventTime> first_of_item_;
};

}  // namespace recmeter
