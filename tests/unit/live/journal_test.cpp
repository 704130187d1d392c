// What a run keeps for the next one: the journal of its events, and its checkpoint.
#include "live/journal.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "recmeter/event/canonical.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/memory/memory_store.h"
#include "support/decoded.h"

namespace recmeter {
namespace {

const std::vector<std::string> actions{"click"};

RoutedBatch routed(std::uint32_t partition, const std::vector<std::string>& lines) {
  RoutedBatch out{
      .batch = support::shared_decoded(lines, support::decoder_options(actions)), .partition = partition, .events = {}};
  out.events.resize(out.batch->events().size());
  std::iota(out.events.begin(), out.events.end(), 0U);
  return out;
}

std::string click(std::int64_t ms, const std::string& item) {
  return support::feedback_line(ms, "click", "u", item);
}

class Journals : public testing::Test {
 protected:
  void save(Journal& journal, std::uint64_t checkpoint) {
    StateBatch batch;
    journal.save(batch, checkpoint);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  }
  // "partition item place" in the order of the journal, "|" between buckets.
  [[nodiscard]] std::string content() const {
    std::string out;
    EventTime last = minus_infinity;
    const auto read =
        Journal::read(store_, JoinKey(), {.actions = actions.size()}, {}, [&](EventTime bucket, const RoutedBatch& batch) {
          if (last != minus_infinity && bucket != last) out += "| ";
          EXPECT_GE(bucket, last);
          last = bucket;
          for (const std::uint32_t index : batch.events) {
            const Event& event = batch.batch->events()[index];
            EXPECT_GE(event.ts, bucket);
            out += std::to_string(batch.partition) + std::string(batch.batch->item(event, 0)) +
                   std::to_string(batch.first_place + index) + " ";
          }
          return true;
        });
    EXPECT_TRUE(read);
    return out;
  }

