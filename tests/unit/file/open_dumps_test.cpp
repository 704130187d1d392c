#include "recmeter/file/open_dumps.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/read_all.h"
#include "unit/file/packed.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

std::string dumped(const std::string& topic, int partition, int offset, const std::string& payload) {
  return R"({"topic":")" + topic + R"(","partition":)" + std::to_string(partition) + R"(,"offset":)" +
         std::to_string(offset) + R"(,"tstype":"create","ts":)" + std::to_string(1'700'000'000'000 + offset) +
         R"(,"broker":1,"key":null,"payload":)" + payload + "}\n";
}

class OpenDumps : public testing::Test {
 protected:
  [[nodiscard]] Result<file::OpenedDumps> open(const std::vector<std::string>& contents) const {
    std::vector<file::Dump> dumps;
    for (const std::string& content : contents) {
      dumps.push_back({.path = scratch_.put("dump" + std::to_string(dumps.size()), content), .input = 0});
    }
    return file::open_dumps(dumps, {});
  }
  void expect_refused(const std::vector<std::string>& contents, const std::string& text) const {
    const auto opened = open(contents);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::input_corrupt);
    EXPECT_NE(opened.error().context.find(text), std::string::npos) << opened.error().context;
  }

  Scratch scratch_;
};

TEST_F(OpenDumps, puts_the_records_of_each_partition_together) {
  const auto opened = open({dumped("b", 0, 5, R"("b0 1")") + dumped("a", 10, 0, R"("a10 1")") + "\n" +
                            dumped("a", 2, 0, R"("a2 1")") + dumped("b", 0, 7, R"("b0 2")") + dumped("a", 10, 1, "null")});
  ASSERT_TRUE(opened);
  ASSERT_EQ(opened->sources.size(), 3U);
  const std::vector<std::pair<std::string, std::vector<std::string>>> wanted = {
      {"a/2", {"a2 1"}}, {"a/10", {"a10 1", ""}}, {"b/0", {"b0 1", "b0 2"}}};
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    EXPECT_EQ(opened->sources[s]->name(), wanted[s].first);
    EXPECT_EQ(opened->sources[s]->is_cut_at_start(), wanted[s].first == "b/0") << "its first offset is 5";
    EXPECT_EQ(read_all(*opened->sources[s], 1, false).records, wanted[s].second);
    EXPECT_EQ(opened->sources[s]->bytes_read(), opened->sources[s]->bytes_total());
  }
}

TEST_F(OpenDumps, keeps_broker_times_and_missing_values) {
  const auto opened = open({dumped("t", 0, 3, R"("x")") + dumped("t", 0, 4, "null") +
                            R"({"topic":"t","partition":0,"offset":5,"tstype":"unknown","ts":0,"payload":"y"})"});
  ASSERT_TRUE(opened);
  const auto batch = opened->sources.front()->read(1000, {});
  ASSERT_TRUE(batch);
  ASSERT_EQ(batch->records.size(), 3U);
  EXPECT_EQ(batch->records[0].broker_time, EventTime{1'700'000'000'003});
  EXPECT_FALSE(batch->records[0].tombstone);
  EXPECT_TRUE(batch->records[1].tombstone);
  EXPECT_EQ(batch->records[2].broker_time, std::nullopt);
  EXPECT_TRUE(batch->last);
}

TEST_F(OpenDumps, gives_the_same_records_in_blocks_of_any_size) {
  std::string dump;
  std::vector<std::vector<std::string>> wanted(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string payload = std::to_string(i) + std::string(static_cast<std::size_t>(i % 91), 'x');
    dump += dumped("t", i * i % 7, i, '"' + payload + '"');
    wanted[static_cast<std::size_t>(i * i % 7)].push_back(payload);
  }
  std::erase(wanted, std::vector<std::string>{});
  for (const std::size_t block : {std::size_t{1}, std::size_t{70'000}, std::size_t{10'000'000}}) {
    const auto opened = open({gzip(dump)});
    ASSERT_TRUE(opened);
    ASSERT_EQ(opened->sources.size(), wanted.size());
    for (std::size_t s = 0; s < wanted.size(); ++s) {
      EXPECT_EQ(read_all(*opened->sources[s], block, false).records, wanted[s]);
    }
  }
}

TEST_F(OpenDumps, go_on_in_the_next_dump) {
  const auto opened = open({dumped("t", 0, 0, R"("a")") + dumped("t", 0, 1, R"("b")"), dumped("t", 0, 9, R"("c")")});
  ASSERT_TRUE(opened);
  ASSERT_EQ(opened->sources.size(), 1U);
  EXPECT_EQ(read_all(*opened->sources.front(), 1, false).records, (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(OpenDumps, of_nothing_have_no_partitions) {
  const auto opened = open({"", "\n\n"});
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->sources.empty());
}

TEST_F(OpenDumps, refuse_what_comes_twice_with_its_place) {
  expect_refused({dumped("t", 0, 4, R"("a")") + dumped("t", 1, 4, R"("a")"), dumped("t", 0, 4, R"("a")")},
                 "dump1: offset 4 of t/0 comes after offset 4; name each dump once");
}

TEST_F(OpenDumps, refuse_lines_that_are_none_of_kcat) {
  expect_refused({dumped("t", 0, 0, R"("a")") + R"({"type":"click"})"}, "line 2 of ");
  expect_refused({R"({"type":"click"})"}, "not what `kcat -J` writes: it has no `topic`; make the dump with kcat -C -J");
}

TEST_F(OpenDumps, refuse_a_topic_of_two_inputs) {
  const std::vector<file::Dump> dumps = {{scratch_.put("one", dumped("t", 0, 0, R"("a")")), 0},
                                         {scratch_.put("two", dumped("t", 1, 0, R"("a")")), 1}};
  const auto opened = file::open_dumps(dumps, {});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().context.find("topic t stands in the dumps of two inputs"), std::string::npos);
}

TEST_F(OpenDumps, leave_no_file_behind) {
  const std::string directory = scratch_.path("tmp");
  std::filesystem::create_directory(directory);
  ::setenv("TMPDIR", directory.c_str(), 1);
  const auto opened = open({dumped("t", 0, 0, R"("a")")});
  EXPECT_TRUE(opened);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  ::setenv("TMPDIR", scratch_.path("nowhere").c_str(), 1);
  const auto refused = open({dumped("t", 0, 0, R"("a")")});
  ::unsetenv("TMPDIR");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::output_failed);
  EXPECT_NE(refused.error().context.find("set TMPDIR"), std::string::npos) << refused.error().context;
}

}  // namespace
}  // namespace recmeter::test
