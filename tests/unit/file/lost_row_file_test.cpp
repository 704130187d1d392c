// Files of rows that others move, delete or cut, while a run writes to them and between runs. [I2.39].
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/file/row_file.h"
#include "support/dice.h"
#include "support/effort.h"
#include "unit/file/scratch.h"

namespace recmeter::file {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t zero = 1'700'006'400'000;

class LostRowFile : public testing::Test {
 protected:
  [[nodiscard]] Result<void> try_open(std::string_view position, const std::string& name = "w.jsonl") {
    publisher_ = row_file(scratch_.path(name), {.lost = [this](const LostFile& file) { lost_.push_back(file); }});
    return publisher_->go_on_from(position);
  }
  void open(std::string_view position = "") {
    const auto done = try_open(position);
    ASSERT_TRUE(done) << done.error().context;
  }
  void publish(std::uint64_t number) {
    ASSERT_TRUE(publisher_->publish({.number = number,
                                     .key = "key" + std::to_string(number),
                                     .value = "row" + std::to_string(number),
                                     .final_at = EventTime{zero}}));
  }
  // As a run does in a round.
  std::string saved() {
    EXPECT_TRUE(publisher_->published());
    std::string position = publisher_->position();
    EXPECT_TRUE(publisher_->published());
    return position;
  }
  [[nodiscard]] std::string content() const { return scratch_.get("w.jsonl"); }

  test::Scratch scratch_;
  std::vector<LostFile> lost_;
  std::unique_ptr<RowPublisher> publisher_;
};

TEST_F(LostRowFile, goes_on_with_the_next_row_when_it_was_moved) {
  open();
  publish(0);
  fs::rename(scratch_.path("w.jsonl"), scratch_.path("w.jsonl.1"));
  publish(1);
  EXPECT_TRUE(publisher_->is_full()) << "until the state knows the new file";
  ASSERT_TRUE(publisher_->awaits_state());
  EXPECT_EQ(publisher_->published().value(), 1U);
  saved();
  publish(2);
  EXPECT_EQ(scratch_.get("w.jsonl.1"), "row0\n");
  EXPECT_EQ(content(), "row1\nrow2\n");
  ASSERT_EQ(lost_.size(), 1U);
  EXPECT_EQ(lost_[0].setting, "publish.file.path");
  EXPECT_EQ(lost_[0].last_row, 0U);
  EXPECT_NE(lost_[0].sentence.find("moved or deleted"), std::string::npos) << lost_[0].sentence;
  EXPECT_NE(lost_[0].sentence.find("number 0, key0"), std::string::npos) << lost_[0].sentence;
}

TEST_F(LostRowFile, is_noticed_without_a_row) {
  open();
  publish(0);
  fs::remove(scratch_.path("w.jsonl"));
  ASSERT_TRUE(publisher_->published());
  EXPECT_EQ(lost_.size(), 1U);
  EXPECT_EQ(content(), "") << "a new file is there";
}

TEST_F(LostRowFile, goes_on_with_the_next_row_when_it_was_cut) {
  open();
  publish(0);
  publish(1);
  fs::resize_file(scratch_.path("w.jsonl"), 0);
  publish(2);
  saved();
  EXPECT_EQ(content(), "row2\n");
  fs::resize_file(scratch_.path("w.jsonl"), 3);
  publish(3);
  saved();
  EXPECT_EQ(content(), "row3\n") << "no half of a line stays";
  ASSERT_EQ(lost_.size(), 2U);
  EXPECT_NE(lost_[1].sentence.find("was cut"), std::string::npos) << lost_[1].sentence;
  publish(4);
  saved();
  fs::resize_file(scratch_.path("w.jsonl"), 7);
  publish(5);
  saved();
  EXPECT_EQ(content(), "row3\nrow5\n");
}

TEST_F(LostRowFile, of_somebody_else_in_its_place_is_refused_and_left_alone) {
  open();
  publish(0);
  fs::remove(scratch_.path("w.jsonl"));
  scratch_.put("w.jsonl", "a diary\n");
  const auto done = publisher_->published();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::state_unusable);
  EXPECT_EQ(content(), "a diary\n");
}

TEST_F(LostRowFile, between_runs_is_told_and_gone_on_from) {
  for (const std::string how : {"moved", "moved_and_made", "deleted", "cut", "cut_in_the_middle"}) {
    SCOPED_TRACE(how);
    lost_.clear();
    fs::remove(scratch_.path("w.jsonl"));
    open();
    publish(0);
    publish(1);
    const std::string position = saved();
    publisher_.reset();
    if (how.starts_with("moved")) fs::rename(scratch_.path("w.jsonl"), scratch_.path("old"));
    if (how == "moved_and_made") scratch_.put("w.jsonl", "");
    if (how == "deleted") fs::remove(scratch_.path("w.jsonl"));
    if (how.starts_with("cut")) fs::resize_file(scratch_.path("w.jsonl"), how == "cut" ? 0 : 7);
    open(position);
    ASSERT_EQ(lost_.size(), 1U);
    EXPECT_EQ(lost_[0].last_row, 1U);
    EXPECT_NE(lost_[0].sentence.find("key1"), std::string::npos) << lost_[0].sentence;
    saved();
    publish(2);
    EXPECT_EQ(content(), how == "cut_in_the_middle" ? "row0\nrow2\n" : "row2\n");
  }
}