  memory::MemoryStore store_;
};

TEST_F(Journals, keep_events_by_minute_and_in_their_order) {
  Journal journal(0);
  journal.add(routed(0, {click(61'000, "a"), click(1000, "b"), click(62'000, "c")}));
  journal.add(routed(1, {click(1000, "d")}));
  save(journal, 1);
  journal.add(routed(0, {click(2000, "e"), click(60'999, "f")}));
  save(journal, 2);
  EXPECT_EQ(content(), "0b0 1d0 0e1 | 0a2 0c3 0f4 ");
}

TEST_F(Journals, keep_the_events_that_were_routed_to_them) {
  Journal journal(0);
  RoutedBatch some = routed(0, {click(0, "a"), click(1, "b"), click(2, "c")});
  some.events = {1};
  journal.add(some);
  save(journal, 1);
  EXPECT_EQ(content(), "0b0 ");
}

TEST_F(Journals, of_several_parts_do_not_get_into_each_others_way) {
  Journal one(0);
  Journal other(1);
  one.add(routed(0, {click(0, "a")}));
  other.add(routed(0, {click(0, "b")}));
  save(one, 1);
  save(other, 1);
  EXPECT_EQ(content(), "0a0 0b1 ");
}

TEST_F(Journals, write_an_event_once) {
  Journal journal(0);
  journal.add(routed(0, {click(0, "a")}));
  save(journal, 1);
  StateBatch nothing;
  journal.save(nothing, 2);
  EXPECT_TRUE(nothing.changes().empty());
}

TEST_F(Journals, drop_whole_minutes_before_a_time) {
  Journal journal(0);
  for (int minute = 0; minute < 5; ++minute) {
    journal.add(routed(0, {click(60'000 * minute + 59'999, std::string(1, static_cast<char>('a' + minute)))}));
  }
  save(journal, 1);
  StateBatch batch;
  Journal::drop(batch, support::at(150'000));
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
  EXPECT_EQ(content(), "0c0 | 0d1 | 0e2 ");
  StateBatch nothing;
  Journal::drop(nothing, minus_infinity);
  EXPECT_TRUE(nothing.changes().empty());
}

TEST_F(Journals, that_are_damaged_say_so) {
  Journal journal(0);
  journal.add(routed(0, {click(0, "a")}));
  save(journal, 1);
  std::string key;
  std::string value;
  ASSERT_TRUE(store_.scan("j", "k", [&](std::string_view k, std::string_view v) {
    key = k;
    value = v;
    return true;
  }));
  for (std::size_t size = 1; size < value.size(); ++size) {
    StateBatch batch;
    batch.put(key, value.substr(0, size));
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::process));
    const auto read =
        Journal::read(store_, JoinKey(), {.actions = actions.size()}, {}, [](EventTime, const RoutedBatch&) { return true; });
    ASSERT_FALSE(read) << size;
    EXPECT_EQ(read.error().code, Errc::state_unusable);
  }
}

// Format 1 as its releases wrote it: the first wrote nothing behind the totals, later ones a backlog and then counts of later
// reasons, where there were any; reasons without a backlog stand behind one that is at plus_infinity.
std::string first_format(std::optional<EventTime> backlog, std::uint64_t last_reason) {
  ByteWriter to;
  to.add(7);
  to.add_signed(support::at(-5).ms);
  to.add_signed(support::at(3).ms);
  for (std::uint64_t reason = 0; reason < 17; ++reason) to.add(reason);
  to.add(0);  // partitions
  for (const std::uint64_t outcome : {0U, 0U, 2U, 0U, 0U, 0U}) to.add(outcome);
  to.add(6);
  to.add_signed(support::at(-7).ms);
  to.add_signed(support::at(-6).ms);
  for (const std::uint64_t number : {9U, 8U, 5U}) to.add(number);
  to.add_text("here");
  if (backlog || last_reason > 0) {
    to.add_signed(backlog.value_or(plus_infinity).ms);
    to.add(backlog ? 77 : 0);
  }
  if (last_reason > 0) to.add(last_reason);
  return to.take();
}

TEST(Checkpoint, of_the_first_format_is_read_and_written_in_this_one) {
  for (const bool has_backlog : {false, true}) {
    for (const std::uint64_t last_reason : {0U, 3U}) {
      const auto backlog = has_backlog ? std::optional(support::at(5)) : std::nullopt;
      const std::string bytes = first_format(backlog, last_reason);
      const auto read = checkpoint_from(bytes);
      ASSERT_TRUE(read);
      const auto again = checkpoint_from(to_bytes(*read));
      ASSERT_TRUE(again);
      for (const Checkpoint& one : {*read, *again}) {
        EXPECT_EQ(one.number, 7U);
        EXPECT_EQ(one.sequencer.first_event, support::at(3));
        EXPECT_EQ(one.sequencer.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_an_object)], 2U);
        EXPECT_EQ(one.sequencer.invalid_reasons[static_cast<std::size_t>(InvalidReason::segment_too_long)], last_reason);
        EXPECT_EQ(one.outcomes.organic, 2U);
        EXPECT_EQ(one.lists, 6U);
        EXPECT_EQ(one.rows, 9U);
        EXPECT_EQ(one.revision, 5U);
        EXPECT_EQ(one.publisher_position, "here");
        ASSERT_EQ(one.backlog.has_value(), has_backlog);
        if (has_backlog) {
          EXPECT_EQ(one.backlog->to, support::at(5));
        }
      }
      if (last_reason > 0) {
        EXPECT_FALSE(checkpoint_from(bytes + "x"));
      }
    }
  }
}

// Format 2 did not know of returns; where there are none it is still written, so that older releases can go on.
TEST(Checkpoint, without_returns_is_of_the_second_format) {
  Checkpoint plain;
  plain.outcomes.pending = 77;
  EXPECT_EQ(to_bytes(plain)[1], 2);
  Checkpoint with_returns = plain;
  with_returns.outcomes.returned_late = 1;
  EXPECT_EQ(to_bytes(with_returns)[1], 3);
  for (const Checkpoint& one : {plain, with_returns}) {
    const auto after = checkpoint_from(to_bytes(one));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->outcomes, one.outcomes);
  }
}

// Only reasons that older releases do not know need the newest format.
TEST(Checkpoint, with_duplicates_for_another_reason_than_again_is_of_the_sixth_format) {
  Checkpoint before;
  before.positions.resize(2);
  before.positions[0].decided.duplicates = {5};
  before.positions[1].decided.duplicates = {1};
  before.sequencer.partitions.resize(2);
  before.sequencer.partitions[0].name = "a";
  before.sequencer.partitions[1].name = "b";
  EXPECT_EQ(to_bytes(before)[1], 2);
  const auto same = checkpoint_from(to_bytes(before));
  ASSERT_TRUE(same);
  EXPECT_EQ(same->positions[0].decided, before.positions[0].decided);
  Checkpoint with_lines = before;
  with_lines.sequencer.partitions[1].counts.duplicates = {0, 0, 0, 0, 0, 0, 3};
  Checkpoint with_reasons = before;
  with_reasons.positions[0].decided.duplicates = {1, 2, 3, 4, 5, 6, 7};
  for (const Checkpoint& one : {with_lines, with_reasons}) {
    const std::string bytes = to_bytes(one);
    EXPECT_EQ(bytes[1], 6);
    const auto after = checkpoint_from(bytes);
    ASSERT_TRUE(after);
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_EQ(after->positions[p].decided, one.positions[p].decided);
      EXPECT_EQ(after->sequencer.partitions[p].counts, one.sequencer.partitions[p].counts);
    }
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(checkpoint_from(std::string_view(bytes).substr(0, size)));
  }
  std::string other_sum = to_bytes(with_reasons);
  ++other_sum.back();  // of the last partition, which has one duplicate
  EXPECT_FALSE(checkpoint_from(other_sum)) << "reasons add up to all duplicates";
}

TEST(Checkpoint, comes_back_as_it_was) {
  Checkpoint before{.number = 7,
                    .sequencer = {},
                    .positions = {{.unit = UnitNumber{3},
                                   .next_offset = 5,
                                   .last_record = RecordMark{.offset = 6, .hash = 77},
                                   .decided = {.duplicates = {1}}},
                                  {.unit = UnitNumber{1}, .next_offset = 0}},
                    .journal_from = support::at(-7),
                    .outcomes = {.organic = 2, .returned_late = 4, .without_value = 3},
                    .lists = 6,
                    .rows_to = support::at(-6),
                    .rows = 9,
                    .published = 8,
                    .publisher_position = "here"};
  before.sequencer.watermark = support::at(-5);
  before.sequencer.first_event = support::at(3);
  before.sequencer.invalid_reasons[4] = 12;
  DisorderHistogram disorder;
  for (const std::int64_t ms : {0, 3, 700}) disorder.add(Duration{ms});
  before.sequencer.partitions.push_back({.name = "t/0",
                                         .clock = {.max_time = support::at(9),
                                                   .min_time = support::at(1),
                                                   .disorder = disorder,
                                                   .lost = {{support::at(2), plus_infinity}}},
                                         .counts = {.read = 4, .future = 1},
                                         .records = 3,
                                         .places = 4,
                                         .is_cut_at_start = true});
  before.sequencer.partitions.push_back({.name = "t/1", .clock = {}, .counts = {}});
  const std::string bytes = to_bytes(before);
  const auto after = checkpoint_from(bytes);
  ASSERT_TRUE(after);
  EXPECT_EQ(to_bytes(*after), bytes);
  EXPECT_EQ(after->sequencer.watermark, before.sequencer.watermark);
  EXPECT_EQ(after->sequencer.partitions[0].clock.max_time, support::at(9));
  EXPECT_EQ(after->sequencer.partitions[0].clock.disorder.summary().max.ms, 700);
  EXPECT_TRUE(after->sequencer.partitions[0].is_cut_at_start);
  EXPECT_EQ(after->sequencer.partitions[1].clock.max_time, std::nullopt);
  EXPECT_EQ(after->sequencer.partitions[0].clock.lost, before.sequencer.partitions[0].clock.lost);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(after->sequencer.partitions[p].name, before.sequencer.partitions[p].name) << "in their order";
    EXPECT_EQ(after->positions[p].unit, before.positions[p].unit);
    EXPECT_EQ(after->positions[p].next_offset, before.positions[p].next_offset);
    EXPECT_EQ(after->positions[p].last_record, before.positions[p].last_record);
    EXPECT_EQ(after->positions[p].decided.duplicates, before.positions[p].decided.duplicates);
  }
  EXPECT_EQ(after->outcomes, before.outcomes);
  EXPECT_EQ(after->lists, 6U);
  EXPECT_EQ(after->publisher_position, "here");
  EXPECT_EQ(after->journal_from, before.journal_from);
  EXPECT_EQ(after->rows_to, before.rows_to);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(checkpoint_from(std::string_view(bytes).substr(0, size)));
  EXPECT_FALSE(checkpoint_from(bytes + "x"));
  Checkpoint behind = before;
  behind.backlog = Backlog{.to = EventTime{1'699'999'000'000}, .events = 77};
  const auto still_behind = checkpoint_from(to_bytes(behind));
  ASSERT_TRUE(still_behind && still_behind->backlog);
  EXPECT_EQ(still_behind->backlog->to, behind.backlog->to);
  EXPECT_EQ(still_behind->backlog->events, 77U);
  EXPECT_FALSE(checkpoint_from(to_bytes(behind) + "xx"));
}

}  // namespace
}  // namespace recmeter
