// Truth: what a generated log holds, known while it was written: the metric values built in, those realised, and what every
// record should become. A run of recmeter over the log finds it again.
//
// It holds for an evaluator with allowed_lateness = lateness, the same horizon, skew 0, last_touch, key user, gains click 1
// and purchase 3 after click, not_users [anonymous, 0], and `rating` among its actions if there are ratings. Not foreseen:
// feedback without list_id whose user saw the item again in a later list within the horizon (it is credited there).
// Thread safety: a value.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/generate/click_model.h"
#include "app/generate/expected_metrics.h"
#include "app/generate/traffic_spec.h"
#include "recmeter/event/fate.h"

namespace recmeter::generate {

// The lists of one quality: variant A or B, or all even or odd values.
struct VariantTruth {
  MetricValues expected{};
  std::uint64_t lists = 0;  // that an evaluator accepts
  MetricValues sum{};       // over these lists
  MetricValues sum_of_squares{};

  void add_list_without_hits() { ++lists; }
  void add_list(const MetricValues& values);
  // Nothing is known without lists: 0.
  [[nodiscard]] double realised(std::size_t metric, std::size_t cutoff) const;
  // Standard error of `realised`; lists are independent draws of the model.
  [[nodiscard]] double standard_error(std::size_t metric, std::size_t cutoff) const;
};

// Records as written, by what they are. Copies and malformed records are counted only as such.
struct RecordCounts {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t whole_lists = 0;
  std::uint64_t rows = 0;
  std::array<std::uint64_t, 3> actions{};  // by ActionKind; organic ones are clicks
  std::uint64_t organic = 0;
  std::uint64_t closing = 0;  // organic clicks added so that a file ends with an honest record
};

struct Disturbances {
  std::uint64_t duplicates = 0;
  std::uint64_t late = 0;
  std::uint64_t wrong_clocks = 0;
  std::uint64_t far_clock = 0;
  std::uint64_t malformed = 0;
  std::array<std::uint64_t, invalid_reason_count> malformed_by_reason{};
};

// What the evaluator's report should say.
struct ExpectedReport {
  std::uint64_t read = 0;
  std::uint64_t invalid = 0;
  std::uint64_t future = 0;  // with honest_end; without it held records at the end of a file are accepted
  std::uint64_t late = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t impressions = 0;  // lists and rows accepted
  std::uint64_t feedback = 0;
  std::uint64_t credited = 0;
  std::uint64_t organic = 0;
  std::uint64_t not_in_list = 0;
  std::uint64_t unmatched = 0;
  std::uint64_t lists = 0;
};

struct Truth {
  TrafficSpec spec;
  double click_rate = 0;
  std::array<VariantTruth, quality_classes> variants;
  std::array<std::uint64_t, quality_classes> lists_shown{};
  std::uint64_t empty_lists = 0;
  std::uint64_t lists_in_rows = 0;
  std::uint64_t placeholder_lists = 0;
  std::uint64_t heavy_user_lists = 0;
  RecordCounts records;
  Disturbances disturbances;
  ExpectedReport report;
};

// Fills `expected` of every variant from the model. Exact but for two things: the shares of late and wrong-clock records are
// taken as the same over the whole span, though the last of it is spared; and P(delay of a purchase < horizon) is a
// numerical integral, good to about 1e-6.
void expect_metrics(Truth& truth, const ClickModel& model);

[[nodiscard]] std::string truth_text(const Truth& truth);
[[nodiscard]] std::string truth_json(const Truth& truth);

}  // namespace recmeter::generate
