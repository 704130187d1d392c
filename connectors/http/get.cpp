#include "recmeter/http/get.h"

#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "recmeter/http/url.h"

namespace recmeter::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_every{50};  // at `stop`
constexpr std::uint32_t header_bytes_max = 64U << 10U;
constexpr std::streamsize token_file_bytes_max = 8192;

bool is_sound_token(const std::string& token) {
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=";
  return token.find_first_not_of(allowed) == std::string::npos;
}

bool is_address(const std::string& host) {
  error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

// One exchange. Its steps are asynchronous ones that are waited for one after the other; one that is given up is dropped with
// the context it belongs to, before what it would have written to.
class Exchange {
 public:
  Exchange(const Url& url, const GetOptions& options)
      : url_(url), options_(options), end_(Clock::now() + options.deadline), resolver_(io_), socket_(io_) {}

  Result<Fetched> run() {
    if (auto connected = connect(); !connected) return tl::unexpected(connected.error());
    if (!url_.is_tls) return ask(socket_);
    asio::ssl::context context(asio::ssl::context::tls_client);
    if (auto trusted = trust(context); !trusted) return tl::unexpected(trusted.error());
    stream_.emplace(std::move(socket_), context);
    if (auto agreed = agree(); !agreed) return tl::unexpected(agreed.error());
    return ask(*stream_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> failed(Errc code, const std::string& why) const {
    return failure(code, (url_.is_tls ? "https://" : "http://") + url_.authority() + ": " + why);
  }

  // Waits for a step, whose handler sets `is_done`.
  Result<void> finish(const bool& is_done) {
    while (!is_done) {
      if (options_.stop != nullptr && *options_.stop) return failed(Errc::interrupted, "interrupted");
      const auto now = Clock::now();
      if (now >= end_) {
        return failed(Errc::input_unreadable, "no answer within " + std::to_string(options_.deadline.count()) +
                                                  " ms; see whether it runs and can be reached");
      }
      if (io_.stopped()) io_.restart();
      io_.run_one_until(std::min(end_, now + look_every));
    }
    return {};
  }

  // A step that `start` begins with the handler it is given; its error code.
  template <class Start>
  Result<error_code> step(Start&& start) {
    is_done_ = false;
    start([this](error_code error, auto&&...) {
      result_ = error;
      is_done_ = true;
    });
    if (auto finished = finish(is_done_); !finished) return tl::unexpected(finished.error());
    return result_;
  }

  Result<void> connect() {
    // Names in numbers are not looked up; nor is it asked which kinds of address this machine has, for one may have loopback
    // only.
    const auto flags =
        is_address(url_.host) ? tcp::resolver::numeric_host | tcp::resolver::numeric_service : tcp::resolver::numeric_service;
    tcp::resolver::results_type found;
    const auto resolved = step([&](auto done) {
      resolver_.async_resolve(url_.host, url_.port, flags,
                              [&found, done](error_code error, const tcp::resolver::results_type& results) mutable {
                                found = results;
                                done(error);
                              });
    });
    if (!resolved) return tl::unexpected(resolved.error());
    if (*resolved) return failed(Errc::input_missing, "there is no such host: " + resolved->message());
    const auto connected = step([&](auto done) {
      asio::async_connect(socket_, found, [done](error_code error, const tcp::endpoint&) mutable { done(error); });
    });
    if (!connected) return tl::unexpected(connected.error());
    if (*connected) return failed(Errc::input_missing, "cannot be reached: " + connected->message());
    return {};
  }

  Result<void> trust(asio::ssl::context& context) {
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    error_code error;
    context.set_default_verify_paths(error);
    context.set_verify_mode(asio::ssl::verify_peer, error);
    if (options_.ca_file.empty()) return {};
    context.load_verify_file(options_.ca_file, error);
    if (error) {
      return failure(Errc::config_invalid, "the certificates in " + options_.ca_file + " cannot be used: " + error.message() +
                                               ". It has to be a readable PEM file");
    }
    return {};
  }

  Result<void> agree() {
    stream_->set_verify_callback(asio::ssl::host_name_verification(url_.host));
    if (!is_address(url_.host)) {
      std::string name = url_.host;  // SSL_set_tlsext_host_name, without the cast that this macro has
      SSL_ctrl(stream_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
    }
    const auto agreed = step([&](auto done) { stream_->async_handshake(asio::ssl::stream_base::client, done); });
    if (!agreed) return tl::unexpected(agreed.error());
    if (*agreed) return failed(Errc::input_unreadable, "no TLS that can be trusted: " + agreed->message());
    return {};
  }

  template <class Stream>
  Result<Fetched> ask(Stream& stream) {
    beast::http::request<beast::http::empty_body> request(beast::http::verb::get, url_.target, 11);
    request.set(beast::http::field::host, url_.authority());
    request.set(beast::http::field::user_agent, "recmeter");
    request.set(beast::http::field::connection, "close");
    if (!options_.token.empty()) request.set(beast::http::field::authorization, "Bearer " + options_.token);
    const auto sent = step([&](auto done) { beast::http::async_write(stream, request, done); });
    if (!sent) return tl::unexpected(sent.error());
    if (*sent) return failed(Errc::input_unreadable, "the request was not taken: " + sent->message());

    beast::flat_buffer buffer;
    beast::http::response_parser<beast::http::string_body> answer;
    answer.header_limit(header_bytes_max);
    answer.body_limit(options_.body_bytes_max);
    const auto read = step([&](auto done) { beast::http::async_read(stream, buffer, answer, done); });
    if (!read) return tl::unexpected(read.error());
    if (*read == beast::http::error::body_limit) {
      return failed(Errc::input_unreadable,
                    "the answer is longer than " + std::to_string(options_.body_bytes_max) + " bytes; ask for less");
    }
    if (*read) return failed(Errc::input_unreadable, "the answer cannot be read: " + read->message());
    auto& message = answer.get();
    return Fetched{.status = static_cast<int>(message.result_int()),
                   .content_type = std::string(message[beast::http::field::content_type]),
                   .body = std::move(message.body())};
  }

  const Url& url_;
  const GetOptions& options_;
  const Clock::time_point end_;
  bool is_done_ = false;
  error_code result_;
  asio::io_context io_{1};
  tcp::resolver resolver_;
  tcp::socket socket_;
  std::optional<asio::ssl::stream<tcp::socket>> stream_;
};

}  // namespace

Result<Fetched> get(const std::string& url, const GetOptions& options) {
  const auto parsed = parse_url(url);
  if (!parsed) return tl::unexpected(parsed.error());
  if (!is_sound_token(options.token)) {
    return failure(Errc::config_invalid, "the token for " + parsed->authority() +
                                             " cannot be sent: it has other characters than letters, digits and -._~+/=");
  }
  return Exchange(*parsed, options).run();
}

Result<std::string> read_token_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string token(static_cast<std::size_t>(token_file_bytes_max), '\0');
  file.read(token.data(), token_file_bytes_max);
  if (!file.is_open() || file.bad()) {
    return failure(Errc::config_invalid, "the token file " + path + " cannot be read: " + std::strerror(errno));
  }
  token.resize(static_cast<std::size_t>(file.gcount()));
  token.erase(token.find_last_not_of("\r\n") + 1);
  if (token.empty()) return failure(Errc::config_invalid, "the token file " + path + " is empty; it must hold the token");
  return token;
}

}  // namespace recmeter::http
