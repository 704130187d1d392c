#include "http/listen_address.h"

#include <cstdint>
#include <string_view>

#include "recmeter/base/read_number.h"

namespace recmeter::http {

namespace {

tl::unexpected<Error> unusable(const std::string& text, std::string_view why) {
  return failure(Errc::config_invalid, "http: the address " + text + " cannot be listened on: " + std::string(why) +
                                           ". Write it like 127.0.0.1:8080 or [::1]:8080");
}

}  // namespace

Result<boost::asio::ip::tcp::endpoint> parse_listen_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return unusable(text, "it has no port");
  const auto port = read_number<std::uint16_t>(std::string_view(text).substr(colon + 1));
  if (!port) return unusable(text, "its port is not a number up to 65535");

  std::string host = text.substr(0, colon);
  const bool is_bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  if (error || address.is_v6() != is_bracketed) return unusable(text, "its host is no IP address");
  return boost::asio::ip::tcp::endpoint(address, *port);
}

std::string to_text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
}

}  // namespace recmeter::http
