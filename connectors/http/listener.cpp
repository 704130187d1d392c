#include "http/listener.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "http/listen_address.h"
#include "http/reply.h"

namespace recmeter::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::milliseconds retry_after{100};
constexpr std::chrono::minutes tell_every{1};
constexpr int backlog = 512;
// Of a connection that is no stream; Linux takes twice as much. Receiving: what a client may send before anybody looks.
constexpr int send_buffer_bytes = 128 << 10;
constexpr int receive_buffer_bytes = 16 << 10;

Listener::Peer peer_of(const asio::ip::address& address) {
  Listener::Peer peer{};
  if (address.is_v4() || address.to_v6().is_v4_mapped()) {
    const auto v4 = address.is_v4() ? address.to_v4() : asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    const auto bytes = v4.to_bytes();
    peer[10] = peer[11] = 0xff;  // no IPv6 /64 looks like that
    std::copy(bytes.begin(), bytes.end(), peer.begin() + 12);
  } else {
    const auto bytes = address.to_v6().to_bytes();
    std::copy_n(bytes.begin(), 8, peer.begin());
  }
  return peer;
}

}  // namespace

Listener::Listener(asio::io_context& io, const ServerOptions& options, std::size_t connections_max, Tally& tally)
    : options_(options), connections_max_(connections_max), tally_(tally), acceptor_(io), retry_(io) {}

Result<void> Listener::listen(const tcp::endpoint& endpoint) {
  error_code error;
  const auto step = [&](auto&& action) {
    if (!error) action();
  };
  step([&] { acceptor_.open(endpoint.protocol(), error); });
  step([&] { acceptor_.set_option(tcp::acceptor::reuse_address(true), error); });
  step([&] { acceptor_.set_option(tcp::socket::receive_buffer_size(receive_buffer_bytes), error); });
  step([&] { acceptor_.bind(endpoint, error); });
  step([&] { acceptor_.listen(backlog, error); });
  step([&] { endpoint_ = acceptor_.local_endpoint(error); });
  if (!error) return {};
  return failure(Errc::output_failed, "http: " + to_text(endpoint) + " cannot be listened on: " + error.message() +
                                          ". End what listens there, or listen on another address");
}

void Listener::accept(Accepted accepted) {
  accepted_ = std::move(accepted);
  accept_next();
}

void Listener::accept_next() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      admit(std::move(socket));
    } else if (error != asio::error::connection_aborted) {
      return wait(error);
    }
    accept_next();
  });
}

void Listener::admit(tcp::socket socket) {
  error_code error;
  const tcp::endpoint remote = socket.remote_endpoint(error);
  if (error) return;  // it is gone already
  const Peer peer = peer_of(remote.address());
  const auto known = connections_.find(peer);
  const std::size_t of_peer = known == connections_.end() ? 0 : known->second;
  if (connections_now_ >= connections_max_ || of_peer >= options_.limits.peer_connections_max) return refuse(socket);
  socket.set_option(tcp::no_delay(true), error);
  socket.set_option(tcp::socket::send_buffer_size(send_buffer_bytes), error);
  ++connections_[peer];
  ++connections_now_;
  accepted_(std::move(socket), peer);
}

void Listener::release(const Peer& peer) {
  --connections_now_;
  const auto known = connections_.find(peer);
  if (--known->second == 0) connections_.erase(known);
}

// What fits into an empty send buffer is said; nobody waits for whether it arrives. With TLS it could not be read.
void Listener::refuse(tcp::socket& socket) {
  ++tally_.connections_refused;
  if (!options_.certificate_file.empty()) return;
  Response response =
      problem(503, "Service Unavailable", "This server has reached its limit of connections; try again later.");
  response.headers.emplace_back("Retry-After", "5");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const ReplyTerms terms{.unix_seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count()};
  const Reply reply = make_reply(std::move(response), terms);
  error_code ignored;
  const std::string text = reply.head + *reply.body;
  socket.non_blocking(true, ignored);
  socket.send(asio::buffer(text), 0, ignored);
  socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Listener::wait(const error_code& error) {
  ++tally_.accept_failures;
  const auto now = std::chrono::steady_clock::now();
  if (options_.tell && now >= tell_after_) {
    tell_after_ = now + tell_every;
    options_.tell(Notice::http_refuses, "http: cannot accept connections on " + to_text(endpoint_) + ": " + error.message() +
                                            "; it continues when some close. Raise the limit of open files (ulimit -n)");
  }
  retry_.expires_after(retry_after);
  retry_.async_wait([this](error_code ended) {
    if (!ended) accept_next();
  });
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
  retry_.cancel();
}

}  // namespace recmeter::http
