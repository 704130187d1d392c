// Tally: ServerCounts as they are counted: by the server's thread, for any thread to read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "recmeter/http/server_counts.h"

namespace recmeter::http {

struct Tally {
  using Count = std::atomic<std::uint64_t>;

  Count connections_now{0}, connections{0}, connections_refused{0}, accept_failures{0};
  std::array<Count, 6> responses{};
  Count bytes_out{0}, timed_out{0}, slow_closed{0}, pending_bytes_now{0};
  Count streams_now{0}, streams{0}, stream_events{0}, gaps{0};

  [[nodiscard]] ServerCounts counts() const {
    ServerCounts all{.connections_now = connections_now,
                     .connections = connections,
                     .connections_refused = connections_refused,
                     .accept_failures = accept_failures,
                     .bytes_out = bytes_out,
                     .timed_out = timed_out,
                     .slow_closed = slow_closed,
                     .pending_bytes_now = pending_bytes_now,
                     .streams_now = streams_now,
                     .streams = streams,
                     .stream_events = stream_events,
                     .gaps = gaps};
    for (std::size_t i = 0; i < responses.size(); ++i) all.responses[i] = responses[i];
    return all;
  }
};

}  // namespace recmeter::http
