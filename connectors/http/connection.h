// Connection: one client from its first byte to its last: requests one after the other, or a stream.
//
// The server's thread alone; it waits for nothing. What is kept for a client: a head being read, an answer's head, references
// to shared bodies, at most a quarter of Limits::stream_bytes_max of events being written, and what the system's buffers
// hold. Invariants:
//   (1) nothing is read while an answer is written, so that a client that only asks stops itself;
//   (2) whatever state it is in, it is closed in bounded time when the client does nothing.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/gate.h"
#include "http/head_scanner.h"
#include "http/reply.h"
#include "http/request_head.h"
#include "http/retained_events.h"
#include "http/stream_cursor.h"
#include "http/tally.h"
#include "http/wire.h"
#include "recmeter/http/handler.h"
#include "recmeter/http/server_options.h"

namespace recmeter::http {

class Connection;

// What all connections of a server share. Outlives them.
struct Hosting {
  const Limits& limits;
  const Gate& gate;
  Handler& handler;
  Tally& tally;
  const EventRing* ring;                    // null: there are no streams
  const RetainedEvents* events;             // of the ring
  std::function<void(Connection&)> closed;  // called once; the connection is not used by its server afterwards
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  Connection(std::unique_ptr<Wire> wire, const Hosting& hosting);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  void start();
  // Closes it if its time is up; sends a heartbeat if it is time for one.
  void check_time(Clock::time_point now);
  // There are new events.
  void pump();
  void close(bool is_abrupt);

 private:
  enum class State : std::uint8_t { opening, head, body, response, stream, finishing, closed };

  void read();
  void received(std::size_t bytes);
  void begin_request();
  void look_for_head();
  void take_head(std::string_view text);
  void skip_body();
  void respond();
  [[nodiscard]] Response answer();
  void refuse(const Refusal& refusal);
  void send(Response response);
  void begin_stream(std::string text);
  void write();
  void written(std::size_t bytes);
  void finish();
  [[nodiscard]] bool is_stuck(Clock::time_point now);
  void release_body();

  const std::unique_ptr<Wire> wire_;
  const Hosting& hosting_;
  State state_ = State::opening;
  Clock::time_point deadline_;
  HeadScanner scanner_;
  std::string in_;  // came and is not dealt with
  std::array<char, 2048> chunk_{};

  // The request.
  RequestHead head_;
  std::uint64_t body_left_ = 0;
  bool keeps_alive_ = false;

  // Being written.
  std::string text_;
  Body body_;
  std::size_t offset_ = 0;         // into both
  std::size_t pending_bytes_ = 0;  // of body_, counted
  bool is_writing_ = false;
  std::int64_t taken_ = 0;  // the most seen
  Clock::time_point taken_at_;

  // Of a stream.
  std::optional<StreamCursor> cursor_;
  std::uint64_t gaps_counted_ = 0;
  std::size_t unasked_bytes_ = 0;  // that came while nothing is read
  Clock::time_point written_at_;
};

}  // namespace recmeter::http
