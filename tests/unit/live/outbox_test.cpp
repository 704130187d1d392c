#include "live/outbox.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "recmeter/live/row_archive.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/result/render.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {
namespace {

Row row_at(std::uint64_t number) {
  Row row;
  row.start = row.end = EventTime{static_cast<std::int64_t>(number)};
  return row;
}

EventTime final_at(const Row& row) {
  return row.end + row.horizon;
}

// Takes so many rows at a time, and has them for good when it is told to.
struct SlowPublisher : RowPublisher {
  std::vector<std::uint64_t> rows;
  std::size_t room = 0;
  std::uint64_t done = 0;
  std::string why;
  bool wants_looks = false;
  [[nodiscard]] bool wants_experiments() const override { return wants_looks; }
  Result<void> go_on_from(std::string_view position) override {
    from = position;
    return {};
  }
  [[nodiscard]] bool is_full() const override { return room == 0; }
  Result<void> publish(const NumberedRow& row) override {
    EXPECT_GT(room--, 0U);
    EXPECT_EQ(row.value, row.kind == RowKind::experiment ? "look" : render_json(row_at(row.number)));
    EXPECT_EQ(row.final_at, EventTime{static_cast<std::int64_t>(row.number)});
    rows.push_back(row.number);
    return {};
  }
  Result<std::uint64_t> published() override { return done; }
  [[nodiscard]] std::string trouble() override { return why; }
  std::string position() const override { return {}; }
  std::string from;
};

class OutboxTest : public testing::Test {
 protected:
  void add(Outbox& outbox, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint64_t number = outbox.rows();
      EXPECT_FALSE(outbox.had(final_at(row_at(number))));
      EXPECT_GT(outbox.add(*render(row_at(number))), render_json(row_at(number)).size());
    }
  }
  void keep(Outbox& outbox) {
    StateBatch batch;
    outbox.save(batch, kept_.rows_to, kept_);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
    outbox.kept(EventTime{0});
    EXPECT_FALSE(outbox.has_made());
  }
  Outbox box() {
    return {store_, publisher_, [this](Notice notice, std::string_view) { told_.push_back(notice); }};
  }
  std::size_t rows_in_state() {
    std::size_t rows = 0;
    EXPECT_TRUE(store_.scan("o", "p", [&](std::string_view, std::string_view) { return ++rows > 0; }));
    return rows;
  }
  memory::MemoryStore store_;
  SlowPublisher publisher_;
  std::vector<Notice> told_;
  Checkpoint kept_;  // what save() says of itself
};

