// The client against the server, and against servers that no client should have to meet.
#include "recmeter/http/get.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "integration/http/tls_caller.h"
#include "recmeter/base/check.h"
#include "recmeter/http/server.h"
#include "unit/file/scratch.h"

namespace recmeter::http {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<Server> start(ServerOptions options, Handler& handler) {
  options.listen = "127.0.0.1:0";
  auto started = Server::start(std::move(options), handler);
  RECMETER_CHECK(started.has_value(), "the server of the test does not start");
  return std::move(*started);
}

// A server that takes one connection, says what it was made with, and then waits to be closed or closes.
class OneAnswer {
 public:
  OneAnswer(std::string answer, bool closes) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    RECMETER_CHECK(::bind(listener_, generic, length) == 0 && ::listen(listener_, 1) == 0 &&
                       ::getsockname(listener_, generic, &length) == 0,
                   "no listener for the test");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, answer = std::move(answer), closes] { serve(answer, closes); });
  }
  ~OneAnswer() {
    thread_.join();
    ::close(listener_);
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  [[nodiscard]] const std::string& asked() const { return asked_; }  // once the client is done

 private:
  void serve(const std::string& answer, bool closes) {
    const int client = ::accept(listener_, nullptr, nullptr);
    std::array<char, 4096> bytes{};
    ssize_t got = 1;
    while (got > 0 && !asked_.ends_with("\r\n\r\n")) {
      got = ::recv(client, bytes.data(), bytes.size(), 0);
      if (got > 0) asked_.append(bytes.data(), static_cast<std::size_t>(got));
    }
    ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    while (!closes && got > 0) got = ::recv(client, bytes.data(), bytes.size(), 0);
    ::close(client);
  }

  int listener_;
  std::uint16_t port_ = 0;
  std::string asked_;
  std::thread thread_;
};

TEST(Get, brings_what_the_server_has) {
  test::ScriptedHandler handler;
  const auto server = start({}, handler);
  const auto text = get(server->url() + "/text", {});
  ASSERT_TRUE(text) << text.error().context;
  EXPECT_EQ(text->status, 200);
  EXPECT_EQ(text->content_type, "text/plain");
  EXPECT_EQ(text->body, "hello");
  const auto large = get(server->url() + "/large", {});
  ASSERT_TRUE(large) << large.error().context;
  EXPECT_EQ(large->body.size(), std::size_t{1} << 20);
  const auto by_name = get("localhost:" + std::to_string(server->port()) + "/text?a=b%20c", {});
  ASSERT_TRUE(by_name) << by_name.error().context;
  EXPECT_EQ(by_name->body, "hello");
  EXPECT_EQ(handler.last_request().query.first("a"), "b c");
}

TEST(Get, hands_on_what_the_server_refuses) {
  test::ScriptedHandler handler;
  const auto server = start({}, handler);
  const auto missing = get(server->url() + "/nothing", {});
  ASSERT_TRUE(missing) << missing.error().context;
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(missing->content_type, "application/problem+json");
  EXPECT_NE(missing->body.find("There is no /nothing"), std::string::npos);
}

TEST(Get, brings_the_token_and_tells_it_nobody) {
  test::ScriptedHandler handler;
  const std::string token = "0123456789abcdef";
  const auto server = start({.token = token}, handler);
  EXPECT_EQ(get(server->url() + "/text", {})->status, 401);
  EXPECT_EQ(get(server->url() + "/text", {.token = token})->status, 200);
  for (const std::string unsound : {"secret\r\nX: y", "secret token"}) {
    const auto refused = get(server->url() + "/text", {.token = unsound});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::config_invalid);
    EXPECT_EQ(refused.error().context.find("secret"), std::string::npos);
  }
}

TEST(Get, says_who_it_is_and_wants_no_second_answer) {
  OneAnswer server("HTTP/1.1 204 No Content\r\n\r\n", true);
  const auto got = get(server.url() + "x?y=1", {});
  ASSERT_TRUE(got) << got.error().context;
  EXPECT_EQ(got->status, 204);
  EXPECT_TRUE(server.asked().starts_with("GET /x?y=1 HTTP/1.1\r\n"));
  EXPECT_NE(server.asked().find("Host: " + server.url().substr(7, server.url().size() - 8) + "\r\n"), std::string::npos);
  EXPECT_NE(server.asked().find("Connection: close\r\n"), std::string::npos);
  EXPECT_EQ(server.asked().find("Authorization"), std::string::npos);
}

