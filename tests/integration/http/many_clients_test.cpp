// Readers do not disturb who appends: not by their number, not by what they do not read, and not by what they leave behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "recmeter/http/server.h"
#include "support/effort.h"

namespace recmeter::http {
namespace {

using std::chrono::milliseconds;
using test::Caller;
using test::eventually;
using test::open_descriptors;

std::size_t resident_bytes() {
  std::size_t pages_of_all = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages_of_all >> pages;
  return pages * 4096;
}

std::int64_t thread_cpu_ns() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

struct Party {
  Party(const Limits& limits, EventRing::Bounds bounds) : ring(std::make_shared<EventRing>(1, bounds)), handler(ring) {
    auto started = Server::start({.listen = "127.0.0.1:0", .limits = limits, .events = ring}, handler);
    EXPECT_TRUE(started);
    server = std::move(*started);
  }
  void join(std::vector<Caller>& clients, std::size_t count, int receive_buffer) const {
    const std::uint64_t wanted = server->counts().streams_now + count;
    for (std::size_t i = 0; i < count; ++i) {
      clients.emplace_back(server->port(), receive_buffer);
      clients.back().get("/stream");
    }
    EXPECT_TRUE(eventually([&] { return server->counts().streams_now == wanted; }));
  }

  std::shared_ptr<EventRing> ring;
  test::ScriptedHandler handler;
  std::unique_ptr<Server> server;
};

TEST(ManyClients, who_never_read_cost_bounded_memory_and_are_closed) {
  const std::size_t descriptors = open_descriptors();
  Limits limits;
  limits.write = milliseconds(2500);
  {
    const Party party(limits, {.events_max = 2000, .bytes_max = 1 << 20});
    std::vector<Caller> keen;
    std::vector<Caller> lazy;
    party.join(keen, 10, 0);
    party.join(lazy, 110, 4096);
    const std::size_t before = resident_bytes();
    const std::string filler(2000, '.');
    // 20 MB, as fast as the keen ones follow; twenty times what the ring holds.
    constexpr int count = 10'000;
    for (int i = 1; i <= count; ++i) {
      party.ring->append("row", std::to_string(i) + filler);
      if (i % 200 != 0) continue;
      for (Caller& client : keen) client.read_until("data: " + std::to_string(i) + ".");
    }
    // A sanitizer keeps what was freed.
    const std::size_t room = std::size_t{support::under_sanitizer ? 1024 : 48} << 20;
    EXPECT_LT(resident_bytes(), before + room);
    EXPECT_TRUE(eventually([&] { return party.server->counts().slow_closed == lazy.size(); }));
    EXPECT_EQ(party.server->counts().streams_now, keen.size());
    EXPECT_EQ(party.server->counts().gaps, 0U);  // neither the keen ones, nor those that could not be told
    for (Caller& client : lazy) {
      const auto text = client.read_to_end();
      ASSERT_TRUE(text);
      EXPECT_LT(text->size(), std::size_t{128} << 10);  // what the systems' buffers held on both sides
    }
    party.ring->append("row", "the end");
    for (Caller& client : keen) EXPECT_NE(client.read_until("the end").find("the end"), std::string::npos);
  }
  EXPECT_EQ(open_descriptors(), descriptors);
}

// CPU time of the appending thread per event, by its own clock: with one client, and with a hundred more of which none reads.
// The best of several rounds, for the machine has other things to do.
TEST(ManyClients, appending_costs_the_same_however_many_there_are) {
  const Party party({}, {.events_max = 4096, .bytes_max = 4 << 20});
  const std::string row(500, '.');
  const auto best_ns = [&] {
    std::int64_t best = std::int64_t{1} << 60;
    for (int round = 0; round < 15; ++round) {
      const std::int64_t begin = thread_cpu_ns();
      for (int i = 0; i < 1000; ++i) party.ring->append("row", row);
      best = std::min(best, thread_cpu_ns() - begin);
    }
    return best / 1000;
  };
  std::vector<Caller> clients;
  party.join(clients, 1, 4096);
  const std::int64_t alone_ns = best_ns();
  party.join(clients, 120, 4096);
  const std::int64_t crowded_ns = best_ns();
  std::printf("an event costs %lld ns with 1 client, %lld ns with 121\n", static_cast<long long>(alone_ns),
              static_cast<long long>(crowded_ns));
  EXPECT_LT(crowded_ns, 2 * alone_ns + 500);
}

TEST(ManyClients, come_and_go_while_events_are_appended) {
  const std::size_t descriptors = open_descriptors();
  {
    const Party party({}, {.events_max = 100, .bytes_max = 1 << 20});
    std::atomic<bool> ends{false};
    std::thread ingest([&] {
      while (!ends) {
        party.ring->append("row", "{\"a\":1}");
        std::this_thread::yield();
      }
    });
    for (int round = 0; round < 20; ++round) {
      std::vector<Caller> clients;
      party.join(clients, 10, 4096);
      for (std::size_t i = 0; i < 5; ++i) EXPECT_NE(clients[i].read_until("event: row").find("snapshot"), std::string::npos);
      clients.clear();
      EXPECT_TRUE(eventually([&] { return party.server->counts().streams_now == 0; }));
    }
    ends = true;
    ingest.join();
  }
  EXPECT_EQ(open_descriptors(), descriptors);
}

}  // namespace
}  // namespace recmeter::http
