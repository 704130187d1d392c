// A small log with what makes recommenders err: equal times, repeated items, users of one event. And the same log with
// another future.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "recmeter/recommend/learning_log.h"

namespace recmeter::test {

// What the list of each request says of itself: of some a list id, of some an item, of some one that the log does not know.
inline void add_contexts(std::vector<ListRequest>& requests) {
  for (ListRequest& request : requests) {
    const auto mixed = static_cast<std::uint64_t>(request.ts.ms) * 31 + request.user;
    if (mixed % 5 != 0) request.context.emplace_back("list_id", "l" + std::to_string(mixed));
    if (mixed % 3 != 0) request.context.emplace_back("page", "i" + std::to_string(mixed % 14));
  }
}

// Every event is a request with that target; events of one user and time are one request.
inline std::vector<ListRequest> requests_of(const std::vector<LearnedEvent>& events) {
  std::vector<ListRequest> out;
  for (const LearnedEvent& event : events) {
    auto request = out.end();
    while (request != out.begin() && (request - 1)->ts == event.ts && (request - 1)->user != event.user) --request;
    const bool is_known = request != out.begin() && (request - 1)->ts == event.ts;
    if (!is_known) out.push_back({.ts = event.ts, .user = event.user, .targets = {}, .shown = {}, .segments = {}});
    std::vector<std::uint32_t>& targets = is_known ? (request - 1)->targets : out.back().targets;
    if (std::ranges::find(targets, event.item) == targets.end()) targets.push_back(event.item);
  }
  return out;
}

inline LearningLog random_log(std::uint64_t seed, std::size_t events, std::uint32_t users = 7, std::uint32_t items = 12) {
  std::mt19937_64 random(seed);
  LearningLog log;
  for (std::uint32_t i = 0; i < users; ++i) log.users.number("u" + std::to_string(i));
  for (std::uint32_t i = 0; i < items; ++i) log.items.number("i" + std::to_string(i));
  std::int64_t now = 1'000'000;
  for (std::size_t n = 0; n < events; ++n) {
    now += static_cast<std::int64_t>(random() % 3) * static_cast<std::int64_t>(random() % 400'000);
    log.events.push_back({EventTime{now}, static_cast<std::uint32_t>(random() % users),
                          static_cast<std::uint32_t>(random() % (random() % items + 1)), 0,
                          static_cast<double>(1 + random() % 5)});
  }
  log.requests = requests_of(log.events);
  return log;
}

// The events of a log; of those at `t` and later some are gone, later, of another user or item, of another value, or new.
inline std::vector<LearnedEvent> with_another_future(const LearningLog& log, EventTime t, std::mt19937_64& random) {
  const auto any = [&](std::uint64_t below) { return static_cast<std::uint32_t>(random() % below); };
  const std::uint64_t one_in = 1 + random() % 8;  // of many changes, and of few
  std::vector<LearnedEvent> out;
  for (LearnedEvent event : log.events) {
    if (event.ts >= t && random() % one_in == 0) {
      switch (random() % 5) {
        case 0: continue;
        case 1: event.ts = event.ts + Duration{static_cast<std::int64_t>(random() % 500'000)}; break;
        case 2: event.user = any(log.users.size()); break;
        case 3: event.item = any(log.items.size()); break;
        default: event.value = static_cast<double>(1 + random() % 5); break;
      }
    }
    out.push_back(event);
  }
  for (std::uint64_t added = random() % 3; added > 0; --added) {
    const Duration later{random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 500'000)};
    out.push_back({t + later, any(log.users.size()), any(log.items.size()), 0, static_cast<double>(1 + random() % 5)});
  }
  std::ranges::stable_sort(out, {}, &LearnedEvent::ts);
  return out;
}

}  // namespace recmeter::test
