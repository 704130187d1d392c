#include "app/monitor/server_options.h"

#include <chrono>

namespace recmeter {

namespace {

http::Limits limits_of(const PublishSpec::HttpLimits& limits) {
  const auto time = [](Duration duration) { return std::chrono::milliseconds(duration.ms); };
  return {.connections_max = limits.connections_max,
          .peer_connections_max = limits.peer_connections_max,
          .header_bytes_max = limits.header_bytes_max,
          .fields_max = limits.fields_max,
          .body_bytes_max = limits.body_bytes_max,
          .pending_bytes_max = limits.pending_bytes_max,
          .stream_bytes_max = limits.stream_bytes_max,
          .header = time(limits.header),
          .body = time(limits.body),
          .idle = time(limits.idle),
          .write = time(limits.write),
          .linger = time(limits.linger),
          .heartbeat = time(limits.heartbeat),
          .retry = time(limits.retry)};
}

}  // namespace

http::ServerOptions server_options_of(const PublishSpec::Http& http) {
  return {.listen = address_of(http),
          .limits = limits_of(http.limits),
          .token_file = http.token_file,
          .certificate_file = http.certificate,
          .key_file = http.key,
          .force = http.force,
          .hosts = http.hosts};
}

http::ServerOptions probe_options_of(const PublishSpec::Http& http) {
  return {.listen = http.probes, .limits = limits_of(http.limits), .force = true, .hosts = http.hosts};
}

}  // namespace recmeter
