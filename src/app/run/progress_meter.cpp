#include "app/run/progress_meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "app/console/messages.h"

namespace recmeter {

namespace {

using namespace std::chrono_literals;

std::optional<double> share_of_bytes(const ReplayProgress& progress) {
  if (progress.bytes_total == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(progress.bytes_read) / static_cast<double>(progress.bytes_total));
}

// Nothing at the very beginning, where it would be a guess.
std::optional<double> seconds_left(const ReplayProgress& progress, double seconds) {
  const auto share = share_of_bytes(progress);
  if (!share || *share < 0.02) return std::nullopt;
  return seconds / *share - seconds;
}

std::string coarse(double seconds) {
  if (seconds < 10) return "a few seconds";
  if (seconds < 90) return fmt::format("about {} seconds", static_cast<int>(std::ceil(seconds / 10) * 10));
  if (seconds < 90 * 60) return fmt::format("about {} minutes", static_cast<int>(std::round(seconds / 60)));
  return fmt::format("about {} hours", static_cast<int>(std::round(seconds / 3600)));
}

double rate(const ReplayProgress& progress, double seconds) {
  return seconds > 0 ? static_cast<double>(progress.events) / seconds : 0;
}

}  // namespace

std::string progress_text(const ReplayProgress& progress, double seconds, const ProgressPhase& phase) {
  std::string text = phase.name.empty() ? "" : phase.name + ": ";
  if (const auto share = share_of_bytes(progress)) text += fmt::format("{:.0f} %, ", *share * 100);
  const double per_second = rate(progress, seconds);
  text += fmt::format("{} {}, ", progress.events, phase.unit);
  text += per_second < 10'000 ? fmt::format("{:.0f} {}/s", per_second, phase.unit)
                              : fmt::format("{:.0f} k {}/s", per_second / 1000, phase.unit);
  if (const auto left = seconds_left(progress, seconds)) text += ", " + coarse(*left) + " left";
  return text;
}

std::string progress_json(const ReplayProgress& progress, double seconds, const ProgressPhase& phase) {
  const auto share = share_of_bytes(progress);
  const auto left = seconds_left(progress, seconds);
  return fmt::format(R"({{{}"share":{},"events":{},"events_per_second":{:.0f},"seconds_left":{}}})",
                     phase.name.empty() ? "" : fmt::format(R"("phase":"{}",)", phase.name),
                     share ? fmt::format("{:.4f}", *share) : "null", progress.events, rate(progress, seconds),
                     left ? fmt::format("{:.0f}", *left) : "null");
}

void ProgressMeter::show(const ReplayProgress& progress) {
  if (form_ == ProgressForm::none) return;
  const auto now = Clock::now();
  const auto every = form_ == ProgressForm::line ? 200ms : form_ == ProgressForm::json ? 1000ms : 10000ms;
  if (now - begin_ < 2s || now - last_ < every) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - phase_begin_).count();
  if (form_ == ProgressForm::json) {
    fmt::print(stderr, "{}",
               json_message("info", to_string(Notice::progress), "progress", progress_json(progress, seconds, phase_)));
  } else if (form_ == ProgressForm::plain) {
    fmt::print(stderr, "recmeter: {}\n", progress_text(progress, seconds, phase_));
  } else {
    fmt::print(stderr, "\r\x1b[K{}", progress_text(progress, seconds, phase_));
    std::fflush(stderr);
    shown_ = true;
  }
}

void ProgressMeter::begin(ProgressPhase phase) {
  phase_ = std::move(phase);
  phase_begin_ = Clock::now();
}

void ProgressMeter::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace recmeter
