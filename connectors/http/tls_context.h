// The TLS side of a server: 1.2 or newer, forward secrecy and authenticated encryption only, no renegotiation. Includes Asio.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "recmeter/base/result.h"
#include "recmeter/http/server_options.h"

namespace recmeter::http {

// Null if the options name no certificate. Errors: config_invalid; nothing of the key is in them.
[[nodiscard]] Result<std::unique_ptr<boost::asio::ssl::context>> make_tls_context(const ServerOptions& options);

}  // namespace recmeter::http
