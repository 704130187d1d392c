// Where a state finds the events of a time again.
#include "live/position_index.h"

#include <gtest/gtest.h>

#include <string>

#include "recmeter/memory/memory_store.h"

namespace recmeter {
namespace {

EventTime minute(std::int64_t number, std::int64_t seconds = 0) {
  return EventTime{event_time_min.ms / 60'000 * 60'000 + 60'000 * number + 1000 * seconds};
}

class PositionIndexes : public testing::Test {
 protected:
  void note(const std::string& partition, std::optional<EventTime> max_time, std::int64_t next_offset) {
    StateBatch batch;
    index_.note(batch, partition, max_time, next_offset);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::int64_t position_for(EventTime from, const std::string& partition = "t/0") const {
    const auto positions = PositionIndex::positions_for(store_, from);
    EXPECT_TRUE(positions);
    return positions->contains(partition) ? positions->at(partition).next_offset : -1;
  }

  memory::MemoryStore store_;
  PositionIndex index_;
};

TEST_F(PositionIndexes, name_the_last_position_before_which_all_is_older) {
  index_.begin("t/0", std::nullopt, 100);
  note("t/0", minute(1, 30), 110);
  note("t/0", minute(1, 50), 120);
  note("t/0", minute(2, 10), 130);
  note("t/0", minute(9), 140);
  EXPECT_EQ(position_for(minute(1, 40)), 100);
  EXPECT_EQ(position_for(minute(1, 50)), 100);
  EXPECT_EQ(position_for(minute(1, 51)), 120);
  EXPECT_EQ(position_for(minute(2, 10)), 120);
  EXPECT_EQ(position_for(minute(5)), 130);
  EXPECT_EQ(position_for(minute(5), "t/1"), -1);
}

TEST_F(PositionIndexes, name_the_beginning_for_what_lies_before_it) {
  index_.begin("t/0", std::nullopt, 100);
  note("t/0", std::nullopt, 105);
  note("t/0", minute(3), 110);
  EXPECT_EQ(position_for(minute(0)), 105);
  const auto positions = PositionIndex::positions_for(store_, minute(0));
  EXPECT_EQ(positions->at("t/0").max_time, minus_infinity);
}

TEST_F(PositionIndexes, grow_by_an_entry_a_minute) {
  index_.begin("t/0", minute(1), 100);
  for (int second = 0; second < 60; ++second) note("t/0", minute(1, second), 100 + second);
  EXPECT_EQ(position_for(minute(1)), -1);
  note("t/0", minute(2), 160);
  EXPECT_EQ(position_for(minute(1)), 159);
}

TEST_F(PositionIndexes, forget_what_is_dropped_and_name_the_earliest_left) {
  index_.begin("t/0", std::nullopt, 0);
  for (int m = 1; m < 9; ++m) note("t/0", minute(m), m);
  StateBatch batch;
  PositionIndex::drop(batch, minute(5));
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  EXPECT_EQ(position_for(minute(1)), 4);
  EXPECT_EQ(position_for(minute(7)), 6);
}

TEST_F(PositionIndexes, that_are_damaged_say_so) {
  StateBatch batch;
  batch.put("i", "x");
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  const auto positions = PositionIndex::positions_for(store_, minute(1));
  ASSERT_FALSE(positions);
  EXPECT_EQ(positions.error().code, Errc::state_unusable);
}

}  // namespace
}  // namespace recmeter
