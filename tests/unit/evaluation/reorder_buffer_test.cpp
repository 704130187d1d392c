#include "recmeter/evaluation/reorder_buffer.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/decoded.h"
#include "support/dice.h"

namespace recmeter {
namespace {

using support::at;

const std::vector<std::string> actions{"click", "like"};

class Buffer {
 public:
  explicit Buffer(std::int64_t bucket = 100) : buffer_(Duration{bucket}, actions) {}

  Buffer& add(const std::vector<std::string>& lines, std::uint32_t partition = 0, std::uint64_t first_place = 0) {
    RoutedBatch routed{.batch = support::shared_decoded(lines, support::decoder_options(actions)),
                       .partition = partition,
                       .first_place = first_place,
                       .events = std::vector<std::uint32_t>(lines.size())};
    std::iota(routed.events.begin(), routed.events.end(), 0U);
    buffer_.add(std::move(routed));
    return *this;
  }
  // What leaves before `ms`: "time:item" of feedback, "time[list]" of impressions.
  std::vector<std::string> release(std::int64_t ms) {
    std::vector<std::string> out;
    buffer_.release_before(at(ms), [&](const EventBatch& batch, const Event& event, auto rest) {
      const std::string time = std::to_string(event.ts.ms - support::zero_ms);
      out.push_back(event.kind == EventKind::feedback ? time + ":" + std::string(batch.item(event, 0))
                                                      : time + "[" + std::string(batch.list_id(event)) + "]");
      places.emplace_back(rest.front().partition, rest.front().place);
      EXPECT_EQ(rest.front().ts, event.ts);
    });
    return out;
  }
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }

  std::vector<std::pair<std::uint32_t, std::uint64_t>> places;  // of what left

 private:
  ReorderBuffer buffer_;
};

std::string click(std::int64_t ms, std::string_view item, std::string_view user = "u") {
  return support::feedback_line(ms, "click", user, item);
}

using Released = std::vector<std::string>;

TEST(ReorderBuffer, hands_over_in_the_order_of_times) {
  Buffer buffer;
  buffer.add({click(500, "c"), click(10, "a"), click(450, "b")});
  EXPECT_EQ(buffer.release(1000), (Released{"10:a", "450:b", "500:c"}));
  EXPECT_EQ(buffer.size(), 0U);
}

TEST(ReorderBuffer, keeps_what_is_not_before_the_watermark) {
  Buffer buffer;
  buffer.add({click(50, "b"), click(49, "a"), click(51, "c")});
  EXPECT_EQ(buffer.release(50), (Released{"49:a"}));
  EXPECT_EQ(buffer.size(), 2U);
  EXPECT_EQ(buffer.release(51), (Released{"50:b"}));
  EXPECT_EQ(buffer.release(52), (Released{"51:c"}));
}

TEST(ReorderBuffer, takes_more_into_a_bucket_that_was_partly_released) {
  Buffer buffer;
  buffer.add({click(10, "a"), click(90, "d")});
  EXPECT_EQ(buffer.release(50), (Released{"10:a"}));
  buffer.add({click(60, "b"), click(70, "c")});
  EXPECT_EQ(buffer.release(91), (Released{"60:b", "70:c", "90:d"}));
}

TEST(ReorderBuffer, settles_equal_times_by_canonical_bytes) {
  Buffer buffer;
  buffer.add({click(5, "b")}).add({click(5, "a")}, 1).add({click(5, "c")}, 2);
  EXPECT_EQ(buffer.release(6), (Released{"5:a", "5:b", "5:c"}));
}

TEST(ReorderBuffer, settles_equal_events_by_partition_and_place) {  // [S2.29]
  Buffer buffer;
  buffer.add({click(5, "a"), click(5, "a")}, 1, 10).add({click(5, "a")}, 0, 77);
  EXPECT_EQ(buffer.release(6).size(), 3U);
  EXPECT_EQ(buffer.places, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{0, 77}, {1, 10}, {1, 11}}));
}

TEST(ReorderBuffer, orders_whole_lists_and_rows_of_equal_time_among_each_other) {
  Buffer buffer;
  buffer.add({support::row_line(5, "u", "L", "z", 1), support::list_line(5, "u", "L", {"a"}),
              support::list_line(5, "u", "K", {"a"})});
  EXPECT_EQ(buffer.release(6), (Released{"5[K]", "5[L]", "5[L]"}));
  EXPECT_EQ(buffer.places, (std::vector<std::pair<std::uint32_t, std::uint64_t>>{{0, 2}, {0, 0}, {0, 1}}))
      << R"("item_id" before "items")";
}

TEST(ReorderBuffer, gives_the_same_order_for_any_arrival_and_any_buckets) {
  support::Dice dice(1);
  std::vector<std::string> lines;
  for (int i = 0; i < 600; ++i) {
    const std::string user = "u" + std::to_string(dice.below(3));
    const std::int64_t ms = dice.between(0, 200);
    if (dice.percent(30)) {
      lines.push_back(support::list_line(ms, user, "L" + std::to_string(dice.below(4)), {"a", "b"}));
    } else {
      lines.push_back(support::feedback_line(ms, dice.pick(actions), user, "i" + std::to_string(dice.below(4))));
    }
  }
  Buffer first(100);
  const Released expected = first.add(lines).release(1000);
  for (const std::int64_t bucket : {1, 7, 64, 5000}) {
    dice.shuffle(lines);
    Buffer buffer(bucket);
    Released released;
    for (std::size_t i = 0; i < lines.size(); i += 100) {
      buffer.add({lines.begin() + static_cast<std::ptrdiff_t>(i), lines.begin() + static_cast<std::ptrdiff_t>(i + 100)}, 0,
                 i);
    }
    for (std::int64_t w = 0; w <= 210; w += dice.between(1, 30)) {
      const Released some = buffer.release(w);
      released.insert(released.end(), some.begin(), some.end());
    }
    const Released rest = buffer.release(1000);
    released.insert(released.end(), rest.begin(), rest.end());
    ASSERT_EQ(released, expected) << bucket;
    ASSERT_EQ(buffer.size(), 0U);
  }
}

}  // namespace
}  // namespace recmeter
