// A state whose bytes change on the disk while attach runs on it: exit code 4 with the remedy, whoever meets the damage.
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "integration/cli/program.h"
#include "integration/http/caller.h"
#include "recmeter/rocksdb/open_store.h"
#include "unit/file/scratch.h"
#include "unit/kafka/mock_cluster.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

class DamagedMeanwhile : public testing::Test {
 protected:
  void SetUp() override {
    const Ended made =
        run({.arguments = {"generate", "--quiet", "--lists", "3000", "--hours", "2"}, .output = "", .environment = {}});
    cluster_.produce(lines_of(made.out));
    scratch_.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"" + cluster_.bootstrap() +
                                  "\"}\nwindows: [{name: minute, size: 1m}]\nmetrics: {names: [precision]}\n" +
                                  "state: {dir: " + scratch_.path("state") + ", checkpoint_every: 20ms, keep_results: 1d}\n" +
                                  "publish: {file: {path: " + scratch_.path("rows") +
                                  "}, http: {listen: \"127.0.0.1:0\"}}\n");
    Program before(attach());
    ASSERT_TRUE(
        within_a_minute([&] { return fs::exists(scratch_.path("rows")) && fs::file_size(scratch_.path("rows")) > 9000; }));
    before.send(SIGTERM);
    ASSERT_EQ(before.wait().code, 0);
    ASSERT_TRUE(rocksdb_state::open_store(scratch_.path("state"), {}));  // what the log held is in tables now
  }
  [[nodiscard]] Call attach() const {
    return {.arguments = {"attach", "--config", scratch_.path("live.yaml")}, .output = "", .environment = {}};
  }
  template <class Condition>
  static bool within_a_minute(Condition&& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      ::poll(nullptr, 0, 10);  // what is waited for is another process
    }
    return true;
  }
  // A byte of every 4 KiB but for the last of each table, which say where the others are; in its place.
  void damage() const {
    int changed = 0;
    for (const auto& entry : fs::directory_iterator(scratch_.path("state") + "/db")) {
      if (entry.path().extension() != ".sst") continue;
      std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
      const auto size = static_cast<std::streamoff>(entry.file_size());
      for (std::streamoff at = 100; at < size - 8192; at += 4096) {
        file.seekg(at);
        const char was = static_cast<char>(file.get());
        file.seekp(at);
        file.put(static_cast<char>(was ^ 0x10));
        ++changed;
      }
    }
    EXPECT_GT(changed, 0);
  }
  void expect_told(const Ended& ended) const {
    EXPECT_EQ(ended.code, 4) << ended.err;
    EXPECT_NE(ended.err.find("the state is damaged (Corruption"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("restore it, or move it away and start again"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find(scratch_.path("state")), std::string::npos) << ended.err;
  }

  Scratch scratch_;
  kafka::MockCluster cluster_;
};

TEST_F(DamagedMeanwhile, is_met_when_the_journal_is_read) {
  damage();
  Program program(attach());
  expect_told(program.wait());
}

TEST_F(DamagedMeanwhile, is_met_by_a_query_of_kept_rows) {
  Program program(attach());
  const std::string before_port = "http://127.0.0.1:";
  ASSERT_TRUE(program.says(before_port, 20'000));
  ASSERT_TRUE(program.says("/\n", 20'000) || program.says("\n", 20'000));
  const std::size_t at = program.said().find(before_port) + before_port.size();
  const auto port = static_cast<std::uint16_t>(std::stoi(program.said().substr(at)));
  const auto ask = [&](const std::string& target) {
    Caller caller(port);
    return caller.get(target) ? caller.answer() : Answer{};
  };
  ASSERT_TRUE(within_a_minute([&] { return ask("/readyz").status == 200; })) << program.said();
  damage();
  const Answer answer = ask("/api/v1/series?window=minute&metric=precision@10");
  EXPECT_NE(answer.status, 200) << answer.body.substr(0, 500);
  expect_told(program.wait());
}

}  // namespace
}  // namespace recmeter::test
