// TlsCaller: a client over TLS, and certificates for the server it talks to.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace recmeter::test {

// Writes a new self-signed certificate for localhost and its key, as PEM.
void make_certificate(const std::string& certificate_path, const std::string& key_path);

class TlsCaller {
 public:
  // Trusts the certificate of that file only. `version_max`: TLS1_2_VERSION ..., 0: any.
  TlsCaller(std::uint16_t port, const std::string& certificate_path, int version_max = 0);
  TlsCaller(const TlsCaller&) = delete;
  TlsCaller& operator=(const TlsCaller&) = delete;
  ~TlsCaller();

  // Whether both agreed on how to talk.
  [[nodiscard]] bool is_connected() const { return is_connected_; }
  [[nodiscard]] std::string version() const { return SSL_get_version(ssl_.get()); }
  [[nodiscard]] std::string protocol() const;  // by ALPN
  [[nodiscard]] bool send(std::string_view text);
  // What comes until `mark` has come, the mark included; everything so far if the server ends before.
  std::string read_until(std::string_view mark);

 private:
  int socket_ = -1;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl_{nullptr, &SSL_free};
  bool is_connected_ = false;
  std::string in_;
};

}  // namespace recmeter::test
