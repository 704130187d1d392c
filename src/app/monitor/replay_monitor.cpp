#include "app/monitor/replay_monitor.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/console/wall_clock.h"
#include "app/monitor/monitor.h"
#include "recmeter/base/check.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/memory/shared_store.h"

namespace recmeter {

namespace {

constexpr Duration shown_every{1'000};
constexpr Duration kept_for{std::int64_t{1} << 60};  // nothing is dropped
constexpr std::chrono::milliseconds nap{50};

class ReplayMonitor : public ReplayWatch {
 public:
  [[nodiscard]] Result<void> start(const Config& config);

  [[nodiscard]] std::string url() const override { return monitor_->url(); }
  void seen(const SharedRow& row) override;
  void stands(const std::function<RunStatus()>& make) override;
  void ended(const Report& report) override;
  void serve(const std::atomic<bool>& stop) override;

 private:
  memory::SharedStore rows_;
  RowArchive archive_{kept_for, Duration{0}};
  std::unique_ptr<Monitor> monitor_;  // reads the rows
  EventTime next_ = minus_infinity;   // by the reader's clock
  RunStatus end_;                     // how the replay ended

  // What was noted is kept before the monitor_ hears of it: then it may forget.
  void show(RunStatus status) {
    StateBatch batch;
    archive_.save(batch, minus_infinity);
    const auto written = rows_.write(batch, StateStore::Durability::process);
    RECMETER_CHECK(written.has_value(), "memory takes every batch");
    monitor_->kept();
    status.now = wall_clock();
    monitor_->status(status);
  }
};

Result<void> ReplayMonitor::start(const Config& config) {
  auto monitor = Monitor::start(config, "", kept_for);
  if (!monitor) return tl::unexpected(std::move(monitor).error());
  monitor_ = std::move(*monitor);
  return monitor_->opened(rows_);
}

void ReplayMonitor::seen(const SharedRow& row) {
  archive_.note(*row);
  monitor_->seen(row);
}

void ReplayMonitor::stands(const std::function<RunStatus()>& make) {
  const EventTime now = wall_clock();
  if (now < next_) return;
  next_ = now + shown_every;
  show(make());
}

void ReplayMonitor::ended(const Report& report) {
  end_.report = report;
  end_.watermark = report.final_to;
  for (const PartitionReport& partition : report.partitions) {
    end_.partitions.push_back({.max_time = partition.watermark, .is_caught_up = true, .end_offset = {}});
  }
  show(end_);
}

void ReplayMonitor::serve(const std::atomic<bool>& stop) {
  for (; !stop; std::this_thread::sleep_for(nap)) stands([&] { return end_; });
}

}  // namespace

Result<std::unique_ptr<ReplayWatch>> watch_replay(const Config& config) {
  auto watch = std::make_unique<ReplayMonitor>();
  if (auto started = watch->start(config); !started) return tl::unexpected(std::move(started).error());
  return watch;
}

}  // namespace recmeter
