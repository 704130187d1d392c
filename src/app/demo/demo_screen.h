// DemoScreen: the newest windows of a live run as a table on a terminal, drawn anew every second; where there is no terminal,
// once at the end. Thread safety: any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "recmeter/port/row_publisher.h"
#include "recmeter/result/row.h"

namespace recmeter {

class DemoScreen {
 public:
  // `heading`: shown above the table.
  explicit DemoScreen(std::string heading);
  ~DemoScreen();

  // On a terminal the address of the run's page stays above the table.
  void watched_at(const std::string& url);
  // A row as it stands now, final or not.
  void show(const Row& row);
  // Draws for the last time. Final rows that were shown.
  std::size_t finish();

 private:
  void draw_now_and_then();
  void draw();

  std::string heading_;
  std::string dashboard_;  // a line, or nothing
  bool is_terminal_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  // By start, whether it is a segment's, and key: the order of the table.
  std::map<std::pair<std::int64_t, std::string>, Row> rows_;
  std::size_t finals_ = 0;
  std::thread thread_;
};

// Takes every row, and puts it nowhere: the screen has seen it.
class SeenRows final : public RowPublisher {
 public:
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> publish(const NumberedRow& row) override {
    taken_ = row.number + 1;
    return {};
  }
  [[nodiscard]] bool wants_provisional() const override { return true; }
  Result<std::uint64_t> published() override { return taken_; }
  [[nodiscard]] std::string position() const override { return {}; }

 private:
  std::uint64_t taken_ = 0;
};

}  // namespace recmeter
