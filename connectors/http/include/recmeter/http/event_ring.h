// EventRing: the latest server-sent events, encoded once, for all clients of a Server (WHATWG HTML, 9.2).
//
// append() costs the same however many clients there are and whatever they do: the text is encoded and put into a box; the
// server's thread is woken if it was not yet, and swaps the box for an empty one. Nobody holds the lock for longer than that.
// Thread safety: any thread. Invariants:
//   (1) ids are 1, 2, 3 ... of one run; the text form, "run-id", is never that of another run's event;
//   (2) at most twice Bounds is kept (in the box and by the server); the oldest goes first, and its id is never used again;
//   (3) without a server nothing is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/http/response.h"

namespace recmeter::http {

// What a stream begins with: the whole as it was when event `after` had been appended. Null text: nothing.
struct Snapshot {
  Body text;  // as encoded by EventRing::snapshot()
  std::uint64_t after = 0;
};

class EventRing {
 public:
  struct Bounds {
    std::size_t events_max = 8192;
    std::size_t bytes_max = std::size_t{8} << 20;
  };
  struct Event {
    std::uint64_t id = 0;
    Body text;
  };

  // `run` tells this ring from those of earlier runs: the wall clock at the start, for example.
  EventRing(std::uint64_t run, Bounds bounds);

  // Returns its id. Requires: `name` is of letters, digits, '-' and '_', not empty.
  std::uint64_t append(std::string_view name, std::string_view data);
  // Of the event appended last; 0: none.
  [[nodiscard]] std::uint64_t last_id() const;
  // An event named `snapshot` with `data`, encoded once for all that it is handed to. It is no event of the ring and has the
  // id of `after`, so that a client that reconnects resumes there.
  [[nodiscard]] Snapshot snapshot(std::string_view data, std::uint64_t after) const;

  // The rest is for the server. Events after the one whose id is returned are kept until take(), and `wake` is called, with
  // the lock held and from any thread, when the first is there; an empty one ends that.
  std::uint64_t wake_with(std::function<void()> wake);
  // Moves what was appended into `into`, which is cleared first. An id that is missing before them is lost.
  void take(std::vector<Event>& into);
  // The id that "run-id" stands for, if it is of this run.
  [[nodiscard]] std::optional<std::uint64_t> id_of(std::string_view text) const;
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

 private:
  const std::string run_;  // in hexadecimal
  const Bounds bounds_;

  mutable std::mutex mutex_;
  std::function<void()> wake_;
  bool is_woken_ = false;
  std::uint64_t last_ = 0;
  std::vector<Event> box_;
  std::size_t box_bytes_ = 0;
};

}  // namespace recmeter::http
