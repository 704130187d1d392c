// Handler: what an application puts behind a Server.
//
// Called on the server's thread, one call at a time, while every other client waits: it answers from what is there, a
// snapshot of immutable values, and never waits for another thread.
#pragma once

#include "recmeter/http/event_ring.h"
#include "recmeter/http/request.h"
#include "recmeter/http/response.h"

namespace recmeter::http {

class Handler {
 public:
  virtual ~Handler() = default;

  // To GET and HEAD alike.
  [[nodiscard]] virtual Response handle(const Request& request) noexcept = 0;

  // What a stream begins with, and begins with again after a gap. By default nothing: events from now on.
  [[nodiscard]] virtual Snapshot snapshot() noexcept { return {}; }
};

}  // namespace recmeter::http
