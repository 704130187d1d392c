#include "app/generate/traffic_spec.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/generate/click_model.h"

namespace recmeter::generate {

namespace {

class Faults {
 public:
  template <class T>
  void range(std::string_view option, T value, T low, T high) {
    // Written so that NaN is a fault.
    if (!(value >= low && value <= high)) add(fmt::format("{} is {}; give {} to {}", option, value, low, high));
  }
  void duration(std::string_view option, Duration value, std::int64_t low_ms, std::int64_t high_ms) {
    if (value.ms < low_ms || value.ms > high_ms) {
      add(fmt::format("{} is {} ms; give {} to {} ms", option, value.ms, low_ms, high_ms));
    }
  }
  void unless(bool good, std::string fault) {
    if (!good) add(std::move(fault));
  }
  [[nodiscard]] Result<void> result() const {
    if (text_.empty()) return {};
    return failure(Errc::config_invalid, text_);
  }

 private:
  void add(std::string fault) {
    if (!text_.empty()) text_ += '\n';
    text_ += fault;
  }
  std::string text_;
};

void check_model(const TrafficSpec& s, Faults& faults) {
  faults.range<std::uint64_t>("--lists", s.lists, 1, 10'000'000'000);
  faults.duration("--days or --hours", s.span, one_second.ms, 3650 * one_day.ms);
  faults.unless(s.start >= event_time_min && s.start + s.span + Duration{100 * one_day.ms} < event_time_end,
                fmt::format("--start {} ms and the span leave 1980 to 2199; choose another start", s.start.ms));
  faults.range("--rhythm", s.rhythm, 0.0, 0.95);
  faults.range<std::uint64_t>("--users", s.users, 1, 100'000'000);
  faults.range<std::uint32_t>("--list-length", s.length_min, 1, longest_list);
  faults.range<std::uint32_t>("--list-length", s.length_max, 1, longest_list);
  faults.unless(s.length_min <= s.length_max,
                fmt::format("--list-length {}-{} runs backwards; give the shorter length first", s.length_min, s.length_max));
  faults.range<std::uint64_t>("--items", s.items, std::uint64_t{item_groups} * s.length_max, 100'000'000);
  faults.range("--zipf", s.item_exponent, 0.0, 3.0);
  faults.range("--empty-lists", s.empty_lists, 0.0, 0.99);
  faults.range("--heavy-user", s.heavy_user, 0.0, 1.0);
  faults.range("--placeholder-users", s.placeholder_users, 0.0, 1.0);
  faults.range("--quality-a", s.quality_a, 0.0, 1.0);
  faults.range("--quality-b", s.quality_b, 0.0, 1.0);
  faults.range("--share-b", s.share_b, 0.0, 1.0);
  faults.range<std::uint32_t>("--segment-values", s.segment_values, 1, 1'000'000);
  faults.range("--search-share", s.surface_search, 0.0, 1.0);
  faults.range("--feedback-per-list", s.feedback_per_list, 0.0, 100.0);
  faults.range("--position-bias", s.position_bias, 0.0, 3.0);
  faults.duration("--longest-delay", s.longest_delay, one_second.ms, 30 * one_day.ms);
  faults.duration("--click-delay", s.click_delay.median, 1, s.longest_delay.ms - 1);
  faults.range("--click-sigma", s.click_delay.sigma, 0.0, 4.0);
  faults.duration("--purchase-delay", s.purchase_delay.median, 1, s.longest_delay.ms - 1);
  faults.range("--purchase-sigma", s.purchase_delay.sigma, 0.0, 4.0);
  faults.range("--purchases", s.purchases, 0.0, 1.0);
  faults.range("--ratings", s.ratings, 0.0, 1.0);
  faults.range("--organic", s.organic, 0.0, 0.99);
  faults.range("--with-list-id", s.with_list_id, 0.0, 1.0);
  faults.duration("--horizon", s.horizon, one_second.ms, 60 * one_day.ms);
}

void check_disturbances(const TrafficSpec& s, Faults& faults) {
  faults.duration("--lateness", s.lateness, one_second.ms, 7 * one_day.ms);
  faults.duration("--disorder", s.disorder, 0, 7 * one_day.ms);
  faults.unless(s.disorder <= s.lateness,
                fmt::format("--disorder {} ms exceeds --lateness {} ms, so honest records would be late; raise --lateness",
                            s.disorder.ms, s.lateness.ms));
  faults.range("--duplicates", s.duplicates, 0.0, 0.5);
  faults.range("--late", s.late, 0.0, 0.5);
  faults.range("--wrong-clocks", s.wrong_clocks, 0.0, 0.2);
  faults.unless(s.duplicates + s.late + s.wrong_clocks <= 0.5,
                "--duplicates, --late and --wrong-clocks exceed 0.5 together; lower one");
  faults.unless(s.wrong_clocks <= 0 || s.disorder.ms < one_hour.ms,
                "--wrong-clocks needs --disorder below 1h, else 2 hours ahead is not far enough; lower --disorder");
  faults.range("--malformed", s.malformed, 0.0, 1.0);
  faults.range("--rows", s.rows, 0.0, 1.0);
}

}  // namespace

TrafficSpec plain_traffic() {
  TrafficSpec spec;
  spec.users = 1'000'000;
  spec.items = 100'000;
  spec.feedback_per_list = 0.3;
  spec.surfaces = false;
  spec.rhythm = 0;
  return spec;
}

Result<void> check_spec(const TrafficSpec& spec) {
  Faults faults;
  check_model(spec, faults);
  check_disturbances(spec, faults);
  if (auto good = faults.result(); !good) return good;
  const ClickModel model(spec);
  if (model.largest_click_probability() > 1) {
    return failure(Errc::config_invalid,
                   fmt::format("--feedback-per-list {} is more than such lists can get; give at most {:.3f}, or longer lists",
                               spec.feedback_per_list, spec.feedback_per_list / model.largest_click_probability()));
  }
  return {};
}

}  // namespace recmeter::generate
