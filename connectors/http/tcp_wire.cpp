#include "http/tcp_wire.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <sys/ioctl.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <utility>

namespace recmeter::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

void close_socket(tcp::socket& socket, bool is_abrupt) noexcept {
  error_code ignored;
  if (is_abrupt) socket.set_option(tcp::socket::linger(true, 0), ignored);
  socket.close(ignored);
}

std::int64_t untaken_of(tcp::socket& socket) {
  int bytes = 0;
  // TIOCOUTQ of a socket is SIOCOUTQ: what was not acknowledged yet, sent or not.
  return ::ioctl(socket.native_handle(), TIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

// Drops what still comes until it ends, or is more than `bytes_max`.
void drop_input(tcp::socket& socket, std::span<char> scratch, std::size_t bytes_max, Wire::Done done) {
  socket.async_read_some(asio::buffer(scratch.data(), scratch.size()),
                         [&socket, scratch, bytes_max, done = std::move(done)](error_code error, std::size_t bytes) mutable {
                           if (error || bytes > bytes_max) return done(0);
                           drop_input(socket, scratch, bytes_max - bytes, std::move(done));
                         });
}

class PlainWire final : public Wire {
 public:
  explicit PlainWire(tcp::socket socket) : socket_(std::move(socket)) {}

  void open(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done(1); });
  }
  void read(std::span<char> into, Done done) override {
    socket_.async_read_some(asio::buffer(into.data(), into.size()),
                            [done = std::move(done)](error_code error, std::size_t bytes) { done(error ? 0 : bytes); });
  }
  void write(std::string_view first, std::string_view second, Done done) override {
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(first.data(), first.size()),
                                                    asio::buffer(second.data(), second.size())};
    socket_.async_write_some(buffers, [this, done = std::move(done)](error_code error, std::size_t bytes) {
      written_ += static_cast<std::int64_t>(bytes);
      done(error ? 0 : bytes);
    });
  }
  void finish(std::span<char> scratch, std::size_t bytes_max, Done done) override {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    drop_input(socket_, scratch, bytes_max, std::move(done));
  }
  void close(bool is_abrupt) noexcept override { close_socket(socket_, is_abrupt); }
  void limit_send_buffer(std::size_t bytes) override {
    error_code ignored;
    socket_.set_option(tcp::socket::send_buffer_size(static_cast<int>(bytes)), ignored);
  }
  std::int64_t taken() const override { return written_ - untaken(); }
  std::int64_t untaken() const override { return untaken_of(socket_); }

 private:
  mutable tcp::socket socket_;  // asking for its handle is no const function
  std::int64_t written_ = 0;
};

class TlsWire final : public Wire {
 public:
  TlsWire(tcp::socket socket, asio::ssl::context& tls) : stream_(std::move(socket), tls) {}

  void open(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [done = std::move(done)](error_code error) { done(error ? 0 : 1); });
  }
  void read(std::span<char> into, Done done) override {
    stream_.async_read_some(asio::buffer(into.data(), into.size()),
                            [done = std::move(done)](error_code error, std::size_t bytes) { done(error ? 0 : bytes); });
  }
  // One record at a time: TLS has no gathering.
  void write(std::string_view first, std::string_view second, Done done) override {
    const std::string_view bytes = first.empty() ? second : first;
    stream_.async_write_some(asio::buffer(bytes.data(), bytes.size()),
                             [done = std::move(done)](error_code error, std::size_t written) { done(error ? 0 : written); });
  }
  void finish(std::span<char>, std::size_t, Done done) override {
    stream_.async_shutdown([done = std::move(done)](error_code) { done(0); });
  }
  void close(bool is_abrupt) noexcept override { close_socket(stream_.next_layer(), is_abrupt); }
  void limit_send_buffer(std::size_t bytes) override {
    error_code ignored;
    stream_.next_layer().set_option(tcp::socket::send_buffer_size(static_cast<int>(bytes)), ignored);
  }
  // What TLS made of it, less what the system still has; the last record may be on its way between the two.
  std::int64_t taken() const override {
    return static_cast<std::int64_t>(BIO_number_written(SSL_get_wbio(stream_.native_handle()))) - untaken();
  }
  std::int64_t untaken() const override { return untaken_of(stream_.next_layer()); }

 private:
  mutable asio::ssl::stream<tcp::socket> stream_;  // as above
};

}  // namespace

std::unique_ptr<Wire> plain_wire(tcp::socket socket) {
  return std::make_unique<PlainWire>(std::move(socket));
}

std::unique_ptr<Wire> tls_wire(tcp::socket socket, asio::ssl::context& tls) {
  return std::make_unique<TlsWire>(std::move(socket), tls);
}

}  // namespace recmeter::http
