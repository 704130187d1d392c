// StreamCursor: where one client of the stream is, and what it is sent next. It holds a number, not events.
//
// The server's thread alone. A client begins with a snapshot, or goes on after the id it names if all since are still here;
// when what it has to get next is here no more it is told (`event: gap`) and begins with a new snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/retained_events.h"
#include "recmeter/http/event_ring.h"
#include "recmeter/http/handler.h"

namespace recmeter::http {

class StreamCursor {
 public:
  // What is to be written: the text, then the shared one, if any.
  struct Chunk {
    std::string text;
    Body shared;
    [[nodiscard]] bool empty() const { return text.empty() && !shared; }
  };

  // `ring` and `events` outlive the cursor.
  StreamCursor(const EventRing& ring, const RetainedEvents& events) : ring_(ring), events_(events) {}

  // The first chunk. `last_event_id`: what the client sent; empty: it is new.
  [[nodiscard]] Chunk begin(std::string_view last_event_id, Handler& handler);
  // What comes next, of at most about `bytes_max`; empty: nothing for now. An event or a snapshot larger than that is shared,
  // not copied.
  [[nodiscard]] Chunk next(std::size_t bytes_max, Handler& handler);

  // How many gaps it was told.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

 private:
  void take_snapshot(Chunk& chunk, Handler& handler);
  void tell_gap(Chunk& chunk);

  const EventRing& ring_;
  const RetainedEvents& events_;
  std::uint64_t next_ = 0;
  std::uint64_t gaps_ = 0;
};

}  // namespace recmeter::http
