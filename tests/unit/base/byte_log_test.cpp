#include "recmeter/base/byte_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "support/dice.h"

namespace recmeter {
namespace {

std::uint64_t put(ByteLog& log, const std::string& text) {
  const std::uint64_t offset = log.append(text.size());
  if (!text.empty()) std::memcpy(log.at(offset), text.data(), text.size());
  return offset;
}

std::string get(const ByteLog& log, std::uint64_t offset, std::size_t size) {
  std::string text(size, '\0');
  if (size > 0) std::memcpy(text.data(), log.at(offset), size);
  return text;
}

TEST(ByteLog, aligns_records_to_four_bytes) {
  ByteLog log(100);
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 0U, 7U}) EXPECT_EQ(log.append(size) % 4, 0U) << size;
}

TEST(ByteLog, takes_records_as_large_as_promised) {
  constexpr std::size_t largest = (std::size_t{1} << 20) + 1;
  ByteLog log(largest);
  const auto first = put(log, std::string(largest, 'a'));
  const auto second = put(log, std::string(largest, 'b'));
  EXPECT_EQ(get(log, first, largest), std::string(largest, 'a'));
  EXPECT_EQ(get(log, second, largest), std::string(largest, 'b'));
}

TEST(ByteLog, refuses_a_record_larger_than_a_chunk) {
  ByteLog log(8);
  EXPECT_DEATH(static_cast<void>(log.append(std::size_t{1} << 20)), "larger than promised");
}

TEST(ByteLog, does_not_move_a_record_while_it_lives) {
  ByteLog log(1000);
  const auto offset = put(log, "here");
  const std::byte* where = log.at(offset);
  for (int i = 0; i < 5000; ++i) log.append(1000);
  EXPECT_EQ(log.at(offset), where);
}

TEST(ByteLog, goes_on_after_everything_is_forgotten) {
  ByteLog log(1000);
  for (int round = 0; round < 1000; ++round) {
    const auto offset = put(log, "round " + std::to_string(round));
    log.append(900);
    ASSERT_EQ(get(log, offset, 6), "round ");
    log.forget_before(log.end());
  }
}

TEST(ByteLog, agrees_with_a_queue_of_strings) {
  constexpr std::size_t largest = 30'000;  // so that records often do not fit the rest of a chunk
  ByteLog log(largest);
  std::deque<std::pair<std::uint64_t, std::string>> model;
  support::Dice dice(1);
  for (int step = 0; step < 5000; ++step) {
    const std::string text(dice.below(dice.percent(20) ? largest : 50), static_cast<char>('a' + step % 26));
    const auto offset = put(log, text);
    if (!model.empty()) {
      ASSERT_GE(offset, model.back().first + model.back().second.size()) << "records do not overlap";
    }
    model.emplace_back(offset, text);
    while (model.size() > 200 || (model.size() > 1 && dice.percent(30))) model.pop_front();
    log.forget_before(model.front().first);
    const auto& [at, expected] = model[dice.below(model.size())];
    ASSERT_EQ(get(log, at, expected.size()), expected);
  }
}

}  // namespace
}  // namespace recmeter
