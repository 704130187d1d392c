// Files of rows and of dead letters that others move, delete or cut, while attach runs and between its runs: all of them
// together have each row of a replay of the same events, and each letter, once. [I2.39].
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "integration/cli/program.h"
#include "integration/http/caller.h"
#include "recmeter/base/check.h"
#include "recmeter/http/get.h"
#include "support/parsed_json.h"
#include "unit/file/scratch.h"
#include "unit/kafka/mock_cluster.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

enum class Loss : std::uint8_t { moved, deleted, cut };

constexpr std::int64_t start_ms = 1'700'000'040'000;
constexpr std::int64_t lateness_ms = 1'000;
constexpr std::int64_t horizon_ms = 2'000;

// A list and a click a second, and now and then what is no record.
std::vector<std::string> records(int from, int to) {
  std::vector<std::string> made;
  for (int second = from; second < to; ++second) {
    const std::int64_t ts = start_ms + 1000 * second;
    const std::string user = R"(,"user_id":"u)" + std::to_string(second % 7) + '"';
    made.push_back(R"({"type":"impression","ts":)" + std::to_string(ts) + user + R"(,"list_id":"l)" + std::to_string(second) +
                   R"(","items":["a","b","c"],"segments":{"variant":")" + (second % 2 == 0 ? "A" : "B") + R"("}})");
    made.push_back(R"({"type":"click","ts":)" + std::to_string(ts + 300 + second % 5 * 100) + user + R"(,"item_id":"b"})");
    if (second % 10 == 9) made.push_back("no record " + std::to_string(second));
  }
  return made;
}

// A file that was there, to be read for as long as anybody has it.
class HeldFile {
 public:
  explicit HeldFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    RECMETER_CHECK(descriptor_ >= 0, "the file is there");
  }
  HeldFile(const HeldFile&) = delete;
  HeldFile(HeldFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  HeldFile& operator=(HeldFile&&) = delete;
  ~HeldFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[nodiscard]] std::string content() const {
    struct stat status{};
    RECMETER_CHECK(::fstat(descriptor_, &status) == 0, "its size is known");
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    RECMETER_CHECK(::pread(descriptor_, bytes.data(), bytes.size(), 0) == status.st_size, "it can be read");
    return bytes;
  }

 private:
  int descriptor_;
};

class LostFiles : public testing::TestWithParam<Loss> {
 protected:
  void SetUp() override {
    scratch_.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"" + cluster_.bootstrap() + R"(", session: 6s}
windows: [{name: second, size: 1s}]
segments: [[variant]]
metrics: {names: [precision]}
join: {horizons: [2s], same_list: 2s, assemble: 1s}
time: {allowed_lateness: 1s}
state: {dir: state, checkpoint_every: 20ms}
dead_letter: {file: letters}
publish: {every: 100ms, file: {path: rows}, http: {listen: "127.0.0.1:0"}}
)");
  }
  [[nodiscard]] Call call(const std::vector<std::string>& arguments) const {
    return {.arguments = arguments, .directory = scratch_.directory(), .output = "", .environment = {}};
  }
  [[nodiscard]] Call attach() const { return call({"attach", "--config", "live.yaml"}); }
  // What happens in `seconds` more.
  void produce(int seconds) {
    const std::vector<std::string> more = records(produced_, produced_ + seconds);
    produced_ += seconds;
    cluster_.produce(more);
    log_.insert(log_.end(), more.begin(), more.end());
  }

  // Both files go, in the way of the parameter; a program that is given does nothing meanwhile. Moved ones stay in the
  // directory, and so do the copies of those that are cut.
  void lose(Program* running = nullptr) {
    if (running != nullptr) running->halt();
    for (const std::string name : {"rows", "letters"}) {
      const std::string path = scratch_.path(name);
      const std::string other = path + "." + std::to_string(++losses_);
      if (GetParam() == Loss::cut) fs::copy_file(path, other);
      lost_[name].emplace_back(GetParam() == Loss::cut ? other : path);
      if (GetParam() == Loss::moved) fs::rename(path, other);
      if (GetParam() == Loss::deleted) fs::remove(path);
      if (GetParam() == Loss::cut) fs::resize_file(path, 0);
    }
    if (running != nullptr) running->send(SIGCONT);
  }
  // Of all that had the name, one after the other.
  [[nodiscard]] std::vector<std::string> lines(const std::string& name) const {
    std::string all;
    if (const auto lost = lost_.find(name); lost != lost_.end()) {
      for (const HeldFile& one : lost->second) all += one.content();
    }
    return lines_of(all + (fs::exists(scratch_.path(name)) ? scratch_.get(name) : ""));
  }
  // What a replay of the events so far says of windows that are final by now.
  [[nodiscard]] std::vector<std::string> wanted_rows() const {
    std::string log;
    for (const std::string& line : log_) log += line + "\n";
    scratch_.put("log.jsonl", log);
    const Ended replayed = run(call({"replay", "--config", "live.yaml", "--format", "jsonl", "log.jsonl"}));
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    const std::int64_t newest = support::parsed_json(log_.back().starts_with('{') ? log_.back() : *(log_.end() - 2))["ts"];
    std::vector<std::string> rows = lines_of(replayed.out);
    std::erase_if(rows, [&](const std::string& row) {
      return support::parsed_json(row)["end"].get<std::int64_t>() + horizon_ms + lateness_ms > newest;
    });
    return rows;
  }
  [[nodiscard]] std::vector<std::string> wanted_letters() const {
    std::vector<std::string> offsets;
    for (std::size_t at = 0; at < log_.size(); ++at) {
      if (!log_[at].starts_with('{')) offsets.push_back(std::to_string(at));
    }
    return offsets;
  }
  [[nodiscard]] std::vector<std::string> letters() const {
    std::vector<std::string> offsets;
    for (const std::string& line : lines("letters")) offsets.push_back(support::parsed_json(line)["offset"].dump());
    return offsets;
  }
  // Those that are there twice count once: what stood behind the last checkpoint of a run that was killed comes again.
  [[nodiscard]] std::size_t different_lines(const std::string& name) const {
    const std::vector<std::string> all = lines(name);
    return std::set<std::string>(all.begin(), all.end()).size();
  }
  // Waits until both files have what there is to be.
  void await_all() const {
    const std::size_t rows = wanted_rows().size();
    const std::size_t letters = wanted_letters().size();
    EXPECT_TRUE(eventually([&] { return different_lines("rows") >= rows && different_lines("letters") >= letters; }))
        << different_lines("rows") << " of " << rows << " rows, " << different_lines("letters") << " of " << letters
        << " letters";
  }
  void expect_each_once() const {
    EXPECT_EQ(lines("rows"), wanted_rows());
    EXPECT_EQ(letters(), wanted_letters());
  }
  // Nothing happens but that the files go.
  static void expect_told(Program& program, std::size_t rows, const std::string& letter) {
    const std::string how = GetParam() == Loss::cut ? "cut" : "moved or deleted";
    for (const std::string& sentence :
         {"publish.file.path was " + how + ": ", "; its last row is number " + std::to_string(rows - 1) + ", {",
          "dead_letter.file was " + how + ": ", "; its last letter is of log/0 at offset " + letter}) {
      EXPECT_TRUE(program.says(sentence, 20'000)) << sentence << "\nin: " << program.said();
    }
  }
  static std::string metrics_of(Program& program) {
    EXPECT_TRUE(program.says("dashboard: http://", 20'000) && program.says("\n", 20'000)) << program.said();
    const std::size_t at = program.said().find("http://");
    const auto answer = http::get(program.said().substr(at, program.said().find('\n', at) - at) + "/metrics", {});
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().context);
    return answer ? answer->body : "";
  }
  static void stop(Program& program) {
    program.send(SIGTERM);
    const Ended ended = program.wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
  }

  Scratch scratch_;
  kafka::MockCluster cluster_;
  int produced_ = 0;  // seconds
  std::vector<std::string> log_;
  std::map<std::string, std::vector<HeldFile>> lost_;
  int losses_ = 0;
};

