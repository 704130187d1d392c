// Each limit of a Server: what it costs the client that goes beyond it, and nobody else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "recmeter/http/server.h"
#include "support/effort.h"

namespace recmeter::http {
namespace {

using std::chrono::milliseconds;
using test::Answer;
using test::Caller;
using test::eventually;
using test::now_ms;

class ServerLimits : public testing::Test {
 protected:
  void start(const Limits& limits) {
    const auto tell = [this](Notice, std::string_view text) {
      const std::lock_guard lock(mutex);
      told.emplace_back(text);
    };
    auto started = Server::start({.listen = "127.0.0.1:0", .limits = limits, .tell = tell}, handler);
    ASSERT_TRUE(started) << started.error().context;
    server = std::move(*started);
  }
  [[nodiscard]] Caller caller(int receive_buffer = 0) const { return Caller(server->port(), receive_buffer); }
  [[nodiscard]] bool is_served() const {
    Caller client = caller();
    client.get("/text");
    return client.answer().body == "hello";
  }

  test::ScriptedHandler handler;
  std::mutex mutex;
  std::vector<std::string> told;
  std::unique_ptr<Server> server;
};

TEST_F(ServerLimits, a_header_that_does_not_end_is_closed) {
  Limits limits;
  limits.header = milliseconds(200);
  start(limits);
  Caller slow = caller();
  slow.send("GET /text HTTP/1.1\r\n");
  EXPECT_TRUE(slow.is_closed());
  EXPECT_EQ(server->counts().timed_out, 1U);
  EXPECT_TRUE(is_served());
}

TEST_F(ServerLimits, bytes_one_by_one_do_not_extend_a_headers_time) {
  Limits limits;
  limits.header = milliseconds(200);
  start(limits);
  Caller slow = caller();
  const std::int64_t begin = now_ms();
  slow.send("GET /text HTTP/1.1\r\nA: ");
  std::size_t sent = 0;
  EXPECT_TRUE(eventually([&] {
    if (sent < 7000 && slow.send("a")) ++sent;
    return server->counts().timed_out == 1;
  }));
  EXPECT_GE(now_ms() - begin, 150);
  EXPECT_LT(now_ms() - begin, 5000);  // the bytes last for seven seconds
}

TEST_F(ServerLimits, a_second_request_has_its_time_from_its_first_byte) {
  Limits limits;
  limits.header = milliseconds(300);
  start(limits);
  Caller client = caller();
  client.get("/text");
  EXPECT_EQ(client.answer().body, "hello");
  client.send("GET /te");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(server->counts().timed_out, 1U);
}

TEST_F(ServerLimits, a_body_that_does_not_come_is_closed) {
  Limits limits;
  limits.body = milliseconds(200);
  start(limits);
  Caller slow = caller();
  slow.get("/text", "Content-Length: 10\r\n");
  EXPECT_TRUE(slow.is_closed());
  EXPECT_EQ(server->counts().timed_out, 1U);
}

TEST_F(ServerLimits, who_says_nothing_is_closed) {
  Limits limits;
  limits.header = limits.idle = milliseconds(200);
  start(limits);
  Caller silent = caller();
  EXPECT_TRUE(silent.is_closed());
  Caller idle = caller();
  idle.get("/text");
  EXPECT_EQ(idle.answer().body, "hello");
  EXPECT_TRUE(idle.is_closed());
  EXPECT_EQ(server->counts().timed_out, 0U);
}

TEST_F(ServerLimits, connections_beyond_the_limit_get_503_until_there_is_room) {
  Limits limits;
  limits.connections_max = 3;
  start(limits);
  auto clients = std::make_unique<std::vector<Caller>>();
  for (int i = 0; i < 3; ++i) {
    clients->push_back(caller());
    clients->back().get("/text");
    EXPECT_EQ(clients->back().answer().status, 200);
  }
  Caller refused = caller();
  const Answer answer = refused.answer();
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.fields.at("content-type"), "application/problem+json");
  EXPECT_EQ(answer.fields.count("retry-after"), 1U);
  EXPECT_TRUE(refused.is_closed());
  EXPECT_EQ(server->counts().connections_refused, 1U);
  EXPECT_EQ(server->counts().connections_now, 3U);
  clients.reset();
  ASSERT_TRUE(eventually([&] { return server->counts().connections_now == 0; }));
  EXPECT_TRUE(is_served());
}

TEST_F(ServerLimits, one_peer_has_a_limit_of_its_own) {
  Limits limits;
  limits.peer_connections_max = 2;
  start(limits);
  {
    const Caller one = caller();
    const Caller two = caller();
    ASSERT_TRUE(eventually([&] { return server->counts().connections_now == 2; }));
    Caller three = caller();
    EXPECT_EQ(three.answer().status, 503);
  }
  ASSERT_TRUE(eventually([&] { return server->counts().connections_now == 0; }));
  EXPECT_TRUE(is_served());
}

TEST_F(ServerLimits, header_fields_are_counted) {
  Limits limits;
  limits.fields_max = 3;
  start(limits);
  Caller client = caller();
  client.get("/text", "A: 1\r\nB: 2\r\n");
  EXPECT_EQ(client.answer().status, 200);
  client.get("/text", "A: 1\r\nB: 2\r\nC: 3\r\n");
  EXPECT_EQ(client.answer().status, 431);
}

TEST_F(ServerLimits, who_takes_nothing_of_an_answer_is_closed) {
  Limits limits;
  limits.write = milliseconds(300);
  start(limits);
  const Caller lazy = caller(4096);
  for (int i = 0; i < 4; ++i) lazy.get("/large");
  ASSERT_TRUE(eventually([&] { return server->counts().slow_closed == 1; }));
  EXPECT_EQ(server->counts().pending_bytes_now, 0U);
  EXPECT_EQ(server->counts().connections_now, 0U);
}

TEST_F(ServerLimits, who_takes_slowly_is_not_closed) {
  Limits limits;
  limits.write = milliseconds(500);
  start(limits);
  Caller client = caller(4096);
  client.get("/large", "Connection: close\r\n");
  std::size_t bytes = client.read_until("\r\n\r\n").size();
  // A kilobyte a millisecond: longer than the limit in all.
  const std::string piece(1024, 'x');
  for (int i = 0; i < 900; ++i) {
    bytes += client.read_until(piece).size();
    test::let_others_run();
  }
  const auto rest = client.read_to_end();
  ASSERT_TRUE(rest);
  EXPECT_GT(bytes + rest->size(), std::size_t{1} << 20);
  EXPECT_EQ(server->counts().slow_closed, 0U);
}

TEST_F(ServerLimits, answers_that_nobody_takes_do_not_pile_up) {
  Limits limits;
  limits.pending_bytes_max = 3 << 20;
  start(limits);
  std::vector<Caller> lazy;
  for (int i = 0; i < 20; ++i) {
    lazy.push_back(caller(4096));
    lazy.back().get("/own");
  }
  // Each is answered: the first few by what they asked for, which they do not take, the others by 503.
  ASSERT_TRUE(eventually([&] { return server->counts().responses[2] + server->counts().responses[5] == 20; }));
  EXPECT_LE(server->counts().pending_bytes_now, limits.pending_bytes_max + (1U << 20));
  EXPECT_GE(server->counts().responses[2], 3U);
  EXPECT_GE(server->counts().responses[5], 10U);
  lazy.clear();
  ASSERT_TRUE(eventually([&] { return server->counts().pending_bytes_now == 0; }));
  EXPECT_TRUE(is_served());
}

// The number of open files this process may have, until destruction.
class FileLimit {
 public:
  explicit FileLimit(std::size_t files) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = files;
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(ServerLimits, connections_take_at_most_half_of_the_descriptors) {
  {
    const FileLimit few(100);
    start({});
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("at most 50 connections"), std::string::npos) << told[0];
}

TEST_F(ServerLimits, without_descriptors_it_waits_and_goes_on) {
  if (support::under_sanitizer) GTEST_SKIP() << "a sanitizer opens a pipe to look at an object's type";
  start({});
  std::vector<Caller> waiting;
  waiting.push_back(caller());
  ASSERT_TRUE(eventually([&] { return server->counts().connections_now == 1; }));
  {
    const FileLimit few(200);
    std::vector<int> taken;
    for (int file = 0; (file = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken.push_back(file);
    ASSERT_FALSE(taken.empty());
    ::close(taken.back());  // room for the caller's own socket, and none for the server's
    taken.pop_back();
    waiting.push_back(caller());
    waiting.back().get("/text");
    EXPECT_TRUE(eventually([&] { return server->counts().accept_failures >= 2; }));
    const std::uint64_t failures = server->counts().accept_failures;
    const std::int64_t begin = now_ms();
    EXPECT_TRUE(eventually([&] { return server->counts().accept_failures >= failures + 4; }));
    EXPECT_GE(now_ms() - begin, 300);  // a tenth of a second between tries: it does not spin
    for (const int file : taken) ::close(file);
  }
  EXPECT_EQ(waiting.back().answer().body, "hello");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(told.size(), 1U);
}

}  // namespace
}  // namespace recmeter::http