TEST_F(OutboxTest, hands_over_nothing_before_the_state_holds_it) {
  Outbox outbox = box();
  publisher_.room = 9;
  add(outbox, 3);
  ASSERT_TRUE(outbox.hand_over());
  EXPECT_TRUE(publisher_.rows.empty());
  keep(outbox);
  ASSERT_TRUE(outbox.hand_over());
  EXPECT_EQ(publisher_.rows, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_F(OutboxTest, hands_over_each_row_once_in_its_order_as_there_is_room) {
  Outbox outbox = box();
  std::vector<std::uint64_t> all;
  for (std::size_t round = 0; round < 30; ++round) {
    add(outbox, round % 4);
    if (round % 3 == 0) keep(outbox);
    publisher_.room = round % 5;
    ASSERT_TRUE(outbox.hand_over());
  }
  keep(outbox);
  publisher_.room = 1000;
  ASSERT_TRUE(outbox.hand_over());
  for (std::uint64_t n = 0; n < outbox.rows(); ++n) all.push_back(n);
  EXPECT_EQ(publisher_.rows, all);
}

TEST_F(OutboxTest, goes_on_with_what_the_run_before_has_not_published) {
  {
    Outbox outbox = box();
    add(outbox, 5);
    keep(outbox);
  }
  Outbox outbox = box();
  publisher_.room = 9;
  EXPECT_EQ(kept_.rows, 5U);
  kept_.published = 2;
  kept_.rows_to = EventTime{4};
  kept_.publisher_position = "here";
  ASSERT_TRUE(outbox.resume(kept_));
  EXPECT_TRUE(outbox.had(final_at(row_at(4))));
  EXPECT_FALSE(outbox.had(final_at(row_at(5))));
  EXPECT_EQ(publisher_.from, "here");
  ASSERT_TRUE(outbox.hand_over());
  EXPECT_EQ(publisher_.rows, (std::vector<std::uint64_t>{2, 3, 4}));
}

// A row is written once, where queries find it, and what waits for its publisher names the place.
TEST_F(OutboxTest, reads_rows_where_they_are_kept_for_queries) {
  RowArchive archive(Duration{1000}, Duration{0});
  std::size_t once = 0;
  {
    Outbox outbox = box();
    StateBatch batch;
    for (std::uint64_t number = 0; number < 100; ++number) {
      const SharedRow row = render(row_at(number));
      once += row->json.size();
      outbox.add(*row, archive.note(*row));
    }
    EXPECT_EQ(outbox.needs_kept_from(), EventTime{0});
    outbox.save(batch, EventTime{99}, kept_);
    archive.save(batch, minus_infinity);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  }
  std::size_t bytes = 0;
  ASSERT_TRUE(store_.scan("o", "p", [&](std::string_view, std::string_view value) {
    bytes += value.size();
    return true;
  }));
  EXPECT_LT(bytes, once / 2);
  Outbox outbox = box();
  publisher_.room = 1000;
  ASSERT_TRUE(outbox.resume(kept_));
  EXPECT_LE(outbox.needs_kept_from(), EventTime{0});
  ASSERT_TRUE(outbox.hand_over());
  EXPECT_EQ(publisher_.rows.size(), 100U);
  publisher_.done = 100;
  ASSERT_TRUE(outbox.look());
  EXPECT_EQ(outbox.needs_kept_from(), plus_infinity);
}

TEST_F(OutboxTest, says_from_when_on_rows_have_to_be_kept_for_it) {
  Outbox outbox = box();
  publisher_.room = 1000;
  for (std::uint64_t checkpoint = 0; checkpoint < 3; ++checkpoint) {
    add(outbox, 5);
    EXPECT_EQ(outbox.needs_kept_from(), EventTime{0});
    keep(outbox);
  }
  for (const auto& [done, since] : {std::pair{4, 0}, {5, 5}, {12, 10}, {14, 10}}) {
    publisher_.done = static_cast<std::uint64_t>(done);
    ASSERT_TRUE(outbox.look());
    EXPECT_EQ(outbox.needs_kept_from(), EventTime{since}) << done;
  }
  publisher_.done = 15;
  ASSERT_TRUE(outbox.look());
  EXPECT_EQ(outbox.needs_kept_from(), plus_infinity);
}

TEST_F(OutboxTest, says_that_the_state_is_damaged_where_a_row_is_not_where_it_should_be) {
  RowArchive archive(Duration{1000}, Duration{0});
  {
    Outbox outbox = box();
    const SharedRow row = render(row_at(0));
    outbox.add(*row, archive.note(*row));
    StateBatch batch;
    outbox.save(batch, EventTime{0}, kept_);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  }
  Outbox outbox = box();
  const auto resumed = outbox.resume(kept_);
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, Errc::state_unusable);
  EXPECT_NE(resumed.error().context.find("row 0, which is to be published, cannot be read"), std::string::npos);
}

// By another configuration, in which windows were longer.
TEST_F(OutboxTest, needs_what_waits_wherever_its_window_began) {
  constexpr Duration long_ago{40 * one_day.ms};
  RowArchive archive(Duration{1}, Duration{0});
  Row row = row_at(1);
  row.end = EventTime{row.start.ms + long_ago.ms};
  {
    Outbox outbox = box();
    const SharedRow rendered = render(row);
    outbox.add(*rendered, archive.note(*rendered));
    EXPECT_LE(outbox.needs_kept_from(), row.start);
    StateBatch batch;
    outbox.save(batch, final_at(row), kept_);
    archive.save(batch, minus_infinity);
    ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  }
  Outbox outbox = box();
  ASSERT_TRUE(outbox.resume(kept_));
  StateBatch batch;
  RowArchive(Duration{1}, Duration{0}).save(batch, std::min(final_at(row), outbox.needs_kept_from()));
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  const auto waiting = Outbox::waiting_in(store_, kept_);
  ASSERT_TRUE(waiting) << waiting.error().context;
  EXPECT_EQ(waiting->rows, 1U);
}

TEST_F(OutboxTest, drops_what_is_published_and_nothing_else) {
  Outbox outbox = box();
  add(outbox, 5);
  keep(outbox);
  publisher_.room = 9;
  ASSERT_TRUE(outbox.hand_over());
  keep(outbox);
  EXPECT_EQ(rows_in_state(), 5U);
  publisher_.done = 3;
  EXPECT_TRUE(outbox.look().value());
  EXPECT_FALSE(outbox.look().value());
  EXPECT_EQ(outbox.waiting(), 2U);
  keep(outbox);
  EXPECT_EQ(rows_in_state(), 2U);
}

TEST_F(OutboxTest, counts_looks_apart_from_rows_of_windows) {
  publisher_.wants_looks = true;
  const auto look_at = [](std::int64_t time) {
    RenderedExperimentRow look;
    look.json = "look";
    look.row.end = EventTime{time};
    return look;
  };
  {
    Outbox outbox = box();
    add(outbox, 2);
    outbox.add(look_at(2));
    add(outbox, 1);
    outbox.add(look_at(4));
    keep(outbox);
    EXPECT_EQ(outbox.rows(), 5U);
    EXPECT_EQ(outbox.looks(), 2U);
    EXPECT_EQ(outbox.looks_waiting(), 2U);
    publisher_.room = 9;
    ASSERT_TRUE(outbox.hand_over());
    publisher_.done = 3;
    ASSERT_TRUE(outbox.look());
    EXPECT_EQ(outbox.looks_waiting(), 1U);
    EXPECT_EQ(outbox.waiting(), 2U);
    keep(outbox);
  }
  Outbox outbox = box();
  ASSERT_TRUE(outbox.resume(kept_));
  EXPECT_EQ(outbox.looks(), 2U);
  EXPECT_EQ(outbox.looks_waiting(), 1U);
  ASSERT_TRUE(outbox.hand_over());
  publisher_.done = 5;
  ASSERT_TRUE(outbox.look());
  EXPECT_EQ(outbox.looks(), 2U);
  EXPECT_EQ(outbox.looks_waiting(), 0U);
  EXPECT_EQ(outbox.waiting(), 0U);
}

TEST_F(OutboxTest, tells_once_that_rows_wait_and_once_that_they_do_not) {
  Outbox outbox = box();
  for (const char* why : {"", "there is no topic", "no broker answers", "", ""}) {
    publisher_.why = why;
    ASSERT_TRUE(outbox.look());
    EXPECT_EQ(outbox.trouble(), why);
  }
  EXPECT_EQ(told_, (std::vector<Notice>{Notice::rows_waiting, Notice::rows_published}));
}

TEST_F(OutboxTest, calls_a_state_damaged_whose_rows_cannot_be_read) {
  Outbox outbox = box();
  add(outbox, 1);
  keep(outbox);
  ASSERT_TRUE(outbox.hand_over());
  std::string key;
  ASSERT_TRUE(store_.scan("o", "p", [&](std::string_view found, std::string_view) {
    key = found;
    return false;
  }));
  StateBatch batch;
  batch.put(key, "nonsense");
  ASSERT_TRUE(store_.write(batch, StateStore::Durability::machine));
  publisher_.room = 1;
  const auto done = outbox.hand_over();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::state_unusable);
}

}  // namespace
}  // namespace recmeter
