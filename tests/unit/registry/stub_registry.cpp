#include "unit/registry/stub_registry.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recmeter/base/check.h"

namespace recmeter::test {

StubRegistry::StubRegistry() : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  RECMETER_CHECK(::bind(listening_, any, size) == 0 && ::listen(listening_, 16) == 0, "a port");
  RECMETER_CHECK(::getsockname(listening_, any, &size) == 0, "its number");
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { serve(); });
}

StubRegistry::~StubRegistry() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  ::shutdown(listening_, SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : answering_) thread.join();
  ::close(listening_);
}

void StubRegistry::answer(const std::string& path, std::vector<StubAnswer> answers) {
  const std::scoped_lock lock(mutex_);
  answers_[path] = std::move(answers);
}

void StubRegistry::add_schema(const std::string& path, const std::string& schema, const std::string& type,
                              const std::string& references) {
  nlohmann::json body{{"schema", schema}, {"references", nlohmann::json::parse(references)}};
  if (type != "AVRO") body["schemaType"] = type;
  answer(path, {{200, body.dump()}});
}

void StubRegistry::wait_for(const std::string& path, std::size_t times) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return asked_[path] >= times; });
}

std::string StubRegistry::last_request() {
  const std::scoped_lock lock(mutex_);
  return last_request_;
}

std::size_t StubRegistry::side_by_side() {
  const std::scoped_lock lock(mutex_);
  return open_max_;
}

std::size_t StubRegistry::asked() {
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [path, times] : asked_) count += times;
  return count;
}

void StubRegistry::wait_for_open(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return open_ >= count; });
}

void StubRegistry::hold(bool is_held) {
  const std::scoped_lock lock(mutex_);
  is_held_ = is_held;
  changed_.notify_all();
}

void StubRegistry::serve() {
  for (int client = 0; (client = ::accept(listening_, nullptr, nullptr)) >= 0;) {
    answering_.emplace_back([this, client] { serve(client); });
  }
}

// One question; the connection ends behind it.
void StubRegistry::serve(int client) {
  std::string request(64 << 10, '\0');
  std::size_t size = 0;
  while (request.find("\r\n\r\n") == std::string::npos) {
    const auto got = ::recv(client, request.data() + size, request.size() - size, 0);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  request.resize(size);
  const std::string path = request.substr(std::min<std::size_t>(4, size), request.find(" HTTP/") - 4);
  StubAnswer answer{404, R"({"error_code":404,"message":"HTTP 404 Not Found"})"};
  {
    std::unique_lock lock(mutex_);
    last_request_ = request;
    const std::size_t times = asked_[path]++;
    open_max_ = std::max(open_max_, ++open_);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_held_ || ends_; });
    if (const auto known = answers_.find(path); known != answers_.end()) {
      answer = known->second[std::min(times, known->second.size() - 1)];
    }
    --open_;
  }
  std::string reply = "HTTP/1.1 " + std::to_string(answer.status) +
                      " X\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\nConnection: close\r\n\r\n" +
                      answer.body;
  if (answer.is_cut) reply.resize(reply.size() - answer.body.size() / 2);
  (void)::send(client, reply.data(), reply.size(), MSG_NOSIGNAL);
  ::shutdown(client, SHUT_RDWR);
  ::close(client);
}

}  // namespace recmeter::test
