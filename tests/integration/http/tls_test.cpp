// The same over TLS.
#include <gtest/gtest.h>

#include <string>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "integration/http/tls_caller.h"
#include "recmeter/http/server.h"
#include "unit/file/scratch.h"

namespace recmeter::http {
namespace {

using std::chrono::milliseconds;
using test::Caller;
using test::eventually;
using test::open_descriptors;
using test::TlsCaller;

class Tls : public testing::Test {
 protected:
  Tls() { test::make_certificate(certificate, key); }
  void start(const Limits& limits = {}) {
    auto started = Server::start(
        {.listen = "127.0.0.1:0", .limits = limits, .certificate_file = certificate, .key_file = key, .events = ring},
        handler);
    ASSERT_TRUE(started) << started.error().context;
    server = std::move(*started);
  }
  [[nodiscard]] Errc refusal(const std::string& certificate_file, const std::string& key_file) {
    const auto started =
        Server::start({.listen = "127.0.0.1:0", .certificate_file = certificate_file, .key_file = key_file}, handler);
    EXPECT_FALSE(started) << certificate_file << " " << key_file;
    return started ? Errc::interrupted : started.error().code;
  }

  test::Scratch scratch;
  const std::string certificate = scratch.path("certificate.pem");
  const std::string key = scratch.path("key.pem");
  const std::shared_ptr<EventRing> ring = std::make_shared<EventRing>(0xabc, EventRing::Bounds{});
  test::ScriptedHandler handler{ring};
  std::unique_ptr<Server> server;
};

TEST_F(Tls, carries_requests_and_keeps_the_connection) {
  start();
  EXPECT_TRUE(server->url().starts_with("https://127.0.0.1:"));
  TlsCaller client(server->port(), certificate);
  ASSERT_TRUE(client.is_connected());
  EXPECT_EQ(client.protocol(), "http/1.1");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.send("GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    EXPECT_TRUE(client.read_until("hello").ends_with("hello"));
  }
  ASSERT_TRUE(client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  EXPECT_GT(client.read_until("x\"").size(), std::size_t{1} << 20);
  EXPECT_EQ(client.read_until("more"), "");
}

TEST_F(Tls, is_1_2_or_newer) {
  start();
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    EXPECT_FALSE(TlsCaller(server->port(), certificate, version).is_connected());
  }
  const TlsCaller older(server->port(), certificate, TLS1_2_VERSION);
  ASSERT_TRUE(older.is_connected());
  EXPECT_EQ(older.version(), "TLSv1.2");
  EXPECT_EQ(TlsCaller(server->port(), certificate).version(), "TLSv1.3");
}

TEST_F(Tls, who_does_not_speak_it_is_closed) {
  Limits limits;
  limits.header = milliseconds(300);
  start(limits);
  Caller plain(server->port());
  plain.get("/text");
  const auto said = plain.read_to_end();
  ASSERT_TRUE(said);
  EXPECT_EQ(said->find("HTTP"), std::string::npos);
  Caller silent(server->port());
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(eventually([&] { return server->counts().connections_now == 0; }));
}

TEST_F(Tls, carries_streams) {
  start();
  TlsCaller client(server->port(), certificate);
  ASSERT_TRUE(client.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_TRUE(client.read_until("{\"whole\":0}\n\n").starts_with("HTTP/1.1 200"));
  for (int i = 1; i <= 100; ++i) ring->append("row", std::to_string(i) + std::string(1000, '.'));
  const std::string seen = client.read_until("data: 100.");
  for (int i = 1; i <= 100; ++i) EXPECT_NE(seen.find("id: abc-" + std::to_string(i) + "\n"), std::string::npos) << i;
}

TEST_F(Tls, closes_streams_that_nobody_reads) {
  const std::size_t descriptors = open_descriptors();
  Limits limits;
  limits.write = milliseconds(800);
  start(limits);
  {
    TlsCaller lazy(server->port(), certificate);
    ASSERT_TRUE(lazy.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    lazy.read_until("{\"whole\":0}\n\n");
    const std::string filler(10'000, '.');
    EXPECT_TRUE(eventually([&] {
      if (ring->last_id() < 2000) ring->append("row", filler);
      return server->counts().slow_closed == 1;
    }));
    EXPECT_EQ(server->counts().streams_now, 0U);
  }
  server.reset();
  EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_F(Tls, wants_a_certificate_with_its_key) {
  const std::string other = scratch.path("other.pem");
  const std::string other_key = scratch.path("other_key.pem");
  test::make_certificate(other, other_key);
  EXPECT_EQ(refusal(certificate, ""), Errc::config_invalid);
  EXPECT_EQ(refusal("", key), Errc::config_invalid);
  EXPECT_EQ(refusal(certificate, other_key), Errc::config_invalid);
  EXPECT_EQ(refusal(scratch.path("absent"), key), Errc::config_invalid);
  EXPECT_EQ(refusal(certificate, scratch.path("absent")), Errc::config_invalid);
  EXPECT_EQ(refusal(scratch.put("noise", "noise"), key), Errc::config_invalid);
  EXPECT_EQ(refusal(key, certificate), Errc::config_invalid);
}

TEST_F(Tls, has_the_certificate_that_it_was_given_last) {
  start();
  TlsCaller before(server->port(), certificate);
  ASSERT_TRUE(before.is_connected());
  const std::string other = scratch.path("other.pem");
  const std::string other_key = scratch.path("other-key.pem");
  test::make_certificate(other, other_key);
  const ServerOptions wrong{.listen = "127.0.0.1:0", .certificate_file = other, .key_file = key};
  EXPECT_FALSE(server->reload(wrong)) << "the key is another certificate's";
  EXPECT_TRUE(TlsCaller(server->port(), certificate).is_connected()) << "it goes on with what it had";
  ASSERT_TRUE(server->reload({.listen = "127.0.0.1:0", .certificate_file = other, .key_file = other_key}));
  EXPECT_TRUE(eventually([&] { return TlsCaller(server->port(), other).is_connected(); }));
  EXPECT_FALSE(TlsCaller(server->port(), certificate).is_connected());
  ASSERT_TRUE(before.send("GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_TRUE(before.read_until("hello").ends_with("hello")) << "who is there stays";
}

}  // namespace
}  // namespace recmeter::http
