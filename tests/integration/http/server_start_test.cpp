// Where a Server starts, where it refuses to, and that nothing of it is left.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "recmeter/http/server.h"
#include "unit/file/scratch.h"

namespace recmeter::http {
namespace {

using test::Caller;
using test::eventually;
using test::open_descriptors;

Result<std::unique_ptr<Server>> start(ServerOptions options) {
  static test::ScriptedHandler handler;
  return Server::start(std::move(options), handler);
}

TEST(ServerStart, says_where_it_listens) {
  const auto server = start({.listen = "localhost:0"});
  ASSERT_TRUE(server);
  EXPECT_NE((*server)->port(), 0);
  EXPECT_EQ((*server)->address(), "127.0.0.1:" + std::to_string((*server)->port()));
  EXPECT_EQ((*server)->url(), "http://" + (*server)->address());
}

TEST(ServerStart, listens_on_ipv6) {
  const auto server = start({.listen = "[::1]:0"});
  if (!server) GTEST_SKIP() << "no IPv6 here: " << server.error().context;
  EXPECT_EQ((*server)->url(), "http://[::1]:" + std::to_string((*server)->port()));
}

TEST(ServerStart, refuses_addresses_that_are_none) {
  for (const std::string wrong :
       {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:80x", "127.0.0.1:-1", "::1:8080",
        "[::1]", "[127.0.0.1]:80", "example.com:80", "*:80", "127.1:80"}) {
    const auto server = start({.listen = wrong});
    ASSERT_FALSE(server) << wrong;
    EXPECT_EQ(server.error().code, Errc::config_invalid) << wrong;
  }
}

TEST(ServerStart, refuses_what_others_can_reach_unless_it_is_protected_or_forced) {
  // An address for documentation, which no machine has: what is let through fails to bind.
  const std::string elsewhere = "192.0.2.1:0";
  for (const std::string& open :
       {elsewhere, std::string("0.0.0.0:0"), std::string("[::]:0"), std::string("[::ffff:192.0.2.1]:0")}) {
    const auto server = start({.listen = open});
    ASSERT_FALSE(server) << open;
    EXPECT_EQ(server.error().code, Errc::config_invalid);
    EXPECT_NE(server.error().context.find(open), std::string::npos);
    EXPECT_NE(server.error().context.find("token"), std::string::npos);
  }
  EXPECT_EQ(start({.listen = elsewhere, .force = true}).error().code, Errc::output_failed);
  EXPECT_EQ(start({.listen = elsewhere, .token = "0123456789abcdef"}).error().code, Errc::output_failed);
}

TEST(ServerStart, says_when_the_address_is_taken) {
  const auto first = start({.listen = "127.0.0.1:0"});
  ASSERT_TRUE(first);
  const auto second = start({.listen = (*first)->address()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::output_failed);
  EXPECT_NE(second.error().context.find((*first)->address()), std::string::npos);
}

TEST(ServerStart, refuses_limits_that_let_nothing_through) {
  ServerOptions options{.listen = "127.0.0.1:0"};
  options.limits.connections_max = 0;
  EXPECT_EQ(start(options).error().code, Errc::config_invalid);
  options = {.listen = "127.0.0.1:0"};
  options.limits.heartbeat = std::chrono::milliseconds(0);
  EXPECT_EQ(start(options).error().code, Errc::config_invalid);
  options = {.listen = "127.0.0.1:0"};
  options.limits.stream_bytes_max = 1024;
  EXPECT_EQ(start(options).error().code, Errc::config_invalid);
}

TEST(ServerStart, leaves_nothing_open_when_it_stops) {
  {
    const auto warm_up = start({.listen = "127.0.0.1:0"});
  }
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 3; ++round) {
    auto ring = std::make_shared<EventRing>(1, EventRing::Bounds{});
    test::ScriptedHandler handler(ring);
    auto server = Server::start({.listen = "127.0.0.1:0", .events = ring}, handler);
    ASSERT_TRUE(server);
    const std::uint16_t port = (*server)->port();
    Caller idle(port);
    Caller half(port);
    half.send("GET /te");
    Caller stream(port);
    stream.get("/stream");
    stream.read_until("event: snapshot");
    Caller lazy(port);
    for (int i = 0; i < 8; ++i) lazy.get("/large");
    ASSERT_TRUE(eventually([&] { return (*server)->counts().connections_now == 4; }));
    (*server)->stop();
    (*server)->stop();
    EXPECT_EQ((*server)->counts().connections_now, 0U);
    EXPECT_EQ((*server)->counts().streams_now, 0U);
    ring->append("row", "nobody hears it");
    EXPECT_TRUE(idle.is_closed());
    EXPECT_TRUE(stream.read_to_end().has_value());
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST(ServerStart, serves_a_ring_after_another_server_did) {
  auto ring = std::make_shared<EventRing>(1, EventRing::Bounds{});
  test::ScriptedHandler handler(ring);
  for (int round = 0; round < 2; ++round) {
    auto server = Server::start({.listen = "127.0.0.1:0", .events = ring}, handler);
    ASSERT_TRUE(server);
    Caller client((*server)->port());
    client.get("/stream");
    client.read_until("event: snapshot");
    ring->append("row", "round " + std::to_string(round));
    EXPECT_NE(client.read_until("round " + std::to_string(round)).find("event: row"), std::string::npos);
    ring->append("row", "in between");
  }
}

}  // namespace
}  // namespace recmeter::http
