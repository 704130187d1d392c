#include "recmeter/http/url.h"

#include <cstdint>

#include "recmeter/base/read_number.h"

namespace recmeter::http {

namespace {

constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
constexpr std::size_t host_characters_max = 253;

tl::unexpected<Error> unusable(std::string_view text, std::string_view why) {
  return failure(Errc::config_invalid, "the URL " + std::string(text) + " cannot be asked: " + std::string(why) +
                                           ". Write it like http://127.0.0.1:8080 or https://host:8443/path");
}

bool is_port(std::string_view text) {
  return read_number<std::uint16_t>(text).value_or(0) > 0;
}

bool is_host(const std::string& host, bool is_bracketed) {
  if (host.empty() || host.size() > host_characters_max) return false;
  constexpr std::string_view of_v6 = "0123456789abcdefABCDEF:.%";
  return host.find_first_not_of(is_bracketed ? of_v6 : unreserved) == std::string::npos;
}

}  // namespace

std::string Url::authority() const {
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

Result<Url> parse_url(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c >= 0x7f || std::string_view("\"<>\\^`{|}#").find(c) != std::string_view::npos) {
      return unusable(text, "it has a character that does not belong there");
    }
  }
  Url url;
  std::string_view rest = text;
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) {
    url.is_tls = rest.substr(0, scheme) == "https";
    if (!url.is_tls && rest.substr(0, scheme) != "http") return unusable(text, "it is neither http nor https");
    rest.remove_prefix(scheme + 3);
  }
  const std::size_t slash = rest.find_first_of("/?");
  const std::string_view place = rest.substr(0, slash);
  if (slash != std::string_view::npos) url.target = rest.substr(slash);
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  if (place.find('@') != std::string_view::npos) return unusable(text, "it contains a user; put the token into a file");
  const bool is_bracketed = place.starts_with('[');
  const std::size_t host_end = is_bracketed ? place.find(']') : place.find(':');
  if (is_bracketed && host_end == std::string_view::npos) return unusable(text, "its bracket is not closed");
  url.host = place.substr(is_bracketed ? 1 : 0, host_end - (is_bracketed ? 1 : 0));
  const std::string_view behind =
      host_end == std::string_view::npos ? std::string_view() : place.substr(host_end + (is_bracketed ? 1 : 0));
  if (!is_host(url.host, is_bracketed)) return unusable(text, "it has no host");
  if (!behind.empty() && (behind.front() != ':' || !is_port(behind.substr(1)))) {
    return unusable(text, "its port is not a number from 1 to 65535");
  }
  const std::string_view usual_port = url.is_tls ? "443" : "80";
  url.port = behind.empty() ? usual_port : behind.substr(1);
  return url;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (unreserved.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

}  // namespace recmeter::http
