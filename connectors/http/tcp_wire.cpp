#include "http/tcp_wire.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <sys/ioctl.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <utility>

namespace recmeter::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// Drops what still comes until it ends, or is more than `bytes_max`.
void drop_input(tcp::socket& socket, std::span<char> scratch, std::size_t bytes_max, Wire::Done done) {
  socket.async_read_some(asio::buffer(scratch.data(), scratch.size()),
                         [&socket, scratch, bytes_max, done = std::move(done)](error_code error, std::size_t bytes) mutable {
                           if (error || bytes > bytes_max) return done(0);
                           drop_input(socket, scratch, bytes_max - bytes, std::move(done));
                         });
}

// What plain connections and TLS have in common.
template <class Stream>
class StreamWire : public Wire {
 public:
  template <class... Args>
  explicit StreamWire(Args&&... args) : stream_(std::forward<Args>(args)...) {}

  void read(std::span<char> into, Done done) override {
    stream_.async_read_some(asio::buffer(into.data(), into.size()),
                            [done = std::move(done)](error_code error, std::size_t bytes) { done(error ? 0 : bytes); });
  }
  void close(bool is_abrupt) noexcept override {
    error_code ignored;
    if (is_abrupt) socket().set_option(tcp::socket::linger(true, 0), ignored);
    socket().close(ignored);
  }
  void limit_send_buffer(std::size_t bytes) override {
    error_code ignored;
    socket().set_option(tcp::socket::send_buffer_size(static_cast<int>(bytes)), ignored);
  }
  std::int64_t untaken() const override {
    int bytes = 0;
    // TIOCOUTQ of a socket is SIOCOUTQ: what was not acknowledged yet, sent or not.
    return ::ioctl(socket().native_handle(), TIOCOUTQ, &bytes) == 0 ? bytes : 0;
  }

 protected:
  [[nodiscard]] tcp::socket& socket() const { return boost::beast::get_lowest_layer(stream_); }

  mutable Stream stream_;  // asking for its handle is no const function
};

class PlainWire final : public StreamWire<tcp::socket> {
 public:
  using StreamWire::StreamWire;

  void open(Done done) override {
    asio::post(stream_.get_executor(), [done = std::move(done)] { done(1); });
  }
  void write(std::string_view first, std::string_view second, Done done) override {
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(first.data(), first.size()),
                                                    asio::buffer(second.data(), second.size())};
    stream_.async_write_some(buffers, [this, done = std::move(done)](error_code error, std::size_t bytes) {
      written_ += static_cast<std::int64_t>(bytes);
      done(error ? 0 : bytes);
    });
  }
  void finish(std::span<char> scratch, std::size_t bytes_max, Done done) override {
    error_code ignored;
    stream_.shutdown(tcp::socket::shutdown_send, ignored);
    drop_input(stream_, scratch, bytes_max, std::move(done));
  }
  std::int64_t taken() const override { return written_ - untaken(); }

 private:
  std::int64_t written_ = 0;
};

class TlsWire final : public StreamWire<asio::ssl::stream<tcp::socket>> {
 public:
  using StreamWire::StreamWire;

  void open(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [done = std::move(done)](error_code error) { done(error ? 0 : 1); });
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
  // What TLS made of it, less what the system still has; the last record may be on its way between the two.
  std::int64_t taken() const override {
    return static_cast<std::int64_t>(BIO_number_written(SSL_get_wbio(stream_.native_handle()))) - untaken();
  }
};

}  // namespace

std::unique_ptr<Wire> plain_wire(tcp::socket socket) {
  return std::make_unique<PlainWire>(std::move(socket));
}

std::unique_ptr<Wire> tls_wire(tcp::socket socket, asio::ssl::context& tls) {
  return std::make_unique<TlsWire>(std::move(socket), tls);
}

}  // namespace recmeter::http
