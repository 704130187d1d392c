// A small log with what makes recommenders err: equal times, repeated items, users of one event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include "recmeter/recommend/learning_log.h"

namespace recmeter::test {

// Every event is also a request with that target; events of one user and time are one request.
inline LearningLog random_log(std::uint64_t seed, std::size_t events, std::uint32_t users = 7, std::uint32_t items = 12) {
  std::mt19937_64 random(seed);
  LearningLog log;
  for (std::uint32_t i = 0; i < users; ++i) log.users.number("u" + std::to_string(i));
  for (std::uint32_t i = 0; i < items; ++i) log.items.number("i" + std::to_string(i));
  std::int64_t now = 1'000'000;
  for (std::size_t n = 0; n < events; ++n) {
    now += static_cast<std::int64_t>(random() % 3) * static_cast<std::int64_t>(random() % 400'000);
    const LearnedEvent event{EventTime{now}, static_cast<std::uint32_t>(random() % users),
                             static_cast<std::uint32_t>(random() % (random() % items + 1)), 0,
                             static_cast<double>(1 + random() % 5)};
    log.events.push_back(event);
    bool is_known = false;
    for (ListRequest& request : log.requests) {
      if (request.ts != event.ts || request.user != event.user) continue;
      if (std::ranges::find(request.targets, event.item) == request.targets.end()) request.targets.push_back(event.item);
      is_known = true;
    }
    if (!is_known) {
      log.requests.push_back({.ts = event.ts, .user = event.user, .targets = {event.item}, .shown = {}, .segments = {}});
    }
  }
  return log;
}

}  // namespace recmeter::test
