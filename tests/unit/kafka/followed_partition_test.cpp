// A partition that is read on and on, by open_topics, from a cluster that misbehaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "recmeter/kafka/open_topics.h"
#include "unit/kafka/mock_cluster.h"

namespace recmeter::kafka {
namespace {

std::vector<std::string> numbered(int from, int to, std::size_t size = 20) {
  std::vector<std::string> values;
  for (int i = from; i < to; ++i) {
    values.push_back(std::to_string(i));
    values.back().resize(std::max(size, values.back().size()), ' ');
  }
  return values;
}

// Reads what is there as a run does, and notes what it is told.
class Reader {
 public:
  Reader(const MockCluster& cluster, Follow follow) : cluster_(cluster), follow_(std::move(follow)) {}

  void open() {
    const std::vector<std::string> topics{MockCluster::topic};
    auto opened = open_topics({.brokers = cluster_.bootstrap(), .properties = {{"reconnect.backoff.max.ms", "200"}}}, topics,
                              {.stop = nullptr, .follow = follow_, .tell = [this](Notice, std::string_view text) {
                                 const std::lock_guard lock(mutex_);
                                 told_ += std::string(text) + "\n";
                               }});
    ASSERT_TRUE(opened) << opened.error().context;
    source_ = std::move(opened->sources.front());
  }
  // Until that many are there, or nothing has come for long.
  void read(std::size_t records) {
    read_until([&] { return records_.size() >= records; });
  }
  template <class Done>
  void read_until(Done&& done) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && error_.empty() && std::chrono::steady_clock::now() < give_up) {
      auto batch = source_->read(4096, {});
      if (!batch) {
        error_ = batch.error().context;
        return;
      }
      if (batch->lost_before) losses_.push_back(records_.size());
      for (std::size_t i = 0; i < batch->records.size(); ++i) records_.emplace_back(batch->record(i));
      if (batch->last_record) last_ = batch->last_record;
      next_ = batch->next_offset;
      if (batch->records.empty()) std::this_thread::yield();
    }
  }
  [[nodiscard]] std::string told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  [[nodiscard]] bool was_told(const std::string& text) const { return told().find(text) != std::string::npos; }
  [[nodiscard]] const std::vector<std::string>& records() const { return records_; }
  [[nodiscard]] const std::vector<std::size_t>& losses() const { return losses_; }
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] Follow::Position position() const { return {.next_offset = next_, .last_record = last_}; }

 private:
  const MockCluster& cluster_;
  Follow follow_;
  std::unique_ptr<RecordSource> source_;
  std::vector<std::string> records_;
  std::vector<std::size_t> losses_;  // how many records were there before each
  std::string error_;
  std::int64_t next_ = 0;
  std::optional<RecordMark> last_;
  mutable std::mutex mutex_;
  std::string told_;
};

TEST(FollowedPartition, is_read_on_when_its_leader_moves) {
  MockCluster cluster;
  Reader reader(cluster, {});
  cluster.produce(numbered(0, 100));
  reader.open();
  reader.read(100);
  for (const int leader : {2, 3, 1}) {
    cluster.lead_by(leader);
    const int from = static_cast<int>(reader.records().size());
    cluster.produce(numbered(from, from + 50));
    reader.read(reader.records().size() + 50);
  }
  EXPECT_EQ(reader.records(), numbered(0, 250)) << reader.told();
  EXPECT_TRUE(reader.losses().empty());
  EXPECT_EQ(reader.error(), "");
}

TEST(FollowedPartition, is_read_on_after_fetches_that_fail) {
  MockCluster cluster;
  Reader reader(cluster, {});
  cluster.produce(numbered(0, 100));
  cluster.answer_fetches_with({RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
                               RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE});
  reader.open();
  reader.read(100);
  cluster.answer_fetches_with({RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR});
  cluster.produce(numbered(100, 200));
  reader.read(200);
  EXPECT_EQ(reader.records(), numbered(0, 200)) << reader.told();
  EXPECT_TRUE(reader.losses().empty());
}

