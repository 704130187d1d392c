// ServerCounts: what a Server has done since its start, as a value. All are counters but the three that say `now`.
#pragma once

#include <array>
#include <cstdint>

namespace recmeter::http {

struct ServerCounts {
  std::uint64_t connections_now = 0;
  std::uint64_t connections = 0;             // that were served
  std::uint64_t connections_refused = 0;     // beyond a limit: of all, or of one peer
  std::uint64_t accept_failures = 0;         // no descriptor or memory for a connection; it waited
  std::array<std::uint64_t, 6> responses{};  // by status class: [2] of 2xx ...; refused connections are not among them
  std::uint64_t bytes_out = 0;               // without TLS
  std::uint64_t timed_out = 0;               // before a request was whole
  std::uint64_t slow_closed = 0;             // took nothing for Limits::write
  std::uint64_t pending_bytes_now = 0;       // of bodies that clients have still to take
  std::uint64_t streams_now = 0;
  std::uint64_t streams = 0;
  std::uint64_t stream_events = 0;  // that came through the ring
  std::uint64_t gaps = 0;           // told to a stream: it lost events
};

}  // namespace recmeter::http
