// Rows in files by period, each once, wherever a run was killed.
#include "recmeter/file/row_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "file/rotated_names.h"
#include "support/dice.h"
#include "support/effort.h"
#include "unit/file/scratch.h"

namespace recmeter::file {
namespace {

namespace fs = std::filesystem;

constexpr Duration hour{3'600'000};
constexpr std::int64_t midnight = 1'700'006'400'000;  // 2023-11-15T00:00:00Z

class RowFileTest : public testing::Test {
 protected:
  void open(std::string_view position = "", Duration rotate = hour) {
    publisher_ = row_file(scratch_.path("w.jsonl"),
                          {.rotate = rotate, .provisional = provisional_, .lost = [this](const LostFile&) { ++lost_; }});
    const auto done = publisher_->go_on_from(position);
    ASSERT_TRUE(done) << done.error().context;
  }
  // The row whose number is its value, final at that hour of the day.
  void publish(std::uint64_t number, std::int64_t at_hour) {
    const auto done = publisher_->publish({.number = number,
                                           .key = "",
                                           .value = "row" + std::to_string(number),
                                           .final_at = EventTime{midnight + at_hour * hour.ms}});
    ASSERT_TRUE(done) << done.error().context;
  }
  void publish_provisional(std::string_view text) { ASSERT_TRUE(publisher_->publish_provisional("", text)); }
  [[nodiscard]] std::string saved() const {
    EXPECT_TRUE(publisher_->published());
    std::string position = publisher_->position();
    return position;
  }
  [[nodiscard]] std::string content(const std::string& name) const { return scratch_.get(name); }
  [[nodiscard]] std::vector<std::string> names() const { return scratch_.names(); }

