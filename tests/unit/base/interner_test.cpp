#include "recmeter/base/interner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "support/dice.h"

namespace recmeter {
namespace {

using support::Dice;

constexpr EventTime t0{1000};

TEST(Interner, gives_equal_strings_equal_ids) {
  Interner interner;
  const auto id = interner.intern("a", t0);
  EXPECT_EQ(interner.intern(std::string("a"), t0), id);
  EXPECT_EQ(interner.size(), 1U);
}

TEST(Interner, tells_strings_apart_by_every_byte) {
  Interner interner;
  const std::vector<std::string> texts{"", "a", "A", std::string("a\0", 2), "aa", "a ", "\xC3\xA4"};
  std::set<Interner::Id> ids;
  for (const std::string& text : texts) ids.insert(interner.intern(text, t0));
  EXPECT_EQ(ids.size(), texts.size());
}

TEST(Interner, keeps_a_quarter_of_a_million_strings_apart) {
  Interner interner;
  constexpr std::uint32_t count = 250'000;  // enough for many equal slots and some equal tags on the way
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(interner.intern("item-" + std::to_string(i), t0), i);
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(interner.intern("item-" + std::to_string(i), t0), i);
    ASSERT_EQ(interner.text(i), "item-" + std::to_string(i));
  }
}

TEST(Interner, lists_new_ids_once_and_in_order) {
  Interner interner;
  interner.intern("b", t0);
  interner.intern("a", t0);
  interner.intern("b", t0);
  EXPECT_EQ(interner.take_new(), (std::vector<Interner::Id>{0, 1}));
  EXPECT_TRUE(interner.take_new().empty());
}

// Short ones are compared by words, whatever their length, and long ones lie elsewhere than short ones.
TEST(Interner, tells_texts_of_every_length_apart) {
  Interner interner;
  std::vector<std::string> texts;
  for (std::size_t length = 0; length <= 90; ++length) {
    const std::string text(length, 'x');
    texts.push_back(text);
    for (std::size_t at = 0; at < length; ++at) {
      texts.push_back(text);
      texts.back()[at] = 'y';
    }
  }
  std::vector<Interner::Id> ids;
  for (const std::string& text : texts) ids.push_back(interner.intern(text, t0));
  EXPECT_EQ(std::set<Interner::Id>(ids.begin(), ids.end()).size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ASSERT_EQ(interner.text(ids[i]), texts[i]);
    ASSERT_EQ(interner.intern(texts[i], t0), ids[i]);
  }
}

// A hash only leads to a text; it never stands for it.
TEST(Interner, keeps_texts_of_equal_hashes_apart) {
  Interner interner;
  std::vector<Interner::Id> ids;
  for (int i = 0; i < 50; ++i) {
    const std::string text = std::to_string(i);
    ids.push_back(interner.intern({text, 7}, t0));
  }
  for (int i = 0; i < 50; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_EQ(interner.intern({text, 7}, t0), ids[static_cast<std::size_t>(i)]);
    ASSERT_EQ(interner.text(ids[static_cast<std::size_t>(i)]), text);
  }
}

TEST(Interner, forgets_what_was_last_used_before_the_time_and_nothing_else) {
  Interner interner;
  const auto before = interner.intern("before", EventTime{99});
  const auto exactly = interner.intern("exactly", EventTime{100});
  EXPECT_EQ(interner.forget_before(EventTime{100}), std::vector<Interner::Id>{before});
  EXPECT_EQ(interner.intern("exactly", EventTime{100}), exactly);
}

TEST(Interner, counts_the_latest_use_not_the_last_call) {
  Interner interner;
  interner.intern("a", EventTime{200});
  interner.intern("a", EventTime{50});
  EXPECT_TRUE(interner.forget_before(EventTime{200}).empty());
  EXPECT_EQ(interner.forget_before(EventTime{201}).size(), 1U);
}

TEST(Interner, reuses_forgotten_ids_so_that_capacity_follows_the_live_ones) {
  Interner interner;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 100; ++i) interner.intern(std::to_string(round) + "/" + std::to_string(i), EventTime{round});
    ASSERT_EQ(interner.forget_before(EventTime{round + 1}).size(), 100U);
  }
  EXPECT_EQ(interner.size(), 0U);
  EXPECT_EQ(interner.capacity(), 100U);
}

TEST(Interner, announces_a_string_again_that_was_forgotten) {
  Interner interner;
  interner.intern("a", t0);
  static_cast<void>(interner.take_new());
  interner.forget(0);
  EXPECT_EQ(interner.size(), 0U);
  const auto again = interner.intern("a", t0);
  EXPECT_EQ(interner.take_new(), std::vector<Interner::Id>{again});
}

// The laws of a map, whatever is interned, used and forgotten: in a table small enough for long probing chains.
TEST(Interner, agrees_with_a_map_under_random_use) {
  Interner interner;
  struct Known {
    Interner::Id id;
    EventTime last_use;
  };
  std::map<std::string, Known> known;
  Dice dice(1);
  for (int step = 0; step < 60'000; ++step) {
    const std::string text = std::to_string(dice.below(900));
    const EventTime now{static_cast<std::int64_t>(dice.below(1000) + static_cast<std::size_t>(step) / 10)};
    const auto found = known.find(text);
    if (found != known.end() && dice.percent(45)) {
      interner.forget(found->second.id);
      known.erase(found);
    } else {
      const auto id = interner.intern(text, now);
      if (found != known.end()) {
        ASSERT_EQ(id, found->second.id);
        found->second.last_use = std::max(found->second.last_use, now);
      } else {
        for (const auto& [other, entry] : known) ASSERT_NE(entry.id, id) << other << " and " << text;
        known[text] = {id, now};
      }
    }
    if (step % 5000 == 4999) {
      const EventTime before{step / 10 + 500};
      std::set<Interner::Id> expected;
      for (const auto& [other, entry] : known) {
        if (entry.last_use < before) expected.insert(entry.id);
      }
      std::erase_if(known, [&](const auto& entry) { return entry.second.last_use < before; });
      const auto forgotten = interner.forget_before(before);
      ASSERT_EQ(std::set<Interner::Id>(forgotten.begin(), forgotten.end()), expected);
    }
    ASSERT_EQ(interner.size(), known.size());
  }
}

}  // namespace
}  // namespace recmeter
