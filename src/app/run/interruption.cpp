#include "app/run/interruption.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <optional>

namespace recmeter {

namespace {

constexpr std::chrono::seconds patience{3};
constexpr std::chrono::milliseconds patience_before_the_end{700};
constexpr int last_moment_signal = SIGVTALRM;  // of the timer; SIGALRM is for whoever starts a program with alarm()

std::atomic<bool> interrupted{false};
std::atomic<bool> ends_soon{false};  // SIGTERM has come
std::atomic<int> code_of_the_end{static_cast<int>(ExitCode::interrupted)};
Hangups of_process;
timer_t last_moment;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch them");

void on_signal(int signal) {
  const bool is_asked = signal == SIGTERM;
  if (interrupted.exchange(true)) _exit(is_asked ? code_of_the_end.load() : static_cast<int>(ExitCode::interrupted));
  of_process.wake();
  if (!is_asked) return;
  ends_soon = true;
  itimerspec at{};
  at.it_value.tv_sec = end_at_latest.count() / 1000;
  at.it_value.tv_nsec = end_at_latest.count() % 1000 * 1'000'000;
  timer_settime(last_moment, 0, &at, nullptr);
}

void on_last_moment(int /*signal*/) {
  _exit(code_of_the_end);
}

void on_hangup(int /*signal*/) {
  of_process.come();
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;  // without SA_RESTART: a read that waits returns
  sigaction(signal, &action, nullptr);
}

}  // namespace

bool Hangups::take() {
  const bool has_come = has_come_.exchange(false);
  await(is_awaited_);
  return has_come;
}

void Hangups::await(bool is_awaited) {
  is_awaited_ = is_awaited;
  wakes_ = false;
  if (interrupted || (is_awaited && has_come_)) wakes_ = true;
}

void Hangups::come() noexcept {
  has_come_ = true;
  if (is_awaited_) wakes_ = true;
}

std::function<bool()> out_of_patience(const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  return [&stop, since = std::optional<Clock::time_point>()]() mutable {
    if (!stop.load(std::memory_order_relaxed)) return false;
    if (!since) since = Clock::now();
    return Clock::now() - *since >= (ends_soon ? patience_before_the_end : std::chrono::milliseconds(patience));
  };
}

void watch_for_interruption(bool is_attach) noexcept {
  if (is_attach) code_of_the_end = static_cast<int>(ExitCode::ok);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = last_moment_signal;
  timer_create(CLOCK_MONOTONIC, &event, &last_moment);
  handle(last_moment_signal, on_last_moment);
  if (is_attach) handle(SIGHUP, on_hangup);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGXFSZ, SIG_IGN);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  // Whoever starts it with these held back gets those that came before.
  sigset_t handled;
  sigemptyset(&handled);
  for (const int signal : {last_moment_signal, SIGHUP, SIGINT, SIGTERM}) sigaddset(&handled, signal);
  sigprocmask(SIG_UNBLOCK, &handled, nullptr);
}

const std::atomic<bool>& interruption() {
  return interrupted;
}

ExitCode exit_code_after(ExitCode code) {
  const bool is_attach = code_of_the_end == static_cast<int>(ExitCode::ok);
  return code == ExitCode::ok && ends_soon && !is_attach ? ExitCode::interrupted : code;
}

Hangups& hangups() {
  return of_process;
}

}  // namespace recmeter
