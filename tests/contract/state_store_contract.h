// What every StateStore promises (port/state_store.h). A suite instantiates StateStoreContract with ways to open one.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/port/state_store.h"
#include "support/dice.h"

namespace recmeter::contract {

// A place for a state; each open() gives the state as it was left.
class StatePlace {
 public:
  virtual ~StatePlace() = default;
  [[nodiscard]] virtual std::unique_ptr<StateStore> open() = 0;
  [[nodiscard]] virtual bool survives_closing() const = 0;
};

struct StateStoreCase {
  std::string name;
  std::function<std::unique_ptr<StatePlace>()> place;
};

inline void PrintTo(const StateStoreCase& c, std::ostream* out) {
  *out << c.name;
}

using Content = std::vector<std::pair<std::string, std::string>>;

class StateStoreContract : public ::testing::TestWithParam<StateStoreCase> {
 protected:
  StateStoreContract() : place_(GetParam().place()), store_(place_->open()) {}

  void write(const StateBatch& batch) {
    ASSERT_TRUE(store_->write(batch, StateStore::Durability::process)) << "a sound store takes every batch";
  }
  [[nodiscard]] Content content(const std::string& from = "", const std::string& to = "\xff\xff\xff\xff") const {
    Content out;
    const auto scanned = store_->scan(from, to, [&](std::string_view key, std::string_view value) {
      out.emplace_back(key, value);
      return true;
    });
    EXPECT_TRUE(scanned);
    return out;
  }

  std::unique_ptr<StatePlace> place_;
  std::unique_ptr<StateStore> store_;
};

TEST_P(StateStoreContract, is_empty_at_first) {
  EXPECT_EQ(content(), Content());
  EXPECT_EQ(*store_->get("a"), std::nullopt);
}

TEST_P(StateStoreContract, gives_back_bytes_of_every_kind) {
  using namespace std::string_literals;
  StateBatch batch;
  batch.put("a\0b"s, "\0\xff\n"s);
  batch.put("empty", "");
  batch.put("large", std::string(3 << 20, 'x'));
  write(batch);
  EXPECT_EQ(*store_->get("a\0b"s), "\0\xff\n"s);
  EXPECT_EQ(*store_->get("empty"), "");
  EXPECT_EQ((*store_->get("large"))->size(), std::size_t{3} << 20);
  EXPECT_EQ(*store_->get("a"), std::nullopt);
}

TEST_P(StateStoreContract, scans_in_the_order_of_bytes_from_the_first_key_to_before_the_last) {
  StateBatch batch;
  for (const char* key : {"b", "a", "\xc3", "ab", "B"}) batch.put(key, key);
  write(batch);
  EXPECT_EQ(content(), (Content{{"B", "B"}, {"a", "a"}, {"ab", "ab"}, {"b", "b"}, {"\xc3", "\xc3"}}));
  EXPECT_EQ(content("a", "b"), (Content{{"a", "a"}, {"ab", "ab"}}));
  EXPECT_EQ(content("b", "a"), Content());
  int seen = 0;
  EXPECT_TRUE(store_->scan("", "\xff", [&](std::string_view, std::string_view) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

TEST_P(StateStoreContract, makes_the_changes_of_a_batch_in_their_order) {
  StateBatch batch;
  batch.put("a", "1");
  batch.put("b", "1");
  batch.erase_range("a", "b");
  batch.put("a", "2");
  batch.erase("b");
  batch.put("c", "1");
  batch.put("c", "2");
  batch.erase_range("d", "c");
  batch.erase("nothing");
  write(batch);
  EXPECT_EQ(content(), (Content{{"a", "2"}, {"c", "2"}}));
}

TEST_P(StateStoreContract, behaves_as_a_map_through_random_batches_and_openings) {
  support::Dice dice(3);
  std::map<std::string, std::string> expected;
  const auto key = [&] { return std::string(1 + dice.below(2), static_cast<char>('a' + dice.below(6))); };
  for (int round = 0; round < 60; ++round) {
    StateBatch batch;
    for (std::size_t n = dice.below(8); n > 0; --n) {
      std::string first = key();
      std::string second = dice.percent(50) ? key() : std::to_string(round);
      switch (dice.below(4)) {
        case 0:
          expected.erase(first);
          batch.erase(first);
          break;
        case 1:
          if (first < second) expected.erase(expected.lower_bound(first), expected.lower_bound(second));
          batch.erase_range(first, second);
          break;
        default: expected[first] = second; batch.put(first, second);
      }
    }
    const auto durability = dice.percent(10) ? StateStore::Durability::machine : StateStore::Durability::process;
    ASSERT_TRUE(store_->write(batch, durability));
    if (place_->survives_closing() && dice.percent(10)) {
      store_.reset();
      store_ = place_->open();
    }
    ASSERT_EQ(content(), Content(expected.begin(), expected.end())) << round;
  }
}

}  // namespace recmeter::contract
