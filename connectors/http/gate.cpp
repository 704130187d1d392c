#include "http/gate.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <utility>

#include "recmeter/http/get.h"

namespace recmeter::http {

namespace {

constexpr std::size_t token_characters_min = 16;
constexpr std::size_t token_characters_max = 4096;
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=";

std::array<std::uint8_t, 32> digest_of(std::string_view text) {
  std::array<std::uint8_t, 32> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

Result<std::string> read_token(const ServerOptions& options) {
  if (options.token_file.empty()) return options.token;
  if (!options.token.empty()) {
    return failure(Errc::config_invalid, "http: there are a token and a token file; keep one of them");
  }
  return read_token_file(options.token_file);
}

// The password of Basic credentials: what a browser sends of what it asked its user for.
std::optional<std::string> basic_password(std::string_view base64) {
  if (base64.empty() || base64.size() % 4 != 0) return std::nullopt;
  std::string text(base64.size() / 4 * 3, '\0');
  const int bytes = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                    reinterpret_cast<const unsigned char*>(base64.data()), static_cast<int>(base64.size()));
  if (bytes < 0) return std::nullopt;
  const std::size_t padding = base64.ends_with("==") ? 2 : base64.ends_with('=') ? 1 : 0;
  text.resize(static_cast<std::size_t>(bytes) - padding);
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return text.substr(colon + 1);
}

Response unauthorized() {
  Response response =
      problem(401, "Unauthorized", "This server requires a token: Authorization: Bearer TOKEN, or TOKEN as password.");
  response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"recmeter\"");
  response.headers.emplace_back("WWW-Authenticate", "Basic realm=\"recmeter\", charset=\"UTF-8\"");
  return response;
}

bool is_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

Result<Gate> Gate::make(const ServerOptions& options, bool is_private) {
  auto token = read_token(options);
  if (!token) return tl::unexpected(std::move(token).error());
  Gate gate;
  if (!token->empty()) {
    const bool is_sound = token->size() >= token_characters_min && token->size() <= token_characters_max &&
                          token->find_first_not_of(letters) == std::string::npos;
    if (is_sound) gate.digest_ = digest_of(*token);
    OPENSSL_cleanse(token->data(), token->size());
    if (!is_sound) {
      return failure(Errc::config_invalid,
                     "http: the token needs 16 characters or more, of letters, digits and -._~+/=. Make one by "
                     "`openssl rand -hex 32`");
    }
  }
  gate.checks_host_ = is_private && !gate.digest_;
  gate.hosts_ = options.hosts;
  gate.body_bytes_max_ = options.limits.body_bytes_max;
  return gate;
}

bool Gate::is_authorized(std::string_view authorization) const {
  const std::size_t blank = std::min(authorization.find(' '), authorization.size());
  const std::string_view scheme = authorization.substr(0, blank);
  const std::string_view credentials = authorization.substr(std::min(blank + 1, authorization.size()));
  std::string given(credentials);
  if (boost::beast::iequals(scheme, "Basic")) {
    given = basic_password(credentials).value_or("");
  } else if (!boost::beast::iequals(scheme, "Bearer")) {
    return false;
  }
  const Digest digest = digest_of(given);
  OPENSSL_cleanse(given.data(), given.size());
  return CRYPTO_memcmp(digest.data(), digest_->data(), digest.size()) == 0;
}

bool Gate::is_own_name(std::string_view host) const {
  if (host.empty()) return true;  // HTTP/1.0: no browser
  const std::size_t end = host.starts_with('[') ? host.find(']') : host.find(':');
  const std::string_view name = host.starts_with('[') ? host : host.substr(0, std::min(end, host.size()));
  return is_address(name) || boost::beast::iequals(name, "localhost") ||
         std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& one) { return boost::beast::iequals(name, one); });
}

std::optional<Response> Gate::refusal(const RequestHead& head) const {
  if (checks_host_ && !is_own_name(head.host)) {
    return problem(421, "Misdirected Request",
                   "Without a token this server answers only if Host is an IP address or localhost, so that pages of other "
                   "sites cannot read it. Use its address, or add the name to publish.http.hosts.");
  }
  if (digest_ && !is_authorized(head.authorization)) return unauthorized();
  if (head.method != "GET" && head.method != "HEAD") {
    Response response = problem(405, "Method Not Allowed", "This server is read-only: use GET or HEAD.");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  if (head.is_chunked)
    return problem(411, "Length Required", "A request with a body needs a Content-Length; better send no body.");
  if (head.content_length > body_bytes_max_) {
    return problem(413, "Content Too Large", "The request's body is too large; this server needs none.");
  }
  if (head.has_expectation) return problem(417, "Expectation Failed", "This server does not support the Expect header.");
  return std::nullopt;
}

}  // namespace recmeter::http
