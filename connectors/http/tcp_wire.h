// TcpWire: wires of Asio. Includes Asio: for the sources that open and accept connections only.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "http/wire.h"

namespace recmeter::http {

[[nodiscard]] std::unique_ptr<Wire> plain_wire(boost::asio::ip::tcp::socket socket);
// `tls` outlives the wire.
[[nodiscard]] std::unique_ptr<Wire> tls_wire(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& tls);

}  // namespace recmeter::http