TEST(Get, waits_no_longer_than_its_deadline) {
  for (const std::string silent : {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"}) {
    OneAnswer server(silent, false);
    const std::int64_t begin = test::now_ms();
    const auto got = get(server.url(), {.deadline = milliseconds(200)});
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Errc::input_unreadable);
    EXPECT_NE(got.error().context.find("no answer within 200 ms"), std::string::npos) << got.error().context;
    EXPECT_GE(test::now_ms() - begin, 200);
    EXPECT_FALSE(test::is_patience_over(begin));
  }
}

TEST(Get, ends_when_it_is_told_to) {
  OneAnswer server("", false);
  std::atomic<bool> stop = true;
  const auto got = get(server.url(), {.deadline = std::chrono::hours(1), .stop = &stop});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::interrupted);
  test::Caller(static_cast<std::uint16_t>(std::stoul(server.url().substr(17)))).send("\r\n\r\n");  // nobody came to it
}

TEST(Get, takes_no_more_than_it_was_allowed) {
  const std::string body(2000, 'x');
  for (const std::string& answer :
       {"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + body, "HTTP/1.1 200 OK\r\n\r\n" + body,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" + body + "\r\n0\r\n\r\n"}) {
    OneAnswer large(answer, true);
    const auto refused = get(large.url(), {.body_bytes_max = 1999});
    ASSERT_FALSE(refused) << answer;
    EXPECT_NE(refused.error().context.find("longer than 1999 bytes"), std::string::npos) << refused.error().context;
    OneAnswer again(answer, true);
    const auto taken = get(again.url(), {.body_bytes_max = 2000});
    ASSERT_TRUE(taken) << taken.error().context;
    EXPECT_EQ(taken->body, body);
  }
}

TEST(Get, refuses_answers_that_are_none) {
  for (const std::string& answer :
       {std::string("hello\r\n\r\n"), std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut"), std::string(),
        "HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n"}) {
    OneAnswer server(answer, true);
    const auto got = get(server.url(), {});
    ASSERT_FALSE(got) << answer.substr(0, 100);
    EXPECT_EQ(got.error().code, Errc::input_unreadable);
    EXPECT_NE(got.error().context.find("127.0.0.1:"), std::string::npos);
  }
}

TEST(Get, says_where_nobody_listens) {
  test::ScriptedHandler handler;
  auto server = start({}, handler);
  const std::string url = server->url();
  server.reset();
  const auto got = get(url, {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Errc::input_missing);
  EXPECT_TRUE(got.error().context.starts_with(url + ": cannot be reached")) << got.error().context;
}

TEST(GetOverTls, trusts_only_certificates_it_was_given_for_the_host_they_name) {
  test::Scratch scratch;
  const std::string certificate = scratch.path("certificate.pem");
  const std::string key = scratch.path("key.pem");
  test::make_certificate(certificate, key);
  test::ScriptedHandler handler;
  const auto server = start({.certificate_file = certificate, .key_file = key}, handler);
  const std::string by_name = "https://localhost:" + std::to_string(server->port()) + "/large";
  const auto trusted = get(by_name, {.ca_file = certificate});
  ASSERT_TRUE(trusted) << trusted.error().context;
  EXPECT_EQ(trusted->body.size(), std::size_t{1} << 20);
  const auto unknown = get(by_name, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::input_unreadable);
  EXPECT_NE(unknown.error().context.find("certificate"), std::string::npos) << unknown.error().context;
  EXPECT_FALSE(get(server->url() + "/text", {.ca_file = certificate}));  // an address, and the certificate names localhost
  EXPECT_EQ(get(by_name, {.ca_file = key}).error().code, Errc::config_invalid);
}

TEST(TokenFile, is_read_without_its_line_end) {
  const test::Scratch scratch;
  scratch.put("token", "0123456789abcdef\r\n");
  scratch.put("empty", "\n");
  EXPECT_EQ(*read_token_file(scratch.path("token")), "0123456789abcdef");
  EXPECT_EQ(read_token_file(scratch.path("empty")).error().code, Errc::config_invalid);
  EXPECT_EQ(read_token_file(scratch.path("nothing")).error().code, Errc::config_invalid);
}

}  // namespace
}  // namespace recmeter::http
