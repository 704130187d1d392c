// Server: HTTP/1.1 for reading, on one thread of its own; it knows nothing of what is read.
//
// GET and HEAD, keep-alive, server-sent events, TLS, a bearer token. What clients may take is bounded (server_options.h): who
// is slow, silent, many or malformed is answered with application/problem+json or closed, and nobody else waits for them.
// Thread safety: any thread, but for the destructor. Invariants:
//   (1) nothing a client sends reaches a log or `tell`; the token is not kept, only its digest;
//   (2) nothing is written to a client beyond what it takes: a stream that lags behind the ring gets `event: gap` and a new
//       snapshot when it can be written again, not a queue;
//   (3) what is not loopback is served with a token or TLS only, unless forced.
//
// Errors: config_invalid (limits, listen address, token, certificate, (3)); output_failed (the address is taken, or is not
// this machine's).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "recmeter/base/result.h"
#include "recmeter/http/handler.h"
#include "recmeter/http/server_counts.h"
#include "recmeter/http/server_options.h"

namespace recmeter::http {

class Server {
 public:
  // Listens when it returns. `handler` outlives the server.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(ServerOptions options, Handler& handler);
  ~Server();  // stop()

  // Where it really listens: 127.0.0.1:43127, or as a URL: http://127.0.0.1:43127
  [[nodiscard]] std::string address() const;
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string url() const;

  [[nodiscard]] ServerCounts counts() const;

  // Reads token, certificate and key anew, and takes these limits and hosts, for all that connects from now on; requests of
  // connections that are there need the new token. Requires: `options.listen` as before. Errors: as start(); then nothing has
  // changed.
  [[nodiscard]] Result<void> reload(ServerOptions options);

  // Closes every connection, at once, and ends the thread. Again: does nothing.
  void stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter::http
