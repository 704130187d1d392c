#include "app/run/interruption.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>

namespace recmeter {

namespace {

constexpr int exit_interrupted = 130;
constexpr std::chrono::seconds patience{3};
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int) {
  if (interrupted.exchange(true)) _exit(exit_interrupted);
}

}  // namespace

std::function<bool()> out_of_patience(const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  return [&stop, until = std::optional<Clock::time_point>()]() mutable {
    if (!stop.load(std::memory_order_relaxed)) return false;
    if (!until) until = Clock::now() + patience;
    return Clock::now() >= *until;
  };
}

const std::atomic<bool>& watch_for_interruption() {
  struct sigaction action = {};
  action.sa_handler = on_signal;  // without SA_RESTART: a read that waits returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return interrupted;
}

}  // namespace recmeter
