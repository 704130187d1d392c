#include "app/demo/demo_traffic.h"

#include <chrono>
#include <memory>
#include <utility>

#include "app/generate/topic_output.h"
#include "app/generate/traffic_generator.h"

namespace recmeter {

namespace {

constexpr Duration for_ever{30 * one_day.ms};
constexpr Duration beyond{2 * one_minute.ms};  // of the events that end the log: by then all windows are final

generate::TrafficSpec traffic_of(const DemoTrafficSpec& spec) {
  generate::TrafficSpec traffic;
  traffic.start = spec.start;
  traffic.span = spec.span.value_or(for_ever);
  traffic.lists = spec.lists_per_second * static_cast<std::uint64_t>(traffic.span.ms) / 1000;
  traffic.rhythm = 0;
  traffic.click_delay = {.median = Duration{1000}, .sigma = 0.6};
  traffic.purchase_delay = {.median = Duration{1000}, .sigma = 0.5};
  traffic.longest_delay = Duration{4000};
  traffic.horizon = Duration{5000};
  traffic.lateness = Duration{1000};
  traffic.disorder = Duration{500};
  traffic.duplicates = 0.005;
  traffic.malformed = 0.001;
  return traffic;
}

// Holds each record back until its time has come; what follows the last list is sent at once.
class InTime final : public generate::RecordSink {
 public:
  InTime(generate::LogOutput& to, EventTime last_list, const std::atomic<bool>& stop)
      : to_(to), last_list_(last_list), stop_(stop) {}

  Result<void> write(std::uint32_t file, EventTime place, std::string_view record) override {
    using std::chrono::milliseconds;
    const std::chrono::system_clock::time_point due{milliseconds(place.ms)};
    while (!stop_) {
      const auto ahead = due - std::chrono::system_clock::now();
      if (ahead <= milliseconds(0) || place > last_list_) return to_.write(file, place, record);
      std::this_thread::sleep_for(std::min<std::chrono::system_clock::duration>(ahead, milliseconds(100)));
    }
    return failure(Errc::interrupted, "the demonstration was ended");
  }

 private:
  generate::LogOutput& to_;
  EventTime last_list_;
  const std::atomic<bool>& stop_;
};

Result<generate::Truth> send(const DemoTrafficSpec& spec, const std::atomic<bool>& stop) {
  auto topics = generate::topic_output({.brokers = spec.brokers,
                                        .impressions = spec.impressions,
                                        .feedback = spec.feedback,
                                        .partitions = 0,
                                        .rate = 0,
                                        .end_marks = beyond},
                                       &stop);
  if (!topics) return tl::unexpected(std::move(topics).error());
  const generate::TrafficSpec traffic = traffic_of(spec);
  InTime in_time(**topics, traffic.start + traffic.span, stop);
  auto truth = generate::TrafficGenerator(traffic, generate::Split::kind, in_time).run();
  if (!truth) return truth;
  if (auto finished = (*topics)->finish(); !finished) return tl::unexpected(std::move(finished).error());
  return truth;
}

}  // namespace

DemoTraffic::DemoTraffic(const DemoTrafficSpec& spec)
    : thread_([this, spec] {
        auto truth = send(spec, stop_);
        if (truth) {
          outcome_ = std::move(*truth);
        } else if (truth.error().code != Errc::interrupted) {
          outcome_ = tl::unexpected(std::move(truth).error());
        }
        over_ = true;
      }) {}

DemoTraffic::~DemoTraffic() {
  static_cast<void>(end());
}

Result<std::optional<generate::Truth>> DemoTraffic::end() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  return outcome_;
}

}  // namespace recmeter
