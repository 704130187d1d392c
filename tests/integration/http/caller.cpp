#include "integration/http/caller.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::test {

namespace {

constexpr int patience_ms = 20'000;

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; });
  return text;
}

Answer read_head(const std::string& head) {
  Answer answer;
  answer.head = head;
  if (head.size() < 12 || !head.starts_with("HTTP/1.1 ")) return answer;
  std::from_chars(head.data() + 9, head.data() + 12, answer.status);
  for (std::size_t begin = head.find("\r\n") + 2; begin < head.size() - 2;) {
    const std::size_t end = head.find("\r\n", begin);
    const std::size_t colon = head.find(": ", begin);
    answer.fields[in_small_letters(head.substr(begin, colon - begin))] = head.substr(colon + 2, end - colon - 2);
    begin = end + 2;
  }
  return answer;
}

}  // namespace

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

bool is_patience_over(std::int64_t since_ms) {
  return now_ms() - since_ms > patience_ms;
}

void let_others_run() {
  ::poll(nullptr, 0, 1);
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

Caller::Caller(std::uint16_t port, int receive_buffer) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  RECMETER_CHECK(socket_ >= 0, "no socket for the test");
  if (receive_buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  RECMETER_CHECK(::connect(socket_, generic, sizeof address) == 0, "the server of the test does not listen");
}

Caller::Caller(Caller&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), is_ended_(other.is_ended_), in_(std::move(other.in_)) {}

Caller::~Caller() {
  if (socket_ >= 0) ::close(socket_);
}

bool Caller::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Caller::get(std::string_view target, std::string_view fields) const {
  return send("GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) + "\r\n");
}

bool Caller::fill() {
  if (is_ended_) return false;
  pollfd ready{.fd = socket_, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, patience_ms) != 1) return false;
  std::array<char, 65536> bytes{};
  const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (got <= 0) {
    is_ended_ = true;
    return false;
  }
  in_.append(bytes.data(), static_cast<std::size_t>(got));
  return true;
}

std::string Caller::read_until(std::string_view mark) {
  std::size_t looked_at = 0;
  std::size_t found = std::string::npos;
  while ((found = in_.find(mark, looked_at)) == std::string::npos) {
    looked_at = in_.size() < mark.size() ? 0 : in_.size() - mark.size() + 1;
    if (!fill()) return std::exchange(in_, {});
  }
  std::string text = in_.substr(0, found + mark.size());
  in_.erase(0, text.size());
  return text;
}

std::optional<std::string> Caller::read_to_end() {
  while (fill()) {
  }
  if (!is_ended_) return std::nullopt;
  return std::exchange(in_, {});
}

Answer Caller::answer(bool is_to_head) {
  const std::string head = read_until("\r\n\r\n");
  if (!head.ends_with("\r\n\r\n")) return {};
  Answer answer = read_head(head);
  const auto length = answer.fields.find("content-length");
  if (is_to_head || length == answer.fields.end()) return answer;
  std::size_t bytes = 0;
  std::from_chars(length->second.data(), length->second.data() + length->second.size(), bytes);
  while (in_.size() < bytes && fill()) {
  }
  answer.body = in_.substr(0, bytes);
  in_.erase(0, bytes);
  return answer;
}

}  // namespace recmeter::test
