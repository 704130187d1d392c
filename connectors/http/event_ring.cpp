#include "recmeter/http/event_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/base/read_number.h"

namespace recmeter::http {

namespace {

bool is_event_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '-' ||
           byte == '_';
  });
}

// Line breaks of any kind in the data begin a new data field, which the client joins by line feeds.
std::string encoded(std::string_view run, std::uint64_t id, std::string_view name, std::string_view data) {
  std::string text;
  text.reserve(data.size() + name.size() + 64);
  fmt::format_to(std::back_inserter(text), "id: {}-{}\nevent: {}\n", run, id, name);
  for (std::size_t begin = 0; begin <= data.size();) {
    const std::size_t end = std::min(data.find_first_of("\r\n", begin), data.size());
    text += "data: ";
    text += data.substr(begin, end - begin);
    text += '\n';
    begin = end + (data.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  text += '\n';
  return text;
}

}  // namespace

EventRing::EventRing(std::uint64_t run, Bounds bounds) : run_(fmt::format("{:x}", run)), bounds_(bounds) {
  RECMETER_CHECK(bounds.events_max > 0 && bounds.bytes_max > 0, "a ring holds an event at least");
}

std::uint64_t EventRing::append(std::string_view name, std::string_view data) {
  RECMETER_CHECK(is_event_name(name), "the name of an event has other characters than letters, digits, - and _");
  const std::lock_guard lock(mutex_);
  ++last_;
  if (!wake_) return last_;
  std::string text = encoded(run_, last_, name, data);
  // The server's thread is far behind, or the event is larger than all that may be kept: clients will be told of the gap.
  if (box_.size() >= bounds_.events_max || box_bytes_ + text.size() > bounds_.bytes_max) {
    box_.clear();
    box_bytes_ = 0;
  }
  if (text.size() <= bounds_.bytes_max) {
    box_bytes_ += text.size();
    box_.push_back({last_, make_body(std::move(text))});
  }
  if (!std::exchange(is_woken_, true)) wake_();
  return last_;
}

std::uint64_t EventRing::last_id() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

Snapshot EventRing::snapshot(std::string_view data, std::uint64_t after) const {
  return {make_body(encoded(run_, after, "snapshot", data)), after};
}

std::uint64_t EventRing::wake_with(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
  is_woken_ = false;
  box_.clear();
  box_bytes_ = 0;
  return last_;
}

void EventRing::take(std::vector<Event>& into) {
  into.clear();
  const std::lock_guard lock(mutex_);
  box_.swap(into);
  box_bytes_ = 0;
  is_woken_ = false;
}

std::optional<std::uint64_t> EventRing::id_of(std::string_view text) const {
  if (!text.starts_with(run_)) return std::nullopt;
  text.remove_prefix(run_.size());
  if (!text.starts_with('-')) return std::nullopt;
  text.remove_prefix(1);
  return read_number<std::uint64_t>(text);
}

}  // namespace recmeter::http
