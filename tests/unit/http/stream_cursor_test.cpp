#include "http/stream_cursor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recmeter::http {
namespace {

constexpr std::size_t chunk_bytes = 100;

// A ring of five events, what the server keeps of it, and a handler that counts what it is asked.
class Stream : public Handler {
 public:
  Stream() : ring_(1, {.events_max = 5, .bytes_max = 10'000}), retained_(ring_.bounds(), ring_.wake_with([] {})) {}

  Response handle(const Request&) noexcept override { return {}; }
  Snapshot snapshot() noexcept override {
    ++snapshots;
    return ring_.snapshot("whole", after);
  }
  void append(int events, std::size_t bytes = 1) {
    for (int i = 0; i < events; ++i) {
      ring_.append("row", std::string(bytes, 'x'));
      std::vector<EventRing::Event> taken;
      ring_.take(taken);
      retained_.add(taken);
    }
  }
  [[nodiscard]] StreamCursor cursor() const { return {ring_, retained_}; }

  std::uint64_t after = 0;
  int snapshots = 0;

 private:
  EventRing ring_;
  RetainedEvents retained_;
};

std::string text_of(const StreamCursor::Chunk& chunk) {
  return chunk.text + (chunk.shared ? *chunk.shared : "");
}

std::string row(int id) {
  return "id: 1-" + std::to_string(id) + "\nevent: row\ndata: x\n\n";
}
std::string whole(int id) {
  return "id: 1-" + std::to_string(id) + "\nevent: snapshot\ndata: whole\n\n";
}
const std::string gap = "event: gap\ndata: {}\n\n";

TEST(StreamCursor, begins_with_a_snapshot_and_goes_on_after_it) {
  Stream stream;
  stream.append(3);
  stream.after = 2;
  StreamCursor cursor = stream.cursor();
  EXPECT_EQ(text_of(cursor.begin("", stream)), whole(2));
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, stream)), row(3));
  EXPECT_TRUE(cursor.next(chunk_bytes, stream).empty());
  stream.append(1);
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, stream)), row(4));
  EXPECT_EQ(cursor.gaps(), 0U);
}

TEST(StreamCursor, a_snapshot_may_be_ahead_of_the_events) {
  Stream stream;
  stream.after = 2;
  StreamCursor cursor = stream.cursor();
  EXPECT_EQ(text_of(cursor.begin("", stream)), whole(2));
  stream.append(3);
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, stream)), row(3));
}

TEST(StreamCursor, resumes_without_a_snapshot_where_nothing_is_lost) {
  Stream stream;
  stream.append(7);  // 3 to 7 are here
  for (const int last : {2, 5, 7}) {
    StreamCursor cursor = stream.cursor();
    EXPECT_TRUE(cursor.begin("1-" + std::to_string(last), stream).empty());
    std::string expected;
    for (int id = last + 1; id <= 7; ++id) expected += row(id);
    EXPECT_EQ(text_of(cursor.next(1000, stream)), expected);
  }
  EXPECT_EQ(stream.snapshots, 0);
}

TEST(StreamCursor, tells_a_gap_to_who_was_away_too_long_or_comes_from_elsewhere) {
  Stream stream;
  stream.append(7);
  stream.after = 7;
  for (const std::string last : {"1-1", "1-8", "2-5", "nonsense"}) {
    StreamCursor cursor = stream.cursor();
    EXPECT_EQ(text_of(cursor.begin(last, stream)), gap + whole(7)) << last;
    EXPECT_EQ(cursor.gaps(), 1U);
  }
}

TEST(StreamCursor, tells_a_gap_when_the_ring_has_passed_it) {
  Stream stream;
  stream.append(1);
  stream.after = 1;
  StreamCursor cursor = stream.cursor();
  EXPECT_EQ(text_of(cursor.begin("", stream)), whole(1));
  stream.append(6);  // 2 is gone
  stream.after = 6;
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, stream)), gap + whole(6));
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, stream)), row(7));
  EXPECT_TRUE(cursor.next(chunk_bytes, stream).empty());
  EXPECT_EQ(cursor.gaps(), 1U);
}

TEST(StreamCursor, a_stale_snapshot_makes_no_circle) {
  Stream stream;
  stream.append(20);
  stream.after = 1;
  StreamCursor cursor = stream.cursor();
  EXPECT_EQ(text_of(cursor.begin("", stream)), whole(1));
  EXPECT_EQ(text_of(cursor.next(1000, stream)), gap + whole(1));
  EXPECT_EQ(text_of(cursor.next(1000, stream)), row(16) + row(17) + row(18) + row(19) + row(20));
  EXPECT_TRUE(cursor.next(1000, stream).empty());
}

TEST(StreamCursor, gives_pieces_of_bounded_size_and_shares_large_events) {
  Stream stream;
  stream.append(5, 60);
  StreamCursor cursor = stream.cursor();
  EXPECT_TRUE(cursor.begin("1-0", stream).empty());
  for (int i = 0; i < 5; ++i) {
    const auto chunk = cursor.next(150, stream);
    EXPECT_LE(chunk.text.size(), 150U);
    EXPECT_FALSE(chunk.text.empty());
    EXPECT_FALSE(chunk.shared);
  }
  EXPECT_TRUE(cursor.next(150, stream).empty());
  stream.append(1, 500);
  const auto chunk = cursor.next(150, stream);
  EXPECT_TRUE(chunk.text.empty());
  ASSERT_TRUE(chunk.shared);
  EXPECT_GT(chunk.shared->size(), 500U);
}

TEST(StreamCursor, without_snapshots_begins_with_what_comes) {
  class Silent final : public Handler {
    Response handle(const Request&) noexcept override { return {}; }
  } silent;
  Stream stream;
  stream.append(3);
  StreamCursor cursor = stream.cursor();
  EXPECT_TRUE(cursor.begin("", silent).empty());
  EXPECT_TRUE(cursor.next(chunk_bytes, silent).empty());
  stream.append(1);
  EXPECT_EQ(text_of(cursor.next(chunk_bytes, silent)), row(4));
}

}  // namespace
}  // namespace recmeter::http
