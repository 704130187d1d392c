#include "app/generate/log_assembler.h"

#include <algorithm>

#include "app/generate/shown_list.h"
#include "recmeter/base/check.h"

namespace recmeter::generate {

namespace {

std::int64_t hour_of(EventTime time) {
  return time.ms / one_hour.ms;
}

// An action of u0 on an item no list shows.
void put_stray_click(JsonLine& line, const TrafficSpec& spec, EventTime ts) {
  UserAction action;
  action.ts = ts;
  action.item = spec.items;
  put_action(line, action, ts, line_form(spec));
}

}  // namespace

LogAssembler::LogAssembler(const TrafficSpec& spec, Split split, EventTime last_list, RecordSink& sink, Truth& truth)
    : spec_(spec), split_(split), last_list_(last_list), sink_(sink), truth_(truth) {}

bool LogAssembler::due_later(const Pending& a, const Pending& b) noexcept {
  return a.place != b.place ? a.place > b.place : a.order > b.order;
}

void LogAssembler::push(const Pending& pending) {
  heap_.push_back(pending);
  std::push_heap(heap_.begin(), heap_.end(), due_later);
}

void LogAssembler::add(EventTime place, EventTime ts, RecordRole role, bool action, std::string_view record) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot].assign(record);
  push({place, order_++, ts, slot, role, action});
}

std::uint32_t LogAssembler::file_of(const Pending& pending) const noexcept {
  if (split_ == Split::kind) return pending.action ? 1 : 0;
  if (split_ == Split::none) return 0;
  // What follows the last list stays in its hour's file, so that late records have something to be late against.
  return static_cast<std::uint32_t>(hour_of(std::min(pending.place, last_list_)) - hour_of(spec_.start));
}

Result<void> LogAssembler::write_until(EventTime place) {
  while (!heap_.empty() && heap_.front().place <= place) {
    if (auto written = write_next(); !written) return written;
  }
  return {};
}

Result<void> LogAssembler::finish() {
  while (!heap_.empty()) {
    if (auto written = write_next(); !written) return written;
  }
  if (spec_.far_clock && !spec_.honest_end) {
    if (auto written = put_far_clock(); !written) return written;
  }
  for (const auto& [file, state] : std::map(files_)) {
    if (auto closed = close_file(file); !closed) return closed;
  }
  return {};
}

Result<void> LogAssembler::write_next() {
  std::pop_heap(heap_.begin(), heap_.end(), due_later);
  Pending next = heap_.back();
  heap_.pop_back();
  const std::uint32_t index = file_of(next);
  if (split_ == Split::hour && index != hour_) {
    if (auto closed = close_file(hour_); !closed) return closed;
    hour_ = index;
  }
  File& file = files_[index];
  if (next.role == RecordRole::late && file.newest - spec_.lateness <= next.ts) {
    RECMETER_CHECK(next.place - last_list_ < spec_.lateness + spec_.lateness + spec_.lateness + spec_.longest_delay,
                   "a late record found nothing to be late against");
    next.place = next.place + Duration{spec_.lateness.ms / 8 + 1};
    push(next);
    return {};
  }
  auto written = put(index, next.place, slots_[next.slot]);
  slots_[next.slot].clear();
  if (slots_[next.slot].capacity() > JsonLine::capacity) slots_[next.slot].shrink_to_fit();  // a malformed giant
  free_slots_.push_back(next.slot);
  file.honest_last = next.role == RecordRole::honest;
  if (file.honest_last || next.role == RecordRole::copy) file.newest = std::max(file.newest, next.ts);
  file.place = next.place;
  return written;
}

Result<void> LogAssembler::put(std::uint32_t file, EventTime place, std::string_view record) {
  ++truth_.records.records;
  ++truth_.report.read;
  truth_.records.bytes += record.size() + 1;
  return sink_.write(file, place, record);
}

Result<void> LogAssembler::close_file(std::uint32_t file) {
  const auto found = files_.find(file);
  if (found == files_.end()) return {};
  const File state = found->second;
  files_.erase(found);
  if (!spec_.honest_end || state.honest_last || state.newest == minus_infinity) return {};
  JsonLine line;
  put_stray_click(line, spec_, state.newest + Duration{1});
  ++truth_.records.actions[0];
  ++truth_.records.organic;
  ++truth_.records.closing;
  ++truth_.report.feedback;
  ++truth_.report.organic;
  return put(file, std::max(state.place, state.newest + Duration{1}), line.text());
}

Result<void> LogAssembler::put_far_clock() {
  JsonLine line;
  put_stray_click(line, spec_, far_clock_time);
  const std::uint32_t file = files_.empty() ? 0 : files_.rbegin()->first;
  File& state = files_[file];
  state.honest_last = false;
  ++truth_.disturbances.far_clock;
  ++truth_.report.future;
  return put(file, std::max(state.place, last_list_), line.text());
}

}  // namespace recmeter::generate
