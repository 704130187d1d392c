#include "integration/http/tls_caller.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::test {

namespace {

constexpr int patience_s = 20;

template <class Write>
void write_file(const std::string& path, Write&& write) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  RECMETER_CHECK(file != nullptr && write(file) == 1 && std::fclose(file) == 0, "the test cannot write its certificate");
}

}  // namespace

void make_certificate(const std::string& certificate_path, const std::string& key_path) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_EXTENSION* const names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
  X509_add_ext(certificate.get(), names, -1);
  X509_EXTENSION_free(names);
  RECMETER_CHECK(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "the test cannot sign its certificate");
  write_file(certificate_path, [&](std::FILE* file) { return PEM_write_X509(file, certificate.get()); });
  write_file(key_path,
             [&](std::FILE* file) { return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

TlsCaller::TlsCaller(std::uint16_t port, const std::string& certificate_path, int version_max)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), context_(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  RECMETER_CHECK(::connect(socket_, generic, sizeof address) == 0, "the server of the test does not listen");
  const timeval patience{.tv_sec = patience_s, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);

  SSL_CTX_set_security_level(context_.get(), 0);  // what is refused is refused by the server
  SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(context_.get(), version_max);
  SSL_CTX_load_verify_locations(context_.get(), certificate_path.c_str(), nullptr);
  SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
  ssl_.reset(SSL_new(context_.get()));
  SSL_set1_host(ssl_.get(), "localhost");
  constexpr std::array<unsigned char, 12> protocols{2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  SSL_set_alpn_protos(ssl_.get(), protocols.data(), protocols.size());
  SSL_set_fd(ssl_.get(), socket_);
  is_connected_ = SSL_connect(ssl_.get()) == 1;
}

TlsCaller::~TlsCaller() {
  ::close(socket_);
}

std::string TlsCaller::protocol() const {
  const unsigned char* name = nullptr;
  unsigned int length = 0;
  SSL_get0_alpn_selected(ssl_.get(), &name, &length);
  return {reinterpret_cast<const char*>(name), length};
}

bool TlsCaller::send(std::string_view text) {
  return SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())) == static_cast<int>(text.size());
}

std::string TlsCaller::read_until(std::string_view mark) {
  std::array<char, 16384> bytes{};
  while (in_.find(mark) == std::string::npos) {
    const int got = SSL_read(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (got <= 0) return std::exchange(in_, {});
    in_.append(bytes.data(), static_cast<std::size_t>(got));
  }
  std::string text = in_.substr(0, in_.find(mark) + mark.size());
  in_.erase(0, text.size());
  return text;
}

}  // namespace recmeter::test
