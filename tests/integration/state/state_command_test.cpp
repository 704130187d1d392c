// recmeter state info and check: what they tell of a sound state, and of each way in which one can be unusable.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "integration/cli/program.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation.h"
#include "recmeter/rocksdb/open_store.h"
#include "support/parsed_json.h"
#include "support/small_run.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class StateCommandTest : public testing::Test {
 protected:
  [[nodiscard]] std::string directory() const { return scratch_.path("state"); }
  // A state with rows that are not known to be published.
  void make_state() {
    const auto store = open();
    StateBatch batch;
    put_only_generation(batch, {.config = "inputs: [{topic: log}]\n"});
    ASSERT_TRUE(store->write(batch, StateStore::Durability::process));
    run_.go_on(*store, 200, seen_);
    run_.go_on(*store, run_.records(), seen_);
  }
  [[nodiscard]] std::unique_ptr<StateStore> open() const {
    auto store = rocksdb_state::open_store(directory(), {.memory = std::size_t{4} << 20});
    EXPECT_TRUE(store);
    return std::move(*store);
  }
  void change(const std::function<void(StateBatch&)>& how) const {
    const auto store = open();
    StateBatch batch;
    how(batch);
    ASSERT_TRUE(store->write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::string value(const std::string& from, const std::string& to, std::string* key = nullptr) const {
    std::string found;
    const auto scanned = open()->scan(from, to, [&](std::string_view at, std::string_view bytes) {
      found = bytes;
      if (key != nullptr) *key = at;
      return false;
    });
    EXPECT_TRUE(scanned);
    return found;
  }
  // Every file but its own log, which says when the database was opened.
  [[nodiscard]] std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.directory())) {
      if (entry.is_regular_file()) files[entry.path()] = bytes_of(entry.path());
    }
    return files;
  }
  [[nodiscard]] Ended state(const std::string& what, const std::string& format = "") const {
    std::vector<std::string> arguments{"state", what, directory()};
    if (!format.empty()) arguments.insert(arguments.end(), {"--format", format});
    return test::run({.arguments = std::move(arguments), .input = "/dev/null", .output = "", .environment = {}});
  }
  // Both commands, or only check, end with 4 and one line that says this, and change nothing.
  void expect_unusable(const std::vector<std::string>& parts, bool info_too = true) const {
    const auto before = everything();
    for (const char* what : {"check", "info"}) {
      if (what == std::string("info") && !info_too) continue;
      const Ended ended = state(what);
      EXPECT_EQ(ended.code, 4) << what << ": " << ended.out << ended.err;
      for (const std::string& part : parts) EXPECT_NE(ended.err.find(part), std::string::npos) << what << ": " << ended.err;
      EXPECT_NE(ended.err.find(directory()), std::string::npos) << ended.err;
      EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    }
    EXPECT_EQ(everything(), before) << "looking at a state changes nothing";
  }

  Scratch scratch_;
  support::SmallRun run_;
  support::SeenRows seen_;
};

TEST_F(StateCommandTest, tells_what_a_state_holds_and_changes_nothing) {
  make_state();
  const auto before = everything();
  const Ended checked = state("check");
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.err.find("the state is sound"), std::string::npos) << checked.err;
  const Ended told = state("info", "json");
  ASSERT_EQ(told.code, 0) << told.err;
  const nlohmann::json facts = support::parsed_json(told.out);
  EXPECT_EQ(facts["schema"], "recmeter.state/1");
  EXPECT_EQ(facts["format"], 2);
  EXPECT_EQ(facts["directory"], directory());
  EXPECT_GT(facts["bytes"], 1000);
  EXPECT_GT(facts["checkpoints"], 1);
  EXPECT_EQ(facts["watermark"], 1'700'000'040'000 + 298 * 2'000 - 10'000) << "the newest event, less the lateness";
  EXPECT_EQ(facts["evaluated_to"], facts["watermark"]);
  ASSERT_EQ(facts["partitions"].size(), 1U);
  EXPECT_EQ(facts["partitions"][0]["name"], "log/0");
  EXPECT_EQ(facts["partitions"][0]["next_offset"], 300);
  EXPECT_EQ(facts["partitions"][0]["records"], 300);
  EXPECT_EQ(facts["rows"]["final"], seen_.rows.size());
  EXPECT_GT(facts["rows"]["waiting"], 0);
  EXPECT_EQ(facts["rows"]["waiting"].get<int>() + facts["rows"]["published"].get<int>(), facts["rows"]["final"].get<int>());
  EXPECT_GT(facts["journal"]["events"], 50);
  EXPECT_LE(facts["journal"]["from"], facts["watermark"]);
  EXPECT_GE(facts["journal"]["to"], facts["watermark"]);
  const Ended text = state("info", "text");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("log/0"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("2023-11-14T22:"), std::string::npos) << text.out;
  EXPECT_EQ(everything(), before) << "looking at a state changes nothing";
}

