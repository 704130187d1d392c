// Records come out in the order of their keys, equal ones as they came, whatever the memory; a full disk is told.
#include "recmeter/file/record_sorter.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/dice.h"
#include "support/effort.h"
#include "support/memory_source.h"
#include "support/read_all.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

using Keyed = std::vector<std::pair<std::int64_t, std::string>>;

RecordBatch batch_of(const Keyed& records, std::size_t from, std::size_t to, std::vector<EventTime>& keys) {
  RecordBatch batch;
  keys.clear();
  for (std::size_t i = from; i < to; ++i) {
    const std::string& text = records[i].second;
    keys.push_back(EventTime{records[i].first});
    batch.records.push_back(
        {.offset = batch.bytes.size(), .size = text.size(), .broker_time = {}, .tombstone = text.empty()});
    if (text.size() % 2 == 1) batch.records.back().broker_time = EventTime{static_cast<std::int64_t>(text.size())};
    batch.bytes.insert(batch.bytes.end(), text.begin(), text.end());
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

Result<void> add_all(file::RecordSorter& sorter, const Keyed& records, std::size_t block) {
  std::vector<EventTime> keys;
  for (std::size_t at = 0; at < records.size(); at += block) {
    const RecordBatch batch = batch_of(records, at, std::min(at + block, records.size()), keys);
    if (auto added = sorter.add(batch, keys); !added) return added;
  }
  return {};
}

std::vector<std::string> sorted_texts(Keyed records) {
  std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (auto& [key, text] : records) texts.push_back(std::move(text));
  return texts;
}

Keyed random_records(support::Dice& dice, std::size_t count, std::size_t bytes) {
  Keyed records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    records.emplace_back(dice.between(-500, 500), dice.percent(1) ? "" : number + std::string(dice.below(bytes), 'x'));
  }
  return records;
}

class RecordSorter : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<file::RecordSorter> make(std::size_t memory, std::size_t sources) const {
    auto sorter = file::RecordSorter::create({.directory = scratch_.directory(), .memory = memory}, sources);
    EXPECT_TRUE(sorter);
    return std::move(*sorter);
  }
  Scratch scratch_;
  support::MemorySource named_{"log", ""};
};

TEST_F(RecordSorter, gives_records_by_key_and_equal_keys_as_they_came) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    support::Dice dice(seed);
    // A megabyte and 32 sources: two runs of it are all that fit, so that they are merged to one on the way.
    const auto sorter = make(file::SortSpace::memory_min, seed == 3 ? 32 : 1);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, support::effort(30'000)}) {
      const Keyed records = random_records(dice, count, 300);
      ASSERT_TRUE(add_all(*sorter, records, 1 + dice.below(1000)));
      const auto source = sorter->finish(named_);
      ASSERT_TRUE(source);
      EXPECT_EQ((*source)->name(), "log");
      EXPECT_EQ(read_all(**source, 1 + dice.below(100'000), seed == 2).records, sorted_texts(records)) << "seed " << seed;
      EXPECT_EQ((*source)->bytes_read(), (*source)->bytes_total());
    }
  }
  EXPECT_TRUE(scratch_.names().empty()) << "the temporary file has no name";
}

TEST_F(RecordSorter, keeps_what_a_record_is_besides_its_bytes) {
  const auto sorter = make(file::SortSpace::memory_min, 1);
  std::vector<EventTime> keys;
  RecordBatch batch = batch_of({{2, "abc"}, {1, ""}, {0, "ab"}}, 0, 3, keys);
  batch.layout = std::make_shared<RecordLayout>(RecordLayout{.text = "a,b"});
  ASSERT_TRUE(sorter->add(batch, keys));
  const auto source = sorter->finish(named_);
  ASSERT_TRUE(source);
  const auto read = (*source)->read(1000, {});
  ASSERT_TRUE(read && read->last && read->records.size() == 3U);
  EXPECT_EQ(read->layout->text, "a,b");
  EXPECT_FALSE(read->records[0].broker_time);
  EXPECT_TRUE(read->records[1].tombstone);
  EXPECT_EQ(read->records[2].broker_time, EventTime{3});
}

TEST_F(RecordSorter, forgets_what_is_dropped) {
  const auto sorter = make(file::SortSpace::memory_min, 1);
  ASSERT_TRUE(add_all(*sorter, {{1, "a"}}, 1));
  sorter->drop();
  ASSERT_TRUE(add_all(*sorter, {{2, "b"}}, 1));
  const auto source = sorter->finish(named_);
  ASSERT_TRUE(source);
  EXPECT_EQ(read_all(**source, 1, false).records, std::vector<std::string>{"b"});
}

TEST_F(RecordSorter, refuses_records_that_were_lost_in_the_middle) {
  const auto sorter = make(file::SortSpace::memory_min, 1);
  std::vector<EventTime> keys;
  RecordBatch first = batch_of({{2, "a"}}, 0, 1, keys);
  first.lost_before = true;
  ASSERT_TRUE(sorter->add(first, keys)) << "the partition only begins later";
  const auto second = sorter->add(first, keys);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().context.find("--sort never"), std::string::npos);
}

// Ends the process: 0 when the fault is told with place and remedy.
[[noreturn]] void sort_without_room(file::RecordSorter& sorter, const std::string& directory) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) std::exit(2);
  support::Dice dice(1);
  const auto added = add_all(sorter, random_records(dice, 20'000, 300), 100);
  const bool told = !added && added.error().code == Errc::output_failed &&
                    added.error().context.find(directory) != std::string::npos &&
                    added.error().context.find("--sort never") != std::string::npos;
  std::exit(told ? 0 : 1);
}

TEST_F(RecordSorter, says_where_there_is_no_room_and_what_to_do) {
  const auto sorter = make(file::SortSpace::memory_min, 1);
  EXPECT_EXIT(sort_without_room(*sorter, scratch_.directory()), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(scratch_.names().empty());
}

}  // namespace
}  // namespace recmeter::test
