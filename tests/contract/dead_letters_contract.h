// What every DeadLetters promises (port/dead_letters.h). A suite instantiates DeadLettersContract with ways to open one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "recmeter/port/dead_letters.h"

namespace recmeter::contract {

// A place for dead letters; each open() is another run's way to it.
class LetterPlace {
 public:
  virtual ~LetterPlace() = default;
  [[nodiscard]] virtual std::unique_ptr<DeadLetters> open() = 0;
  // Everything that is there for others to read.
  [[nodiscard]] virtual std::vector<DeadLetter> received() = 0;
  // While it is obstructed nothing can be delivered.
  virtual void obstruct(bool is_obstructed) = 0;
};

struct DeadLettersCase {
  std::string name;
  std::function<std::unique_ptr<LetterPlace>()> place;
};

inline void PrintTo(const DeadLettersCase& c, std::ostream* out) {
  *out << c.name;
}

class DeadLettersContract : public ::testing::TestWithParam<DeadLettersCase> {
 protected:
  DeadLettersContract() : place_(GetParam().place()), letters_(place_->open()) {}

  static DeadLetter letter(std::int64_t offset, std::string value = "{\"type\":1}") {
    return {.topic = "log",
            .partition = 3,
            .offset = offset,
            .fate = Fate::invalid,
            .reason = "no_type",
            .timestamp = EventTime{1'700'000'000'000 + offset},
            .key = "k",
            .value = std::move(value)};
  }
  void send(DeadLetter letter) {
    ASSERT_TRUE(letters_->send(std::move(letter)));
    ++sent_;
  }
  // Delivers until `enough` or a minute is over.
  template <class Enough>
  DeadLetters::Delivery deliver_until(Enough&& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (true) {
      auto delivery = letters_->deliver(true);
      EXPECT_TRUE(delivery);
      if (!delivery || enough(*delivery)) return delivery.value_or(DeadLetters::Delivery{});
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "delivered " << delivery->delivered << " of " << sent_ << " after a minute: " << delivery->trouble;
        return *delivery;
      }
      std::this_thread::yield();
    }
  }
  void settle() {
    const auto delivery = deliver_until([&](const auto& now) { return now.delivered == sent_; });
    EXPECT_EQ(delivery.trouble, "");
  }
  // In the order of their offsets, each once.
  [[nodiscard]] std::vector<std::string> received() const {
    std::vector<DeadLetter> letters = place_->received();
    std::stable_sort(letters.begin(), letters.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    std::vector<std::string> lines;
    for (const DeadLetter& letter : letters) lines.push_back(render_json(letter));
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }
  [[nodiscard]] static std::vector<std::string> lines(const std::vector<DeadLetter>& letters) {
    std::vector<std::string> lines;
    for (const DeadLetter& letter : letters) lines.push_back(render_json(letter));
    return lines;
  }

  std::unique_ptr<LetterPlace> place_;
  std::unique_ptr<DeadLetters> letters_;
  std::uint64_t sent_ = 0;  // to letters_
};

TEST_P(DeadLettersContract, delivers_records_as_they_came) {
  using namespace std::string_literals;
  ASSERT_TRUE(letters_->go_on_from(""));
  std::vector<DeadLetter> expected{letter(0), letter(1, "\xff\0\x80 not \"UTF-8\"\n"s), letter(2, "gr\xc3\xbc\xc3\x9f\n\x01"),
                                   letter(3, "")};
  expected[1].key = "\xfe\x01"s;
  expected[1].fate = Fate::late;
  expected[1].reason = "late";
  expected[2].key = std::nullopt;
  expected[2].fate = Fate::future;
  expected[2].reason = "future";
  expected[2].headers = {{"trace", "abc"}, {"trace", "\xff"}, {"none", std::nullopt}, {"empty", ""}};
  expected[3].key = "";
  expected.push_back(letter(4, std::string(200'000, 'x')));
  for (const DeadLetter& each : expected) send(each);
  settle();
  EXPECT_EQ(received(), lines(expected));
}

TEST_P(DeadLettersContract, counts_what_is_delivered) {
  ASSERT_TRUE(letters_->go_on_from(""));
  EXPECT_EQ(letters_->deliver(true)->delivered, 0U);
  for (std::int64_t round = 0; round < 5; ++round) {
    for (std::int64_t n = 0; n < 20; ++n) send(letter(20 * round + n));
    settle();
    EXPECT_EQ(received().size(), sent_);
  }
}

TEST_P(DeadLettersContract, keeps_what_cannot_be_delivered_and_says_why) {
  ASSERT_TRUE(letters_->go_on_from(""));
  send(letter(0));
  settle();
  place_->obstruct(true);
  send(letter(1));
  send(letter(2));
  const auto delivery = deliver_until([](const auto& now) { return !now.trouble.empty(); });
  EXPECT_EQ(delivery.delivered, 1U);
  send(letter(3));
  place_->obstruct(false);
  settle();
  EXPECT_EQ(received(), lines({letter(0), letter(1), letter(2), letter(3)}));
}

TEST_P(DeadLettersContract, has_each_letter_when_a_run_goes_on_from_where_they_were_delivered) {
  ASSERT_TRUE(letters_->go_on_from(""));
  send(letter(0));
  send(letter(1));
  settle();
  const std::string position = letters_->position();
  send(letter(2));
  send(letter(3));
  ASSERT_TRUE(letters_->deliver(true));  // perhaps, perhaps not
  letters_.reset();
  letters_ = place_->open();
  sent_ = 0;
  ASSERT_TRUE(letters_->go_on_from(position));
  for (std::int64_t offset = 2; offset < 6; ++offset) send(letter(offset));
  settle();
  EXPECT_EQ(received(), lines({letter(0), letter(1), letter(2), letter(3), letter(4), letter(5)}));
}

}  // namespace recmeter::contract