// The inode of a file that was deleted is given to the next one.
TEST_F(LostRowFile, of_another_state_is_refused_by_the_next_start_and_left_alone) {
  open();
  for (std::uint64_t n = 0; n < 20; ++n) publish(n);
  const std::string position = saved();
  publisher_.reset();
  for (const std::string& other : {std::string("a diary\n"), std::string("a diary"), std::string(5'000, 'x'),
                                   std::string("row1\n"), std::string("row0"), std::string("\n")}) {
    fs::remove(scratch_.path("w.jsonl"));
    scratch_.put("w.jsonl", other);
    const auto done = try_open(position);
    ASSERT_FALSE(done) << other.substr(0, 20);
    EXPECT_EQ(done.error().code, Errc::state_unusable);
    EXPECT_NE(done.error().context.find("move the file away"), std::string::npos) << done.error().context;
    EXPECT_EQ(content(), other);
  }
  EXPECT_TRUE(lost_.empty());
}

TEST_F(LostRowFile, copied_back_under_its_name_is_the_same) {
  open();
  publish(0);
  const std::string position = saved();
  publish(1);
  publisher_.reset();
  fs::copy_file(scratch_.path("w.jsonl"), scratch_.path("copy"));
  fs::rename(scratch_.path("copy"), scratch_.path("w.jsonl"));
  open(position);
  publish(1);
  EXPECT_EQ(content(), "row0\nrow1\n");
  EXPECT_TRUE(lost_.empty());
}

TEST_F(LostRowFile, of_a_state_that_says_no_more_than_the_length_goes_on) {
  open();
  publish(0);
  const std::string position = saved();
  publisher_.reset();
  ByteReader from(position);
  ByteWriter older;
  older.add(from.number());
  older.add(from.number());
  older.add_signed(from.signed_number());
  older.add_text(from.text());
  open(older.bytes());
  publish(1);
  EXPECT_EQ(content(), "row0\nrow1\n");
  publisher_.reset();
  fs::rename(scratch_.path("w.jsonl"), scratch_.path("old"));
  open(older.bytes());
  EXPECT_EQ(lost_.size(), 1U);
  scratch_.put("w.jsonl", "r\n");
  EXPECT_FALSE(try_open(older.bytes()));
}

// What the world does to the file; what it takes away is kept.
class Rotation {
 public:
  Rotation(const test::Scratch& scratch, support::Dice& dice) : scratch_(scratch), dice_(dice) {}
  void happen() {
    const std::string path = scratch_.path("w.jsonl");
    if (!fs::exists(path) || fs::file_size(path) == 0) return;
    const std::string to = scratch_.path("w.jsonl." + std::to_string(++count_));
    if (dice_.percent(50)) {
      fs::rename(path, to);
      if (dice_.percent(50)) scratch_.put("w.jsonl", "");
    } else {
      fs::copy_file(path, to);
      fs::resize_file(path, 0);
    }
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  const test::Scratch& scratch_;
  support::Dice& dice_;
  std::uint64_t count_ = 0;
};

void rotate_and_kill_again_and_again(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  support::Dice dice(seed);
  const std::size_t rows = 10 + dice.below(60);
  const test::Scratch scratch;
  Rotation rotation(scratch, dice);
  std::uint64_t told = 0;
  std::string position;        // that the state has
  std::uint64_t in_state = 0;  // rows that the state has
  std::uint64_t known = 0;     // to be published
  const auto lost = [&told](const LostFile&) { ++told; };
  for (bool has_ended = false; !has_ended;) {
    const auto publisher = row_file(scratch.path("w.jsonl"), {.lost = lost});
    const auto begun = publisher->go_on_from(position);
    ASSERT_TRUE(begun) << begun.error().context;
    std::uint64_t next = known;
    for (std::size_t steps = dice.below(60); steps > 0 && !has_ended; --steps) {
      if (dice.percent(10)) rotation.happen();
      const auto published = publisher->published();
      ASSERT_TRUE(published) << published.error().context;
      if (dice.percent(30)) {
        position = publisher->position();
        known = *published;
        in_state = std::min<std::uint64_t>(rows, in_state + dice.below(8));
      }
      while (next < in_state && !publisher->is_full() && !dice.percent(5)) {
        ASSERT_TRUE(publisher->publish(
            {.number = next, .key = "", .value = "row" + std::to_string(next), .final_at = EventTime{zero}}));
        ++next;
      }
      has_ended = known == rows;
    }
    if (!has_ended && dice.percent(30) && !position.empty()) rotation.happen();
  }
  std::map<std::string, int> times;
  for (const std::string& name : scratch.names()) {
    std::istringstream in(scratch.get(name));
    for (std::string line; std::getline(in, line);) ++times[line];
  }
  ASSERT_EQ(times.size(), rows);
  for (const auto& [row, count] : times) ASSERT_EQ(count, 1) << row;
  ASSERT_TRUE(rotation.count() == 0 || told > 0);
}

TEST(RowFile, has_each_row_once_in_old_and_new_files_however_they_are_rotated_and_it_is_killed) {
  support::for_each_seed(200, 20'000, rotate_and_kill_again_and_again);
}

}  // namespace
}  // namespace recmeter::file
