// Supervisor: tells whoever has started the program (systemd, Type=notify) how it is: by datagrams to the socket that
// $NOTIFY_SOCKET names, a path or, with @, an abstract one. Without that it does nothing.
//
// Thread safety: one thread. A datagram that cannot be sent is dropped: how the program is does not depend on who listens.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace recmeter {

class Supervisor {
 public:
  // What the environment says: $NOTIFY_SOCKET, and $WATCHDOG_USEC unless $WATCHDOG_PID is another process.
  static Supervisor of_environment();
  Supervisor(std::string socket, std::optional<std::chrono::microseconds> watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}

  // Once each.
  void ready();
  void stopping();
  // What systemctl status shows.
  void status(std::string_view text) const;
  // Says that it is alive, twice in the time after which it would be taken for dead; called as often as one likes.
  void alive();
  // Before it is ready: what it waits for takes as long as it takes, so it asks for more time to start.
  void waits();

 private:
  void tell(std::string_view message) const;

  std::string socket_;  // "": nobody
  std::optional<std::chrono::microseconds> watchdog_;
  std::chrono::steady_clock::time_point alive_at_;
  std::chrono::steady_clock::time_point waits_at_;
  bool was_alive_ = false;
  bool has_waited_ = false;
  bool is_ready_ = false;
  bool is_stopping_ = false;
};

}  // namespace recmeter