TEST_F(StateCommandTest, tells_of_events_that_are_read_and_not_evaluated) {
  make_state();
  auto checkpoint = checkpoint_in(*open());
  ASSERT_TRUE(checkpoint && *checkpoint);
  (*checkpoint)->backlog = Backlog{.to = EventTime{1'700'000'000'000}, .events = 77};
  change([&](StateBatch& batch) { put_checkpoint(batch, **checkpoint); });
  EXPECT_EQ(state("check").code, 0);
  EXPECT_NE(state("info", "text").out.find("evaluated to  2023-11-14T22:13:20Z, 77 events"), std::string::npos);
  EXPECT_EQ(support::parsed_json(state("info", "json").out)["evaluated_to"], 1'700'000'000'000);
}

TEST_F(StateCommandTest, knows_a_state_in_which_nothing_is_yet) {
  open().reset();
  EXPECT_EQ(state("check").code, 0);
  const Ended told = state("info", "text");
  EXPECT_EQ(told.code, 0);
  EXPECT_NE(told.out.find("nothing has been kept yet"), std::string::npos) << told.out;
  EXPECT_EQ(support::parsed_json(state("info", "json").out)["partitions"].size(), 0U);
}

TEST_F(StateCommandTest, says_who_has_the_state_in_use) {
  make_state();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = open();
    static_cast<void>(!::write(ends[1], "x", 1));
    ::pause();
  }
  ::close(ends[1]);
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  for (const char* what : {"check", "info"}) {
    const Ended ended = state(what);
    EXPECT_EQ(ended.code, 1) << "another look may help";
    EXPECT_NE(ended.err.find("in use by process " + std::to_string(child) + " (recmeter_state_"), std::string::npos)
        << ended.err;
  }
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(state("check").code, 0) << "a killed one leaves it sound";
}

TEST_F(StateCommandTest, refuses_what_is_no_state) {
  expect_unusable({"there is no state"});
  fs::create_directory(directory());
  expect_unusable({"there is no state"});
  std::ofstream(directory() + "/photo.jpg") << "x";
  expect_unusable({"not recmeter's"});
  fs::remove_all(directory());
  std::ofstream(directory()) << "a file";
  expect_unusable({"is not a directory"});
}

TEST_F(StateCommandTest, refuses_a_newer_format) {
  make_state();
  std::ofstream(directory() + "/STATE") << "recmeter-state 3\n";
  expect_unusable({"format 3", "use the recmeter that wrote it"});
}

TEST_F(StateCommandTest, finds_a_checkpoint_that_cannot_be_read) {
  make_state();
  const std::string checkpoint = value("c", "d");
  for (const std::string& bad :
       {std::string(), checkpoint.substr(0, checkpoint.size() - 1), checkpoint + "x", std::string("nonsense")}) {
    change([&](StateBatch& batch) { batch.put("c", bad); });
    expect_unusable({"checkpoint cannot be read", "move it away and start again"});
  }
}

TEST_F(StateCommandTest, finds_a_block_of_the_journal_that_cannot_be_read) {
  make_state();
  std::string key;
  const std::string block = value("j", "k", &key);
  for (const std::string& bad : {block.substr(0, block.size() / 2), block + "x", std::string("\xff\xff")}) {
    change([&](StateBatch& batch) { batch.put(key, bad); });
    expect_unusable({"journal of events cannot be read in the minute of 2023-11-14T22:", "move it away and start again"});
  }
}

TEST_F(StateCommandTest, finds_a_block_of_the_journal_that_is_not_there) {
  make_state();
  std::string key;
  static_cast<void>(value("j", "k", &key));
  change([&](StateBatch& batch) { batch.erase(key); });
  expect_unusable({"journal of events cannot be read in the minute of 2023-11-14T22:"});
  change([](StateBatch& batch) { batch.erase_range("j", "k"); });
  expect_unusable({"journal of events cannot be read in the minute of 2023-11-14T22:"});
}

