// Wire: one accepted connection, plain or TLS, as a Connection sees it: bytes in, bytes out, and how many were taken.
//
// The server's thread alone. Invariants:
//   (1) at most one read and one write are under way; neither calls back before it returns;
//   (2) every one of them calls back once, with 0 bytes when the wire is closed or broken; what it was given lives until
//       then, for the callback holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace recmeter::http {

class Wire {
 public:
  using Done = std::function<void(std::size_t bytes)>;

  virtual ~Wire() = default;

  // Calls back with 1 when bytes may flow.
  virtual void open(Done done) = 0;
  // Some bytes. Requires: not empty.
  virtual void read(std::span<char> into, Done done) = 0;
  // Some of the bytes of `first` and then `second`, which may be empty. Requires: not both are.
  virtual void write(std::string_view first, std::string_view second, Done done) = 0;
  // Tells the client that nothing more comes, and drops what it still sends (into `scratch`, at most `bytes_max`) until it
  // ends too: a close with unread bytes would take the last answer from it. Requires: no read or write is under way.
  virtual void finish(std::span<char> scratch, std::size_t bytes_max, Done done) = 0;

  // Ends everything under way. `is_abrupt`: what the client has not taken is dropped at once, not kept by the system.
  virtual void close(bool is_abrupt) noexcept = 0;

  // What the system keeps for the client; Linux takes twice `bytes`.
  virtual void limit_send_buffer(std::size_t bytes) = 0;
  // Bytes the client's system has taken, give or take a constant: what matters is whether it grows.
  [[nodiscard]] virtual std::int64_t taken() const = 0;
  // Bytes it has still to take of what the system was given.
  [[nodiscard]] virtual std::int64_t untaken() const = 0;
};

}  // namespace recmeter::http
