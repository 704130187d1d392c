// What every RowPublisher promises (port/row_publisher.h). A suite instantiates RowPublisherContract with ways to open one.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "recmeter/port/row_publisher.h"

namespace recmeter::contract {

// A place for rows; each open() is another run's way to it, after the one before is gone.
class RowPlace {
 public:
  virtual ~RowPlace() = default;
  [[nodiscard]] virtual std::unique_ptr<RowPublisher> open() = 0;
  // The values of all rows that are there for others to read, final ones in the order in which they came to be there.
  [[nodiscard]] virtual std::vector<std::string> received() = 0;
};

struct RowPublisherCase {
  std::string name;
  std::function<std::unique_ptr<RowPlace>()> place;
};

inline void PrintTo(const RowPublisherCase& c, std::ostream* out) {
  *out << c.name;
}

class RowPublisherContract : public ::testing::TestWithParam<RowPublisherCase> {
 protected:
  RowPublisherContract() : place_(GetParam().place()), publisher_(place_->open()) {}

  static std::string value_of(std::uint64_t number) { return R"({"stage":"final","number":)" + std::to_string(number) + "}"; }
  static NumberedRow row(std::uint64_t number) {
    return {.number = number,
            .key = R"({"number":)" + std::to_string(number) + "}",
            .value = value_of(number),
            .final_at = EventTime{1'700'000'000'000 + static_cast<std::int64_t>(number) * 1000}};
  }
  // As a run does: in their order, none while it is full.
  void publish(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t number = from; number < to; ++number) {
      await([&] { return !publisher_->is_full(); });
      ASSERT_TRUE(publisher_->publish(row(number)));
    }
  }
  template <class Enough>
  void await(Enough&& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!enough()) {
      const auto published = publisher_->published();
      ASSERT_TRUE(published);
      EXPECT_GE(*published, published_) << "what is published stays so";
      published_ = *published;
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "published " << *published << ": " << publisher_->trouble();
      std::this_thread::yield();
    }
  }
  void settle(std::uint64_t rows) {
    await([&] { return published_ >= rows; });
    EXPECT_EQ(published_, rows) << "no more is published than was taken";
    EXPECT_EQ(publisher_->trouble(), "");
    EXPECT_EQ(publisher_->errors(), 0U);
  }
  // Another run, which knows the position of one before.
  void reopen(const std::string& position) {
    publisher_.reset();
    publisher_ = place_->open();
    published_ = 0;
    ASSERT_TRUE(publisher_->go_on_from(position));
  }
  // Each row is there; a row that is there twice has the same bytes, since these are all that it has.
  void expect_received(std::uint64_t rows) {
    std::map<std::string, int> times;
    for (const std::string& value : place_->received()) ++times[value];
    EXPECT_EQ(times.size(), rows);
    for (std::uint64_t number = 0; number < rows; ++number) EXPECT_GE(times[value_of(number)], 1) << number;
  }

  std::unique_ptr<RowPlace> place_;
  std::unique_ptr<RowPublisher> publisher_;
  std::uint64_t published_ = 0;
};

TEST_P(RowPublisherContract, publishes_each_row_in_its_order) {
  ASSERT_TRUE(publisher_->go_on_from(""));
  EXPECT_FALSE(publisher_->is_full());
  publish(0, 300);
  settle(300);
  const std::vector<std::string> received = place_->received();
  ASSERT_EQ(received.size(), 300U);
  for (std::uint64_t number = 0; number < 300; ++number) EXPECT_EQ(received[number], value_of(number));
}

TEST_P(RowPublisherContract, has_published_nothing_before_there_is_a_row) {
  ASSERT_TRUE(publisher_->go_on_from(""));
  EXPECT_EQ(publisher_->published().value(), 0U);
  EXPECT_EQ(publisher_->trouble(), "");
}

TEST_P(RowPublisherContract, continues_where_the_state_says_whatever_came_after_that) {
  ASSERT_TRUE(publisher_->go_on_from(""));
  publish(0, 40);
  settle(40);
  const std::string kept = publisher_->position();
  publish(40, 70);
  settle(70);
  reopen(kept);  // killed before the state knew of rows 40 to 69
  publish(40, 100);
  settle(100);
  expect_received(100);
}

TEST_P(RowPublisherContract, leaves_no_gap_where_a_run_ended_with_rows_on_their_way) {
  ASSERT_TRUE(publisher_->go_on_from(""));
  publish(0, 20);
  settle(20);
  const std::string kept = publisher_->position();
  publish(20, 60);
  reopen(kept);
  publish(20, 60);
  settle(60);
  expect_received(60);
}

TEST_P(RowPublisherContract, takes_provisional_rows_only_where_it_wants_them) {
  ASSERT_TRUE(publisher_->go_on_from(""));
  const std::string value = R"({"stage":"provisional"})";
  if (publisher_->wants_provisional()) {
    ASSERT_TRUE(publisher_->publish_provisional(R"({"number":0})", value));
  }
  publish(0, 1);
  settle(1);
  const std::vector<std::string> received = place_->received();
  EXPECT_EQ(received.back(), value_of(0)) << "none comes after its final row";
}

}  // namespace recmeter::contract
