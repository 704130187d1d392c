#include "app/demo/demo_screen.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "app/console/standard_output.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::size_t starts_shown = 7;
constexpr std::string_view clear_screen = "\x1b[H\x1b[J";

}  // namespace

DemoScreen::DemoScreen(std::string heading) : heading_(std::move(heading)), is_terminal_(isatty(STDOUT_FILENO) == 1) {
  if (is_terminal_) thread_ = std::thread([this] { draw_now_and_then(); });
}

DemoScreen::~DemoScreen() {
  static_cast<void>(finish());
}

void DemoScreen::watched_at(const std::string& url) {
  const std::lock_guard lock(mutex_);
  dashboard_ = "Dashboard: " + url + "\n\n";
}

void DemoScreen::show(const Row& row) {
  const std::lock_guard lock(mutex_);
  finals_ += row.stage == Stage::final ? 1U : 0U;
  rows_.insert_or_assign({row.start.ms, render_key(row)}, row);
  std::size_t starts = 0;
  for (auto at = rows_.rbegin(); at != rows_.rend(); ++at) {
    const auto next = std::next(at);
    starts += next == rows_.rend() || next->first.first != at->first.first ? 1U : 0U;
  }
  if (starts > starts_shown) rows_.erase(rows_.begin(), rows_.upper_bound({rows_.begin()->first.first, "~"}));
}

void DemoScreen::draw_now_and_then() {
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; })) draw();
}

// Requires: the mutex.
void DemoScreen::draw() {
  std::vector<Row> rows;
  for (const auto& [place, row] : rows_) rows.push_back(row);
  const bool color = is_terminal_ && std::getenv("NO_COLOR") == nullptr;
  std::string text = is_terminal_ ? std::string(clear_screen) + heading_ + dashboard_ : heading_;
  text += rows.empty() ? "waiting for the first window\n" : render_table(rows, table_width(false), color);
  static_cast<void>(print(text));
}

std::size_t DemoScreen::finish() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return finals_;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock(mutex_);
  draw();
  return finals_;
}

}  // namespace recmeter