TEST_P(LostFiles, are_noticed_without_a_row_and_others_go_on_with_the_next) {
  produce(40);
  Program program(attach());
  await_all();
  const std::size_t before = lines("rows").size();
  ASSERT_GT(before, 30U);
  lose(&program);
  expect_told(program, before, wanted_letters().back());
  EXPECT_EQ(scratch_.get("rows"), "");
  EXPECT_EQ(scratch_.get("letters"), "");
  std::string metrics;
  for (const std::string& line :
       {std::string(R"(recmeter_files_lost_total{file="publish.file.path"} 1)"),
        std::string(R"(recmeter_files_lost_total{file="dead_letter.file"} 1)"),
        R"(recmeter_files_lost_last_row{file="publish.file.path"} )" + std::to_string(before - 1)}) {
    EXPECT_TRUE(eventually([&] { return (metrics = metrics_of(program)).find(line + "\n") != std::string::npos; }))
        << line << "\nin: " << metrics;
  }
  produce(40);
  await_all();
  stop(program);
  expect_each_once();
  Program after(attach());
  produce(20);
  await_all();
  stop(after);
  expect_each_once();
  EXPECT_EQ(after.said().find(" was "), std::string::npos) << after.said();
}

TEST_P(LostFiles, have_each_row_once_where_they_go_while_rows_come) {
  Program program(attach());
  for (int times = 0; times < 6; ++times) {
    produce(30);
    ASSERT_TRUE(eventually([&] {
      return fs::exists(scratch_.path("rows")) && fs::file_size(scratch_.path("rows")) > 0 &&
             fs::exists(scratch_.path("letters"));
    })) << program.said();
    lose(&program);
  }
  produce(30);
  await_all();
  stop(program);
  expect_each_once();
}

TEST_P(LostFiles, between_two_runs_are_told_of_and_others_go_on) {
  produce(40);
  {
    Program program(attach());
    await_all();
    stop(program);
  }
  const std::size_t before = lines("rows").size();
  const std::string letter = wanted_letters().back();
  lose();
  produce(40);
  Program program(attach());
  expect_told(program, before, letter);
  await_all();
  stop(program);
  expect_each_once();
}

// Rows behind its last checkpoint are in the file that was moved, or in the copy of the one that was cut; where it is
// deleted, nobody knows of them any more.
TEST_P(LostFiles, of_a_run_that_was_killed_have_each_row_once_where_they_can_be_found) {
  for (int times = 0; times < 2; ++times) {
    produce(40);
    Program program(attach());
    await_all();
    program.send(SIGKILL);
    program.wait();
    lose();
  }
  produce(40);
  Program program(attach());
  await_all();
  stop(program);
  if (GetParam() != Loss::deleted) return expect_each_once();
  std::vector<std::string> rows = lines("rows");
  std::vector<std::string> wanted = wanted_rows();
  for (std::vector<std::string>* all : {&rows, &wanted}) std::ranges::sort(*all);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  EXPECT_EQ(rows, wanted);
}

INSTANTIATE_TEST_SUITE_P(, LostFiles, testing::Values(Loss::moved, Loss::deleted, Loss::cut), [](const auto& of) {
  return std::string(of.param == Loss::moved ? "moved" : of.param == Loss::deleted ? "deleted" : "cut");
});

}  // namespace
}  // namespace recmeter::test