TEST_F(StateCommandTest, finds_a_configuration_with_which_attach_could_not_go_on) {
  make_state();
  change([](StateBatch& batch) { put_only_generation(batch, {.config = "inputs: [{topc: log}]\n"}); });
  expect_unusable({"the state is damaged", "topc"}, false);
  change([](StateBatch& batch) { batch.erase_range("g", "h"); });
  expect_unusable({"the state is damaged: it does not say which configuration made it", "move it away and start again"},
                  false);
}

TEST_F(StateCommandTest, says_what_attach_would_say_with_another_configuration) {
  make_state();
  const auto check = [&](const std::string& config) {
    return test::run({.arguments = {"state", "check", directory(), "--config", scratch_.put("live.yaml", config)},
                      .input = "/dev/null",
                      .output = "",
                      .environment = {}});
  };
  EXPECT_EQ(check("inputs: [{topic: log}]\n").code, 0);
  const Ended other = check("inputs: [{topic: log}]\njoin: {credit: every_touch}\n");
  EXPECT_EQ(other.code, 4);
  EXPECT_NE(other.err.find("gives events another meaning"), std::string::npos) << other.err;
}

TEST_F(StateCommandTest, finds_a_partition_that_the_checkpoint_does_not_know) {
  make_state();
  std::string key;
  std::string block = value("j", "k", &key);
  block[0] = 5;
  change([&](StateBatch& batch) { batch.put(key, block); });
  expect_unusable({"journal of events cannot be read in the minute of 2023-11-14T22:"});
}

TEST_F(StateCommandTest, finds_a_gap_among_the_rows_to_be_published) {
  make_state();
  std::string key;
  const std::string row = value("o", "p", &key);
  change([&](StateBatch& batch) { batch.erase(key); });
  expect_unusable({"which is to be published, is not there"});
  change([&](StateBatch& batch) { batch.put(key, row.substr(0, 5)); });
  expect_unusable({"which is to be published, cannot be read"});
  change([&](StateBatch& batch) { batch.put(key, row); });
  EXPECT_EQ(state("check").code, 0);
  key.back() = static_cast<char>(0x7f);
  change([&](StateBatch& batch) { batch.put(key, row); });
  EXPECT_EQ(state("check").code, 0) << "what stands behind the last row is written over";
}

TEST_F(StateCommandTest, finds_bytes_that_have_changed_on_the_disk) {
  make_state();
  open().reset();  // what the log held is in tables now
  fs::path table;
  for (const auto& entry : fs::directory_iterator(directory() + "/db")) {
    if (entry.path().extension() == ".sst") table = entry.path();
  }
  ASSERT_FALSE(table.empty());
  std::string bytes = bytes_of(table);
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x10);
  std::ofstream(table, std::ios::binary) << bytes;
  expect_unusable({"damaged", table.filename()}, false);
}

TEST_F(StateCommandTest, finds_a_log_that_is_damaged_before_its_end) {
  make_state();
  fs::path log;
  for (const auto& entry : fs::directory_iterator(directory() + "/db")) {
    if (entry.path().extension() == ".log" && entry.file_size() > 1000) log = entry.path();
  }
  ASSERT_FALSE(log.empty());
  std::string bytes = bytes_of(log);
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x10);
  std::ofstream(log, std::ios::binary) << bytes;
  expect_unusable({"damaged"}, false);
}

TEST_F(StateCommandTest, takes_a_log_that_ends_in_the_middle_for_what_a_kill_leaves) {
  make_state();
  for (const auto& entry : fs::directory_iterator(directory() + "/db")) {
    if (entry.path().extension() == ".log" && entry.file_size() > 1000) fs::resize_file(entry.path(), entry.file_size() - 7);
  }
  const Ended ended = state("check");
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(StateCommandTest, wants_a_directory) {
  EXPECT_EQ(test::run({.arguments = {"state"}, .output = "", .environment = {}}).code, 2);
  EXPECT_EQ(test::run({.arguments = {"state", "info"}, .output = "", .environment = {}}).code, 2);
  EXPECT_EQ(test::run({.arguments = {"state", "mend", directory()}, .output = "", .environment = {}}).code, 2);
}

}  // namespace
}  // namespace recmeter::test
