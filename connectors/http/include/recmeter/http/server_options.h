// ServerOptions: where a Server listens, whom it answers, and how much of it any client may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/http/event_ring.h"

namespace recmeter::http {

// All at least 1. Deadlines are kept to an eighth of the shortest, at best 10 ms.
struct Limits {
  std::size_t connections_max = 1024;        // and at most half of the files the process may open
  std::size_t peer_connections_max = 256;    // of one IPv4 address or one IPv6 /64
  std::size_t header_bytes_max = 8 << 10;    // request line and fields
  std::size_t fields_max = 64;               // header fields of a request
  std::size_t body_bytes_max = 64 << 10;     // of a request; read and dropped
  std::size_t pending_bytes_max = 64 << 20;  // of bodies that clients have still to take, all together; beyond it: 503
  std::size_t stream_bytes_max = 64 << 10;   // unsent, of one stream: here and in the system's send buffer. At least 16 KiB
  std::chrono::milliseconds header{10'000};  // from the first byte (of a new connection: from its start) to the last
  std::chrono::milliseconds body{10'000};    // from the header's end to the body's
  std::chrono::milliseconds idle{60'000};    // between two requests
  std::chrono::milliseconds write{30'000};   // in which a client takes no byte of what is there for it
  std::chrono::milliseconds linger{2'000};   // that a client has to see an end coming
  std::chrono::milliseconds heartbeat{15'000};  // of a stream without events
  std::chrono::milliseconds retry{2'000};       // that a browser waits before it reconnects a stream

  bool operator==(const Limits&) const = default;
};

struct ServerOptions {
  std::string listen = "127.0.0.1:8080";  // host:port or [v6]:port; the host is an address or `localhost`. Port 0: any
  Limits limits = {};

  // A bearer token that every request has to bring, as `Authorization: Bearer ...` or as the password of Basic, which
  // browsers ask for. At most one of the two; the file's line end does not belong to it. Empty: none. 16 characters or more
  // of those RFC 6750 allows.
  std::string token = {};
  std::string token_file = {};
  // TLS, 1.2 or newer: a PEM file with the certificate and its chain, and its key's. Both or none.
  std::string certificate_file = {};
  std::string key_file = {};
  // Listen on what is not loopback without either.
  bool force = false;

  // On loopback and without token, requests for another Host than an address, `localhost` or one of these are refused: a page
  // from elsewhere that has its own name resolved to loopback is not to read what is here (DNS rebinding).
  std::vector<std::string> hosts = {};

  std::shared_ptr<EventRing> events = {};  // of event_stream(); null: there are none
  // Told one sentence per change of what those who run it should know; never what a client sent. Any thread; may be empty.
  Tell tell = {};
};

}  // namespace recmeter::http
