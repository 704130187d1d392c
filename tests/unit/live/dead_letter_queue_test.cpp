#include "recmeter/live/dead_letter_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recmeter/evaluation/sequencer.h"
#include "support/decoded.h"
#include "support/memory_letters.h"

namespace recmeter {
namespace {

using support::at;
using support::DeliveredLetters;
using support::feedback_line;
using support::MemoryLetters;

// A partition of a topic whose records the broker took at `now`.
class LetterBoxTest : public testing::Test {
 protected:
  void start(LetterFates fates = {.invalid = true, .future = true, .late = true}) {
    box_ = std::make_unique<DeadLetterQueue>(&letters_, fates,
                                             [this](Notice, std::string_view said) { said_.emplace_back(said); });
    sequencer_.emplace(std::vector<Sequencer::PartitionSpec>{{"clicks/7", Duration{10}}},
                       TimeRule{.max_future_skew = {1000}, .max_step = {0}}, 1, box_.get());
  }
  void read(const std::vector<std::string>& lines, EventTime now = at(0)) {
    auto records = std::make_shared<RecordBatch>();
    for (const std::string& line : lines) {
      records->envelopes.push_back({.offset = offset_++, .key = "k", .headers = {{"h", "v"}}, .rest = "rest"});
      records->records.push_back({.offset = records->bytes.size(), .size = line.size(), .broker_time = now});
      records->bytes.insert(records->bytes.end(), line.begin(), line.end());
    }
    records->bytes.resize(records->bytes.size() + RecordBatch::padding, '\0');
    const auto events =
        std::make_shared<const EventBatch>(make_decoder(support::decoder_options({"click"}))->decode(*records));
    sequencer_->read(0, events);
    ASSERT_TRUE(box_->send("clicks/7", {.events = events, .records = records}));
  }
  [[nodiscard]] std::vector<std::string> delivered() {
    while (!box_->deliver(true).value()) {
    }
    std::vector<std::string> out;
    for (const DeadLetter& letter : place_.letters) out.push_back(std::to_string(letter.offset) + " " + letter.reason);
    return out;
  }

  DeliveredLetters place_;
  MemoryLetters letters_{place_, 1, 50};
  std::vector<std::string> said_;
  std::unique_ptr<DeadLetterQueue> box_;
  std::optional<Sequencer> sequencer_;
  std::int64_t offset_ = 40;
};

TEST_F(LetterBoxTest, makes_letters_of_invalid_future_and_late_records_alone) {
  start();
  read({feedback_line(100, "click", "u", "a"), "nonsense", support::tick_line(110), feedback_line(5000, "click", "u", "b"),
        feedback_line(120, "click", "u", "a"), feedback_line(20, "click", "u", "a")});
  EXPECT_EQ(delivered(), (std::vector<std::string>{"41 not_json", "43 future", "45 late"}));
  const DeadLetter& letter = place_.letters[0];
  EXPECT_EQ(letter.topic, "clicks");
  EXPECT_EQ(letter.partition, 7);
  EXPECT_EQ(letter.fate, Fate::invalid);
  EXPECT_EQ(letter.timestamp, at(0));
  EXPECT_EQ(letter.key, "k");
  EXPECT_EQ(letter.value, "nonsenserest") << "what was cut off is part of the record";
  EXPECT_EQ(letter.headers, (std::vector<RecordEnvelope::Header>{{"h", "v"}}));
}

TEST_F(LetterBoxTest, leaves_out_fates_that_are_not_asked_for) {
  start({.invalid = false, .future = false, .late = true});
  read({feedback_line(100, "click", "u", "a"), "nonsense", feedback_line(5000, "click", "u", "b"),
        feedback_line(20, "click", "u", "a")});
  EXPECT_EQ(delivered(), (std::vector<std::string>{"43 late"}));
}

TEST_F(LetterBoxTest, makes_one_letter_of_a_record_with_several_events) {
  start();
  const std::string basket =
      R"({"type":"click","ts":)" + std::to_string(at(20).ms) + R"(,"user_id":"u","items":["a","b","c"]})";
  read({feedback_line(100, "click", "u", "a"), basket, basket, feedback_line(101, "click", "u", "a")});
  EXPECT_EQ(delivered(), (std::vector<std::string>{"41 late", "42 late"}));
}

TEST_F(LetterBoxTest, knows_records_of_a_later_block) {
  start();
  read({"nonsense", feedback_line(100, "click", "u", "a")});
  read({feedback_line(100, "click", "u", "a"), "{}"});
  EXPECT_EQ(delivered(), (std::vector<std::string>{"40 not_json", "43 no_type"}));
}

TEST_F(LetterBoxTest, says_once_that_letters_cannot_be_delivered_and_once_that_they_can) {
  start();
  place_.is_obstructed = true;
  read({"nonsense"});
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(box_->deliver(true).value());
  EXPECT_EQ(said_, (std::vector<std::string>{"dead letters cannot be delivered, so nothing more is read: it is obstructed"}));
  place_.is_obstructed = false;
  EXPECT_EQ(delivered().size(), 1U);
  ASSERT_EQ(said_.size(), 2U);
  EXPECT_EQ(said_[1], "dead letters are delivered again; continuing");
}

TEST_F(LetterBoxTest, says_nothing_of_a_place_that_takes_none_before_there_is_one) {
  start();
  place_.is_obstructed = true;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(box_->deliver(false).value());
  EXPECT_TRUE(said_.empty()) << said_.front();
  read({"nonsense"});
  EXPECT_FALSE(box_->deliver(false).value());
  EXPECT_EQ(said_.size(), 1U);
}

TEST_F(LetterBoxTest, is_full_before_memory_is) {
  start();
  place_.is_obstructed = true;
  std::size_t records = 0;
  for (; !box_->is_full() && records < 100'000; ++records) read({"nonsense"});
  EXPECT_EQ(records, 10'000U) << "letters";
  place_.is_obstructed = false;
  EXPECT_EQ(delivered().size(), records);
  EXPECT_FALSE(box_->is_full());
  place_.is_obstructed = true;
  for (records = 0; !box_->is_full() && records < 100; ++records) read({std::string(std::size_t{1} << 20, 'x')});
  EXPECT_EQ(records, 16U) << "MiB";
}

}  // namespace
}  // namespace recmeter
