// ListenAddress: host:port as it is written in a configuration. Includes Asio.
//
// The host is an IPv4 address, an IPv6 address in brackets, or `localhost`, which is 127.0.0.1; names are not looked up.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::http {

// Errors: config_invalid.
[[nodiscard]] Result<boost::asio::ip::tcp::endpoint> parse_listen_address(const std::string& text);

// 127.0.0.1:8080, [::1]:8080
[[nodiscard]] std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace recmeter::http
