// How a configuration's `publish.http` is served.
#pragma once

#include "config/config.h"
#include "recmeter/http/server_options.h"

namespace recmeter {

[[nodiscard]] http::ServerOptions server_options_of(const PublishSpec::Http& http);
// Of the port for probes: without token and TLS, wherever it is. Requires: http.probes is not empty.
[[nodiscard]] http::ServerOptions probe_options_of(const PublishSpec::Http& http);

}  // namespace recmeter
