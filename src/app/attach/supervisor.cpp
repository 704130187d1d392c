#include "app/attach/supervisor.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "recmeter/base/read_number.h"

namespace recmeter {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Supervisor Supervisor::of_environment() {
  const auto watchdog = read_number<std::int64_t>(variable("WATCHDOG_USEC"));
  const std::string_view process = variable("WATCHDOG_PID");
  const bool is_ours = process.empty() || read_number<std::int64_t>(process) == getpid();
  return {std::string(variable("NOTIFY_SOCKET")),
          watchdog && *watchdog > 0 && is_ours ? std::optional(std::chrono::microseconds(*watchdog)) : std::nullopt};
}

void Supervisor::ready() {
  if (!std::exchange(is_ready_, true)) tell("READY=1\nSTATUS=evaluating");
}

void Supervisor::stopping() {
  if (!std::exchange(is_stopping_, true)) tell("STOPPING=1\nSTATUS=finishing what was read");
}

void Supervisor::status(std::string_view text) const {
  tell("STATUS=" + std::string(text.substr(0, text.find('\n'))));
}

void Supervisor::alive() {
  if (!watchdog_) return;
  const auto now = std::chrono::steady_clock::now();
  if (was_alive_ && now - alive_at_ < *watchdog_ / 2) return;
  was_alive_ = true;
  alive_at_ = now;
  tell("WATCHDOG=1");
}

void Supervisor::waits() {
  constexpr std::chrono::seconds every{10};
  const auto now = std::chrono::steady_clock::now();
  if (is_ready_ || (has_waited_ && now - waits_at_ < every)) return;
  has_waited_ = true;
  waits_at_ = now;
  tell("EXTEND_TIMEOUT_USEC=" + std::to_string(std::chrono::microseconds(every * 6).count()));
}

void Supervisor::tell(std::string_view message) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return;
  // An abstract name has no end but its length.
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  static_cast<void>(
      sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size));
  close(descriptor);
}

}  // namespace recmeter