  bool provisional_ = false;
  int lost_ = 0;  // files, as told
  test::Scratch scratch_;
  std::unique_ptr<RowPublisher> publisher_;
};

TEST_F(RowFileTest, has_provisional_rows_between_final_ones_where_they_are_wanted) {
  open();
  EXPECT_FALSE(publisher_->wants_provisional());
  provisional_ = true;
  open();
  ASSERT_TRUE(publisher_->wants_provisional());
  publish_provisional("maybe");
  publish(0, 5);
  publish_provisional("perhaps");
  publish(1, 6);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.2023-11-15T0500.jsonl.open", "w.jsonl"}));
  EXPECT_EQ(content("w.2023-11-15T0500.jsonl.open"), "maybe\nrow0\nperhaps\n");
  EXPECT_EQ(content("w.jsonl"), "row1\n");
}

TEST_F(RowFileTest, loses_provisional_rows_after_the_states_position_and_no_final_one) {
  provisional_ = true;
  open();
  publish_provisional("maybe");
  publish(0, 5);
  const std::string position = saved();
  publish_provisional("perhaps");
  publish(1, 5);
  open(position);
  EXPECT_EQ(content("w.jsonl"), "maybe\nrow0\n");
  publish(1, 5);
  EXPECT_EQ(content("w.jsonl"), "maybe\nrow0\nrow1\n");
}

TEST_F(RowFileTest, closes_a_file_when_a_row_became_final_in_a_later_period) {
  open();
  publish(0, 5);
  publish(1, 5);
  publish(2, 6);
  EXPECT_EQ(content("w.2023-11-15T0500.jsonl.open"), "row0\nrow1\n");
  EXPECT_EQ(content("w.jsonl"), "row2\n");
  const std::string position = saved();
  EXPECT_EQ(publisher_->published().value(), 3U);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.2023-11-15T0500.jsonl", "w.jsonl"})) << "the state knows of it";
  publish(3, 9);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.2023-11-15T0500.jsonl", "w.2023-11-15T0600.jsonl.open", "w.jsonl"}));
}

TEST_F(RowFileTest, is_called_closed_only_when_the_state_knows) {
  open();
  publish(0, 5);
  const std::string before = saved();
  publish(1, 6);
  EXPECT_EQ(publisher_->published().value(), 2U);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.2023-11-15T0500.jsonl.open", "w.jsonl"}));
  publisher_.reset();
  open(before);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.jsonl"}));
  EXPECT_EQ(content("w.jsonl"), "row0\n");
  publish(1, 6);
  const std::string after = saved();
  publisher_.reset();  // killed with the position kept, before it is called closed
  open(after);
  EXPECT_EQ(names(), (std::vector<std::string>{"w.2023-11-15T0500.jsonl", "w.jsonl"}));
  EXPECT_EQ(content("w.jsonl"), "row1\n");
}

TEST_F(RowFileTest, takes_back_a_rotation_that_was_broken_off) {
  open();
  publish(0, 5);
  const std::string position = saved();
  publisher_.reset();
  fs::rename(scratch_.path("w.jsonl"), scratch_.path("w.2023-11-15T0500.jsonl.open"));
  open(position);
  publish(1, 6);
  EXPECT_EQ(content("w.2023-11-15T0500.jsonl.open"), "row0\n");
  EXPECT_EQ(content("w.jsonl"), "row1\n");
}

TEST_F(RowFileTest, leaves_names_alone_that_are_not_its_own) {
  open();
  publish(0, 5);
  const std::string position = saved();
  publisher_.reset();
  const std::vector<std::string> foreign{"w.2023-11-15T0700.jsonl", "w.notes.jsonl.open", "v.2023-11-15T0700.jsonl.open",
                                         "w.jsonl.open"};
  for (const std::string& name : foreign) scratch_.put(name, "foreign");
  open(position);
  publish(1, 7);
  for (const std::string& name : foreign) EXPECT_EQ(content(name), "foreign") << name;
  const auto clash =
      publisher_->publish({.number = 2, .key = "", .value = "row2", .final_at = EventTime{midnight + 8 * hour.ms}});
  ASSERT_FALSE(clash) << "a file that is there is not overwritten";
  EXPECT_NE(clash.error().context.find("w.2023-11-15T0700.jsonl"), std::string::npos) << clash.error().context;
  EXPECT_EQ(content("w.2023-11-15T0700.jsonl"), "foreign");
}

TEST_F(RowFileTest, refuses_rows_that_the_state_has_not_written) {
  scratch_.put("w.jsonl", "somebody's\n");
  const auto done = row_file(scratch_.path("w.jsonl"), {.rotate = hour})->go_on_from("");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::state_unusable) << "a service must not try again";
  EXPECT_NE(done.error().context.find("move the file away"), std::string::npos);
  EXPECT_EQ(content("w.jsonl"), "somebody's\n");
}

TEST_F(RowFileTest, goes_on_with_periods_of_another_length) {
  open("", Duration{24 * hour.ms});
  publish(0, 5);
  std::string position = saved();
  publisher_.reset();
  open(position, hour);
  publish(1, 5);
  publish(2, 6);
  position = saved();
  EXPECT_EQ(publisher_->published().value(), 3U);
  publisher_.reset();
  open(position, Duration{24 * hour.ms});
  publish(3, 7);
  publish(4, 30);
  EXPECT_EQ(content("w.2023-11-15.jsonl"), "row0\n");
  EXPECT_EQ(content("w.2023-11-15T0500.jsonl"), "row1\n");
  EXPECT_EQ(content("w.2023-11-15T0600.jsonl.open"), "row2\nrow3\n");
  EXPECT_EQ(content("w.jsonl"), "row4\n");
}

TEST(PeriodLabel, has_the_time_of_day_where_periods_are_no_whole_days) {
  EXPECT_EQ(period_label(EventTime{midnight}, Duration{86'400'000}), "2023-11-15");
  EXPECT_EQ(period_label(EventTime{midnight}, Duration{7 * 86'400'000}), "2023-11-15");
  EXPECT_EQ(period_label(EventTime{midnight}, Duration{3'600'000}), "2023-11-15T0000");
  EXPECT_EQ(period_label(EventTime{midnight + 5'400'000}, Duration{1'800'000}), "2023-11-15T0130");
  EXPECT_EQ(period_label(EventTime{midnight + 90'000}, Duration{90'000}), "2023-11-15T000130");
}

// Each file of a period has its rows and no others, in their order.
void check_files(const test::Scratch& scratch, const std::vector<std::int64_t>& hours) {
  std::map<std::int64_t, std::string> expected;
  for (std::size_t n = 0; n < hours.size(); ++n) expected[hours[n]] += "row" + std::to_string(n) + "\n";
  const RotatedNames rotated(scratch.path("w.jsonl"));
  for (const auto& [at, text] : expected) {
    const bool is_last = at == hours.back();
    const std::string name =
        is_last ? scratch.path("w.jsonl") : rotated.closed(period_label(EventTime{midnight + at * hour.ms}, hour));
    ASSERT_EQ(scratch.get(fs::path(name).filename().string()), text) << name;
  }
  ASSERT_EQ(scratch.names().size(), expected.size());
}

void kill_again_and_again(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  support::Dice dice(seed);
  std::vector<std::int64_t> hours{dice.between(0, 3)};  // at which each row became final
  for (std::size_t n = 1 + dice.below(60); n > 0; --n)
    hours.push_back(hours.back() + (dice.percent(25) ? dice.between(1, 3) : 0));
  const test::Scratch scratch;
  std::string position;        // that the state has
  std::uint64_t in_state = 0;  // rows that the state has
  std::uint64_t known = 0;     // to be published
  for (bool has_ended = false; !has_ended;) {
    const auto publisher = row_file(scratch.path("w.jsonl"), {.rotate = hour});
    const auto begun = publisher->go_on_from(position);
    ASSERT_TRUE(begun) << begun.error().context;
    std::uint64_t next = known;
    for (std::size_t steps = dice.below(80); steps > 0 && !has_ended; --steps) {
      // As attach does: a checkpoint, then its rows.
      const std::uint64_t published = publisher->published().value();
      if (dice.percent(30)) {
        position = publisher->position();
        known = published;
        in_state = std::min<std::uint64_t>(hours.size(), in_state + dice.below(12));
      }
      while (next < in_state && !dice.percent(5)) {
        ASSERT_TRUE(publisher->publish({.number = next,
                                        .key = "",
                                        .value = "row" + std::to_string(next),
                                        .final_at = EventTime{midnight + hours[next] * hour.ms}}));
        ++next;
      }
      has_ended = known == hours.size() && publisher->published().value() == known;
    }
    if (!has_ended && !position.empty() && dice.percent(50)) std::ofstream(scratch.path("w.jsonl"), std::ios::app) << "ro";
  }
  check_files(scratch, hours);
}

TEST(RowFile, has_each_row_once_in_its_file_wherever_it_is_killed) {
  support::for_each_seed(200, 20'000, kill_again_and_again);
}

// As logrotate does before it sends SIGHUP: what is moved away by who says so is no loss.
TEST_F(RowFileTest, goes_on_where_its_path_leads_when_it_is_opened_anew) {
  open();
  publish(0, 5);
  publish(1, 5);
  fs::rename(scratch_.path("w.jsonl"), scratch_.path("moved"));
  ASSERT_TRUE(publisher_->reopen());
  publish(2, 5);
  EXPECT_EQ(content("moved"), "row0\nrow1\n");
  EXPECT_EQ(content("w.jsonl"), "") << "the state is told of the new file before it has rows";
  const std::string position = saved();
  publish(3, 5);
  EXPECT_EQ(content("w.jsonl"), "row2\nrow3\n");
  open(position);
  EXPECT_EQ(content("w.jsonl"), "") << "what the state knows of is in the file that was moved";
  publish(2, 5);
  publish(3, 5);
  EXPECT_EQ(content("w.jsonl"), "row2\nrow3\n");
  EXPECT_EQ(content("moved"), "row0\nrow1\n");
  EXPECT_EQ(lost_, 0);
}

TEST_F(RowFileTest, goes_on_as_before_when_it_is_opened_anew_and_nothing_was_moved) {
  open();
  publish(0, 5);
  ASSERT_TRUE(publisher_->reopen());
  publish(1, 5);
  EXPECT_EQ(content("w.jsonl"), "row0\nrow1\n");
  fs::rename(scratch_.path("w.jsonl"), scratch_.path("moved"));
  fs::create_directory(scratch_.path("w.jsonl"));
  const auto done = publisher_->reopen();
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().context.find("cannot open publish.file.path"), std::string::npos) << done.error().context;
}

}  // namespace
}  // namespace recmeter::file