TEST(FollowedPartition, waits_for_a_right_that_was_withdrawn) {
  MockCluster cluster;
  Reader reader(cluster, {});
  cluster.produce(numbered(0, 100));
  reader.open();
  reader.read(100);
  cluster.answer_fetches_with({RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  cluster.produce(numbered(100, 200));
  reader.read_until([&] { return reader.was_told("may be read again"); });
  reader.read(200);
  EXPECT_EQ(reader.records(), numbered(0, 200)) << reader.told();
  EXPECT_TRUE(reader.losses().empty());
  EXPECT_EQ(reader.error(), "");
  const std::string told = reader.told();
  EXPECT_EQ(told.find("log: not allowed"), told.rfind("not allowed") - 5) << told;
}

TEST(FollowedPartition, ends_for_a_right_that_is_lacking_at_first) {
  MockCluster cluster;
  Reader reader(cluster, {});
  cluster.produce(numbered(0, 10));
  cluster.answer_fetches_with({RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED});
  reader.open();
  reader.read(10);
  EXPECT_NE(reader.error().find("log/0: not allowed"), std::string::npos) << reader.error();
}

TEST(FollowedPartition, says_once_that_no_broker_answers_and_once_that_one_does_again) {
  MockCluster cluster;
  Reader reader(cluster, {});
  cluster.produce(numbered(0, 10));
  reader.open();
  reader.read(10);
  cluster.set_up(false);
  reader.read_until([&] { return reader.was_told("no broker of"); });
  cluster.set_up(true);
  cluster.produce(numbered(10, 20));
  reader.read(20);
  reader.read_until([&] { return reader.was_told("answers again"); });
  EXPECT_EQ(reader.records(), numbered(0, 20)) << reader.told();
  const std::string told = reader.told();
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 2) << told;
}

TEST(FollowedPartition, goes_on_at_a_position_whose_record_before_is_the_same) {
  MockCluster cluster;
  cluster.produce(numbered(0, 100));
  Reader before(cluster, {});
  before.open();
  before.read(100);
  cluster.produce(numbered(100, 150));
  Reader after(cluster, {.positions = {{"log/0", before.position()}}});
  after.open();
  after.read(50);
  EXPECT_EQ(after.records(), numbered(100, 150));
  EXPECT_TRUE(after.losses().empty());
  EXPECT_EQ(after.told(), "");
}

TEST(FollowedPartition, is_read_from_its_beginning_when_the_record_before_its_position_is_another) {
  MockCluster cluster;
  cluster.produce(numbered(0, 100));
  for (const OnGap on_gap : {OnGap::earliest, OnGap::latest, OnGap::stop}) {
    Reader reader(cluster,
                  {.positions = {{"log/0", {.next_offset = 50, .last_record = RecordMark{49, 4711}}}}, .on_gap = on_gap});
    reader.open();
    const std::size_t expected = on_gap == OnGap::earliest ? 100 : 0;
    reader.read_until([&] { return !reader.losses().empty() && reader.records().size() >= expected; });
    if (on_gap == OnGap::stop) {
      EXPECT_NE(reader.error().find("log/0: the topic was recreated"), std::string::npos) << reader.error();
      EXPECT_TRUE(reader.losses().empty());
      continue;
    }
    EXPECT_EQ(reader.records(), numbered(0, static_cast<int>(expected)));
    EXPECT_EQ(reader.losses(), std::vector<std::size_t>{0});
    EXPECT_TRUE(reader.was_told("log/0: the topic was recreated")) << reader.told();
    EXPECT_EQ(reader.position().next_offset, 100);
  }
}

TEST(FollowedPartition, ends_before_its_position_where_the_topic_was_cut_back) {
  MockCluster cluster;
  cluster.produce(numbered(0, 10));
  Reader reader(cluster, {.positions = {{"log/0", {.next_offset = 50, .last_record = RecordMark{49, 4711}}}}});
  reader.open();
  reader.read(10);
  EXPECT_EQ(reader.records(), numbered(0, 10));
  EXPECT_EQ(reader.losses(), std::vector<std::size_t>{0});
  EXPECT_TRUE(reader.was_told("cut back")) << reader.told();
}

// The mock drops what is older than 5 MiB.
TEST(FollowedPartition, passes_records_that_are_gone_and_says_so) {
  constexpr std::size_t large = 100'000;
  MockCluster cluster;
  cluster.produce(numbered(0, 10, large));
  Reader before(cluster, {});
  before.open();
  before.read(10);
  for (int i = 10; i < 100; ++i) cluster.produce(numbered(i, i + 1, large));
  Reader after(cluster, {.positions = {{"log/0", before.position()}}});
  after.open();
  after.read_until([&] { return !after.records().empty() && after.records().back().starts_with("99 "); });
  EXPECT_EQ(after.losses(), std::vector<std::size_t>{0});
  ASSERT_FALSE(after.records().empty());
  EXPECT_EQ(after.records().back(), numbered(99, 100, large).front());
  EXPECT_GT(std::stoi(after.records().front()), 10);
  EXPECT_EQ(after.position().next_offset, 100);
  EXPECT_TRUE(after.was_told("log/0: the records from offset 10 on are gone")) << after.told();
}

}  // namespace
}  // namespace recmeter::kafka
