#include "recmeter/evaluation/once_ids.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace recmeter {

bool OnceIds::note(const EventBatch& batch, const Event& event) {
  turn_over(event.ts);
  std::string key(1, static_cast<char>(event.action));
  const auto add = [&](std::string_view text) {
    key += std::to_string(text.size());
    key += ':';
    key += text;
  };
  add(batch.user_id(event));
  add(batch.item(event, 0));
  add(batch.event_id(event));
  if (event.nobody) add(batch.list_id(event));
  EventTime last = minus_infinity;
  if (const auto old = older_.find(key); old != older_.end()) last = old->second;
  const auto [at, is_new] = newer_.try_emplace(std::move(key), event.ts);
  if (!is_new) last = std::exchange(at->second, std::max(at->second, event.ts));
  return last != minus_infinity && event.ts - last < rule_.once_memory();
}

// What lies a span behind is asked for no more.
void OnceIds::turn_over(EventTime now) {
  if (since_ != minus_infinity && now - since_ < rule_.once_memory()) return;
  const bool goes_on = since_ != minus_infinity && now - since_ < rule_.once_memory() + rule_.once_memory();
  older_ = goes_on ? std::move(newer_) : Times();
  newer_ = Times();
  since_ = now;
}

}  // namespace recmeter
