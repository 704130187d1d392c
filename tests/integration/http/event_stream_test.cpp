// Server-sent events as a browser gets them.
#include <gtest/gtest.h>

#include <string>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "recmeter/http/server.h"

namespace recmeter::http {
namespace {

using std::chrono::milliseconds;
using test::Answer;
using test::Caller;
using test::eventually;

class EventStream : public testing::Test {
 protected:
  void start(const Limits& limits = {}, EventRing::Bounds bounds = {}) {
    ring = std::make_shared<EventRing>(0xabc, bounds);
    handler = std::make_unique<test::ScriptedHandler>(ring);
    auto started = Server::start({.listen = "127.0.0.1:0", .limits = limits, .events = ring}, *handler);
    ASSERT_TRUE(started) << started.error().context;
    server = std::move(*started);
  }
  [[nodiscard]] Caller stream(const std::string& fields = "", int receive_buffer = 0) const {
    Caller client(server->port(), receive_buffer);
    client.get("/stream", "Accept: text/event-stream\r\n" + fields);
    return client;
  }
  // Events [from, to), with their number as data, followed by `text`.
  void append(int from, int to, const std::string& text = "x") const {
    for (int i = from; i < to; ++i) ring->append("row", std::to_string(i) + text);
  }

  std::shared_ptr<EventRing> ring;
  std::unique_ptr<test::ScriptedHandler> handler;
  std::unique_ptr<Server> server;
};

TEST_F(EventStream, begins_with_the_snapshot_and_goes_on_with_events) {
  start();
  Caller client = stream();
  const Answer answer = client.answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.fields.at("content-type"), "text/event-stream");
  EXPECT_EQ(answer.fields.at("x-accel-buffering"), "no");
  EXPECT_EQ(answer.fields.at("cache-control"), "no-store");
  EXPECT_EQ(client.read_until("\n\n"), "retry: 2000\n\n");
  EXPECT_EQ(client.read_until("\n\n"), "id: abc-0\nevent: snapshot\ndata: {\"whole\":0}\n\n");
  append(1, 4);
  for (int i = 1; i < 4; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(client.read_until("\n\n"), "id: abc-" + n + "\nevent: row\ndata: " + n + "x\n\n");
  }
  EXPECT_EQ(server->counts().streams_now, 1U);
  EXPECT_EQ(server->counts().gaps, 0U);
}

TEST_F(EventStream, resumes_after_the_last_id) {
  start();
  {
    Caller before = stream();
    append(1, 6);
    before.read_until("data: 5x\n\n");
  }
  Caller client = stream("Last-Event-ID: abc-3\r\n");
  client.answer();
  EXPECT_EQ(client.read_until("data: 5x\n\n"),
            "retry: 2000\n\nid: abc-4\nevent: row\ndata: 4x\n\nid: abc-5\nevent: row\ndata: 5x\n\n");
}

TEST_F(EventStream, tells_a_gap_where_it_cannot_resume) {
  start({}, {.events_max = 3});
  {
    Caller before = stream();
    for (int i = 1; i < 8; ++i) {  // one by one, so that none is lost in the box
      append(i, i + 1);
      before.read_until("data: " + std::to_string(i) + "x\n\n");
    }
  }
  handler->renew_snapshot("{\"whole\":7}");
  for (const std::string id : {"abc-2", "abc-9", "abd-6", "x"}) {
    Caller client = stream("Last-Event-ID: " + id + "\r\n");
    client.answer();
    EXPECT_EQ(client.read_until("{\"whole\":7}\n\n"),
              "retry: 2000\n\nevent: gap\ndata: {}\n\nid: abc-7\nevent: snapshot\ndata: {\"whole\":7}\n\n");
  }
  EXPECT_EQ(server->counts().gaps, 4U);
}

TEST_F(EventStream, to_head_is_its_head_alone) {
  start();
  Caller client(server->port());
  client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.answer(true).fields.at("content-type"), "text/event-stream");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(server->counts().streams, 0U);
}

TEST_F(EventStream, beats_when_nothing_happens) {
  Limits limits;
  limits.heartbeat = milliseconds(100);
  start(limits);
  Caller client = stream();
  client.read_until("{\"whole\":0}\n\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.read_until("\n\n"), ":\n\n");
}

TEST_F(EventStream, ends_with_its_client) {
  start();
  {
    Caller client = stream();
    client.read_until("{\"whole\":0}\n\n");
    EXPECT_EQ(server->counts().streams_now, 1U);
  }
  EXPECT_TRUE(eventually([&] { return server->counts().connections_now == 0; }));
  EXPECT_EQ(server->counts().streams_now, 0U);
}

TEST_F(EventStream, is_not_for_talking) {
  start();
  Caller client = stream();
  client.read_until("{\"whole\":0}\n\n");
  const std::string noise(20'000, 'x');
  EXPECT_TRUE(eventually([&] {
    client.send(noise);
    return server->counts().streams_now == 0;
  }));
}

// A client that does not read for a while is told what it has missed, when it reads again.
TEST_F(EventStream, who_lags_behind_the_ring_gets_a_gap_and_a_new_snapshot) {
  start({}, {.events_max = 20});
  Caller lazy = stream("", 4096);
  lazy.read_until("{\"whole\":0}\n\n");
  Caller keen = stream();
  const std::string filler(4000, '.');
  constexpr int count = 300;
  for (int i = 1; i <= count; ++i) {
    append(i, i + 1, filler);
    keen.read_until("data: " + std::to_string(i) + ".");
  }
  handler->renew_snapshot("{\"whole\":1}");
  EXPECT_EQ(server->counts().gaps, 0U);  // nobody is told before it can be written to
  append(count + 1, count + 2, filler);
  const std::string seen = lazy.read_until("data: " + std::to_string(count + 1) + ".");
  const std::size_t gap = seen.find("event: gap\ndata: {}\n\nid: abc-300\n");
  ASSERT_NE(gap, std::string::npos);
  EXPECT_NE(seen.find("event: snapshot\ndata: {\"whole\":1}\n\n", gap), std::string::npos);
  // Before the gap no event is missing, and less is kept for it than was sent.
  int next = 1;
  for (std::size_t at = seen.find("event: row\ndata: "); at < gap; at = seen.find("event: row\ndata: ", at + 1)) {
    EXPECT_EQ(seen.substr(at + 17, std::to_string(next).size()), std::to_string(next));
    ++next;
  }
  EXPECT_LT(next, count / 2);
  EXPECT_EQ(server->counts().gaps, 1U);
}

TEST_F(EventStream, who_takes_nothing_is_closed_even_where_the_system_has_room) {
  Limits limits;
  limits.write = milliseconds(400);
  limits.heartbeat = milliseconds(50);
  start(limits);
  Caller lazy = stream("", 4096);
  lazy.read_until("{\"whole\":0}\n\n");
  Caller keen = stream();
  append(1, 3, std::string(8000, '.'));  // more than the client's window, less than the server's buffer
  EXPECT_NE(keen.read_until("data: 2.").find("data: 1."), std::string::npos);
  EXPECT_TRUE(eventually([&] {
    keen.read_until(":\n\n");
    return server->counts().slow_closed == 1;
  }));
  EXPECT_EQ(server->counts().streams_now, 1U);
}

}  // namespace
}  // namespace recmeter::http
