#include "http/stream_cursor.h"

#include <utility>

namespace recmeter::http {

void StreamCursor::tell_gap(Chunk& chunk) {
  chunk.text += "event: gap\ndata: {}\n\n";
  ++gaps_;
}

void StreamCursor::take_snapshot(Chunk& chunk, Handler& handler) {
  Snapshot snapshot = handler.snapshot();
  next_ = snapshot.text ? snapshot.after + 1 : events_.end();
  chunk.shared = std::move(snapshot.text);
}

StreamCursor::Chunk StreamCursor::begin(std::string_view last_event_id, Handler& handler) {
  Chunk chunk;
  if (const auto last = ring_.id_of(last_event_id); last && *last + 1 >= events_.begin() && *last < events_.end()) {
    next_ = *last + 1;
    return chunk;
  }
  if (!last_event_id.empty()) tell_gap(chunk);
  take_snapshot(chunk, handler);
  return chunk;
}

StreamCursor::Chunk StreamCursor::next(std::size_t bytes_max, Handler& handler) {
  Chunk chunk;
  if (next_ < events_.begin()) {
    tell_gap(chunk);
    take_snapshot(chunk, handler);
    // A snapshot older than the ring leaves a hole after it too. It has been told; what the client asks for anew is newer.
    if (next_ < events_.begin()) next_ = events_.begin();
    return chunk;
  }
  while (next_ < events_.end()) {
    const Body& text = events_.text(next_);
    if (chunk.text.size() + text->size() > bytes_max && !chunk.text.empty()) break;
    ++next_;
    if (text->size() > bytes_max) {
      chunk.shared = text;
      break;
    }
    chunk.text += *text;
  }
  return chunk;
}

}  // namespace recmeter::http
