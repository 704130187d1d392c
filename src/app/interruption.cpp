#include "app/interruption.h"

#include <csignal>

#include <unistd.h>

namespace recmeter {

namespace {

constexpr int exit_interrupted = 130;
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int) {
  if (interrupted.exchange(true)) _exit(exit_interrupted);
}

}  // namespace

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
