#include "process/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "recmeter/base/read_number.h"

namespace recmeter::process {

namespace {

struct SocketAddress {
  sockaddr_storage bytes = {};
  socklen_t size = 0;
};

std::optional<SocketAddress> unix_address(std::string_view path) {
  SocketAddress out;
  auto* const address = reinterpret_cast<sockaddr_un*>(&out.bytes);
  if (path.empty() || path.size() >= sizeof address->sun_path) return std::nullopt;
  address->sun_family = AF_UNIX;
  std::memcpy(address->sun_path, path.data(), path.size());
  out.size = sizeof(sockaddr_un);
  return out;
}

std::optional<SocketAddress> tcp_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view host = text.substr(0, colon);
  const auto port = read_number<std::uint16_t>(text.substr(colon + 1));
  if (!port || *port == 0) return std::nullopt;
  SocketAddress out;
  if (host == "127.0.0.1" || host == "localhost") {
    auto* const address = reinterpret_cast<sockaddr_in*>(&out.bytes);
    address->sin_family = AF_INET;
    address->sin_port = htons(*port);
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    out.size = sizeof(sockaddr_in);
  } else if (host == "[::1]") {
    auto* const address = reinterpret_cast<sockaddr_in6*>(&out.bytes);
    address->sin6_family = AF_INET6;
    address->sin6_port = htons(*port);
    address->sin6_addr = in6addr_loopback;
    out.size = sizeof(sockaddr_in6);
  } else {
    return std::nullopt;
  }
  return out;
}

std::optional<SocketAddress> address_of(std::string_view text) {
  if (text.starts_with("unix:")) return unix_address(text.substr(5));
  if (text.starts_with("tcp:")) return tcp_address(text.substr(4));
  return std::nullopt;
}

}  // namespace

Result<Descriptor> connect_to(const std::string& address) {
  const auto to = address_of(address);
  if (!to) {
    return failure(Errc::config_invalid,
                   address + " is not an address of this machine; write unix:PATH or tcp:127.0.0.1:PORT");
  }
  Descriptor socket(::socket(to->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open() || ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&to->bytes), to->size) != 0) {
    return failure(Errc::input_missing, fmt::format("nobody answers at {} ({}); start the recommender there first", address,
                                                    std::strerror(errno)));
  }
  return socket;
}

}  // namespace recmeter::process
