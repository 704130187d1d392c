// Listener: accepts connections, and refuses those beyond the limits before anything is kept for them. Includes Asio.
//
// The server's thread alone. When there is no descriptor or memory for another connection it waits a tenth of a second before
// it tries again, and tells so once a minute; clients wait in the system's queue meanwhile.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "http/tally.h"
#include "recmeter/base/result.h"
#include "recmeter/http/server_options.h"

namespace recmeter::http {

class Listener {
 public:
  // An IPv4 address, or the first half of an IPv6 one: what one person has at the least.
  using Peer = std::array<std::uint8_t, 16>;
  using Accepted = std::function<void(boost::asio::ip::tcp::socket socket, const Peer& peer)>;

  // `options` and `tally` outlive it. `connections_max`: what there is room for, Limits or less.
  Listener(boost::asio::io_context& io, const ServerOptions& options, std::size_t connections_max, Tally& tally);

  // Errors: output_failed.
  [[nodiscard]] Result<void> listen(const boost::asio::ip::tcp::endpoint& endpoint);
  [[nodiscard]] boost::asio::ip::tcp::endpoint endpoint() const { return endpoint_; }
  // Requires: listen() went well.
  void accept(Accepted accepted);
  // Another limit than the first; who is there stays.
  void allow(std::size_t connections_max) { connections_max_ = connections_max; }
  // A connection of this peer is over.
  void release(const Peer& peer);
  void close();

 private:
  void accept_next();
  void admit(boost::asio::ip::tcp::socket socket);
  void wait(const boost::system::error_code& error);
  void refuse(boost::asio::ip::tcp::socket& socket);

  const ServerOptions& options_;
  std::size_t connections_max_;
  Tally& tally_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer retry_;
  boost::asio::ip::tcp::endpoint endpoint_;
  Accepted accepted_;
  std::map<Peer, std::size_t> connections_;  // by peer, none of 0
  std::size_t connections_now_ = 0;
  std::chrono::steady_clock::time_point tell_after_{};
};

}  // namespace recmeter::http
