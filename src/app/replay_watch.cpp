#include "app/replay_watch.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/monitor/monitor.h"
#include "app/wall_clock.h"
#include "recmeter/base/check.h"
#include "recmeter/memory/shared_store.h"
#include "recmeter/pipeline/result_book.h"

namespace recmeter {

namespace {

constexpr Duration shown_every{1'000};
constexpr Duration kept_for{std::int64_t{1} << 60};  // nothing is dropped
constexpr std::chrono::milliseconds nap{50};

}  // namespace

struct ReplayWatch::Impl {
  memory::SharedStore rows;
  ResultBook book{kept_for, Duration{0}};
  std::unique_ptr<Monitor> monitor;  // reads the rows
  EventTime next = minus_infinity;   // by the reader's clock

  // What was noted is kept before the monitor hears of it: then it may forget.
  void show(LiveStatus status) {
    StateBatch batch;
    book.save(batch, minus_infinity);
    const auto written = rows.write(batch, StateStore::Durability::process);
    RECMETER_CHECK(written.has_value(), "memory takes every batch");
    monitor->kept();
    status.now = wall_clock();
    monitor->status(status);
  }
};

Result<std::unique_ptr<ReplayWatch>> ReplayWatch::start(const Config& config) {
  auto impl = std::make_unique<Impl>();
  auto monitor = Monitor::start(config, &impl->rows, "", kept_for);
  if (!monitor) return tl::unexpected(std::move(monitor).error());
  impl->monitor = std::move(*monitor);
  return std::unique_ptr<ReplayWatch>(new ReplayWatch(std::move(impl)));
}

ReplayWatch::ReplayWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ReplayWatch::~ReplayWatch() = default;

std::string ReplayWatch::url() const {
  return impl_->monitor->url();
}

void ReplayWatch::seen(const Row& row) {
  impl_->book.note(row);
  impl_->monitor->seen(row);
}

void ReplayWatch::stands(const std::function<LiveStatus()>& make) {
  const EventTime now = wall_clock();
  if (now < impl_->next) return;
  impl_->next = now + shown_every;
  impl_->show(make());
}

void ReplayWatch::serve(const Report& report, const std::atomic<bool>& stop) {
  LiveStatus status;
  status.report = report;
  status.watermark = report.final_to;
  for (const PartitionReport& partition : report.partitions) {
    status.partitions.push_back({.max_time = partition.watermark, .is_caught_up = true, .end_offset = {}});
  }
  for (impl_->show(status); !stop; std::this_thread::sleep_for(nap)) stands([&] { return status; });
}

}  // namespace recmeter
