#include "http/tls_context.h"

#include <openssl/ssl.h>

#include <cstring>
#include <string>
#include <string_view>

namespace recmeter::http {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

// A client that offers application protocols is told HTTP/1.1, whatever it offers; one that offers none is not asked.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
  static constexpr unsigned char mine[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* out = nullptr;
  const int found = SSL_select_next_proto(&out, length, mine, sizeof mine, offered, offered_length);
  *chosen = out;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

tl::unexpected<Error> unusable(std::string_view what, const std::string& path, const error_code& error) {
  return failure(Errc::config_invalid, "http: the " + std::string(what) + " " + path + " cannot be used: " + error.message() +
                                           ". It has to be a readable PEM file, without passphrase");
}

}  // namespace

Result<std::unique_ptr<ssl::context>> make_tls_context(const ServerOptions& options) {
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return failure(Errc::config_invalid, "http: TLS needs a certificate and a key; one of the two files is not named");
  }
  if (options.certificate_file.empty()) return std::unique_ptr<ssl::context>();
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const handle = context->native_handle();
  SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  SSL_CTX_set_options(handle, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_cipher_list(handle, "ECDHE+AESGCM:ECDHE+CHACHA20");  // of TLS 1.2; those of 1.3 are all of this kind
  SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS);              // most connections are idle most of the time
  SSL_CTX_set_session_cache_mode(handle, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(handle, &choose_protocol, nullptr);
  // A key with a passphrase is refused: there is nobody to ask.
  SSL_CTX_set_default_passwd_cb(handle, [](char*, int, int, void*) { return 0; });

  error_code error;
  context->use_certificate_chain_file(options.certificate_file, error);
  if (error) return unusable("certificate", options.certificate_file, error);
  context->use_private_key_file(options.key_file, ssl::context::pem, error);
  if (error) return unusable("key", options.key_file, error);
  if (SSL_CTX_check_private_key(handle) != 1) {
    return failure(Errc::config_invalid,
                   "http: the key " + options.key_file + " does not belong to the certificate " + options.certificate_file);
  }
  return context;
}

}  // namespace recmeter::http
