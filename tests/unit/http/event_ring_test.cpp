#include "recmeter/http/event_ring.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/retained_events.h"

namespace recmeter::http {
namespace {

constexpr std::uint64_t run = 0xabc;

std::vector<std::uint64_t> ids(const std::vector<EventRing::Event>& events) {
  std::vector<std::uint64_t> ids;
  for (const auto& event : events) ids.push_back(event.id);
  return ids;
}

TEST(EventRing, encodes_events_as_the_standard_has_it) {
  EventRing ring(run, {});
  ring.wake_with([] {});
  ring.append("row", "{\"a\":1}");
  ring.append("status", "a\nb\r\nc\rd");
  ring.append("empty", "");
  std::vector<EventRing::Event> events;
  ring.take(events);
  ASSERT_EQ(ids(events), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(*events[0].text, "id: abc-1\nevent: row\ndata: {\"a\":1}\n\n");
  EXPECT_EQ(*events[1].text, "id: abc-2\nevent: status\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
  EXPECT_EQ(*events[2].text, "id: abc-3\nevent: empty\ndata: \n\n");
  EXPECT_EQ(*ring.snapshot("{}", 3).text, "id: abc-3\nevent: snapshot\ndata: {}\n\n");
}

TEST(EventRing, wakes_once_until_it_is_emptied) {
  EventRing ring(run, {});
  int woken = 0;
  ring.wake_with([&] { ++woken; });
  for (int i = 0; i < 10; ++i) ring.append("row", "x");
  EXPECT_EQ(woken, 1);
  std::vector<EventRing::Event> events;
  ring.take(events);
  EXPECT_EQ(events.size(), 10U);
  ring.append("row", "x");
  EXPECT_EQ(woken, 2);
  ring.take(events);
  EXPECT_EQ(events.size(), 1U);
}

TEST(EventRing, keeps_nothing_without_a_server) {
  EventRing ring(run, {});
  EXPECT_EQ(ring.append("row", "x"), 1U);
  EXPECT_EQ(ring.append("row", "x"), 2U);
  EXPECT_EQ(ring.wake_with([] {}), 2U);
  EXPECT_EQ(ring.append("row", "x"), 3U);
  std::vector<EventRing::Event> events;
  ring.take(events);
  EXPECT_EQ(ids(events), (std::vector<std::uint64_t>{3}));
}

TEST(EventRing, keeps_no_more_than_its_bounds_when_nobody_takes) {
  EventRing by_number(run, {.events_max = 4, .bytes_max = 1 << 20});
  by_number.wake_with([] {});
  for (int i = 0; i < 10; ++i) by_number.append("row", "x");
  std::vector<EventRing::Event> events;
  by_number.take(events);
  EXPECT_LE(events.size(), 4U);
  EXPECT_EQ(events.back().id, 10U);

  EventRing by_bytes(run, {.events_max = 1000, .bytes_max = 500});
  by_bytes.wake_with([] {});
  for (int i = 0; i < 100; ++i) by_bytes.append("row", std::string(100, 'x'));
  by_bytes.append("row", std::string(600, 'x'));  // larger than all of it
  by_bytes.take(events);
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(by_bytes.append("row", "x"), 102U);
}

TEST(EventRing, knows_its_own_ids) {
  const EventRing ring(run, {});
  EXPECT_EQ(ring.id_of("abc-17"), 17U);
  for (const std::string_view foreign :
       {"", "abc", "abc-", "abc-x", "abc-1x", "abd-1", "ab-1", "abc1", "abc--1", "17", "abc-99999999999999999999"}) {
    EXPECT_EQ(ring.id_of(foreign), std::nullopt) << foreign;
  }
}

std::vector<EventRing::Event> made(std::uint64_t from, std::uint64_t to, std::size_t bytes = 10) {
  std::vector<EventRing::Event> events;
  for (std::uint64_t id = from; id < to; ++id) events.push_back({id, make_body(std::string(bytes, 'x'))});
  return events;
}

TEST(RetainedEvents, are_the_latest_within_bounds) {
  RetainedEvents retained({.events_max = 5, .bytes_max = 1000}, 0);
  EXPECT_EQ(retained.begin(), 1U);
  EXPECT_EQ(retained.end(), 1U);
  auto events = made(1, 4);
  retained.add(events);
  EXPECT_EQ(retained.begin(), 1U);
  EXPECT_EQ(retained.end(), 4U);
  events = made(4, 10);
  retained.add(events);
  EXPECT_EQ(retained.begin(), 5U);
  EXPECT_EQ(retained.end(), 10U);
  events = made(10, 12, 400);
  retained.add(events);
  EXPECT_EQ(retained.end(), 12U);
  EXPECT_EQ(retained.begin(), 7U);
  events = made(12, 13, 999);
  retained.add(events);
  EXPECT_EQ(retained.begin(), 12U);
}

TEST(RetainedEvents, begin_anew_after_a_hole) {
  RetainedEvents retained({.events_max = 5, .bytes_max = 1000}, 7);
  auto events = made(8, 10);
  retained.add(events);
  EXPECT_EQ(retained.begin(), 8U);
  events = made(11, 12);
  retained.add(events);
  EXPECT_EQ(retained.begin(), 11U);
  EXPECT_EQ(retained.end(), 12U);
}

}  // namespace
}  // namespace recmeter::http
