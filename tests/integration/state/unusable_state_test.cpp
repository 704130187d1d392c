// States that attach cannot resume: exit code 4, one line with the remedy, and nothing is deleted or changed.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "integration/cli/program.h"
#include "recmeter/rocksdb/open_store.h"
#include "support/small_run.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

struct Unusable {
  std::string name;
  std::function<void(const fs::path& state)> make;  // of a sound state
  std::string said;
  bool as_nobody = false;
  bool is_opened = false;
};

void PrintTo(const Unusable& c, std::ostream* out) {
  *out << c.name;
}

void put(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void put_in_store(const fs::path& state, const std::string& key, const std::string& value) {
  const auto store = rocksdb_state::open_store(state, {.memory = std::size_t{4} << 20});
  StateBatch batch;
  batch.put(key, value);
  ASSERT_TRUE(store && (*store)->write(batch, StateStore::Durability::process));
}

class UnusableState : public testing::TestWithParam<Unusable> {
 protected:
  // Names and bytes; where the database can be opened, which rewrites its files, what is in it.
  [[nodiscard]] std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> files;
    if (GetParam().is_opened) {
      const auto store = rocksdb_state::open_store(scratch_.path("state"), {.memory = std::size_t{4} << 20});
      EXPECT_TRUE(store && (*store)->scan("", "\xff", [&](std::string_view key, std::string_view value) {
        files.emplace(key, value);
        return true;
      }));
      return files;
    }
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.directory())) {
      std::ostringstream bytes;
      if (entry.is_regular_file() && entry.path().filename() != "LOG") bytes << std::ifstream(entry.path()).rdbuf();
      files[entry.path()] = bytes.str();
    }
    return files;
  }
  Ended attach() const {
    return test::run({.arguments = {"attach", "--config", scratch_.path("live.yaml")},
                      .output = "",
                      .environment = {},
                      .as_nobody = GetParam().as_nobody});
  }
  Scratch scratch_;
};

TEST_P(UnusableState, is_told_with_the_remedy_and_left_as_it_is) {
  const fs::path state = scratch_.path("state");
  {
    const auto store = rocksdb_state::open_store(state, {.memory = std::size_t{4} << 20});
    ASSERT_TRUE(store);
    support::SeenRows seen;
    support::SmallRun().go_on(**store, 100, seen);
  }
  GetParam().make(state);
  scratch_.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\nstate: {dir: " + state.string() +
                                "}\npublish: {file: {path: " + scratch_.path("rows") + "}, http: {listen: off}}\n");
  ::chmod(scratch_.directory().c_str(), 0755);
  ::chmod(scratch_.path("live.yaml").c_str(), 0644);
  const auto before = everything();
  const Ended ended = attach();
  if (ended.code == Program::no_such_rights) GTEST_SKIP() << "root's rights cannot be given up here";
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().said), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find(state.string()), std::string::npos) << ended.err;
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  auto after = everything();
  for (const auto& [name, bytes] : before) {
    ASSERT_TRUE(after.contains(name)) << name << " is gone";
    EXPECT_EQ(after[name], bytes) << name << " has changed";
  }
}

INSTANTIATE_TEST_SUITE_P(
    State, UnusableState,
    testing::Values(Unusable{"that_is_a_file",
                             [](const fs::path& state) {
                               fs::rename(state, state.parent_path() / "else");
                               put(state, "");
                             },
                             "state.dir is not a directory; name another"},
                    Unusable{"foreign", [](const fs::path& state) { fs::remove(state / "STATE"); },
                             "files that are not recmeter's; name an empty or a new directory"},
                    Unusable{"of_another_program", [](const fs::path& state) { put(state / "STATE", "nginx\n"); },
                             "a file STATE that is not recmeter's; name another directory"},
                    Unusable{"of_a_newer_format", [](const fs::path& state) { put(state / "STATE", "recmeter-state 3\n"); },
                             "the state has format 3, and this recmeter knows up to 2; use the recmeter that wrote it"},
                    Unusable{"with_a_damaged_marker",
                             [](const fs::path& state) { put(state / "STATE", "recmeter-state x\n"); },
                             "the file STATE is damaged; restore the directory, or move it away and start again"},
                    Unusable{"with_a_damaged_database", [](const fs::path& state) { put(state / "db/CURRENT", "nonsense"); },
                             "restore it, or move it away and start again"},
                    Unusable{"with_a_damaged_checkpoint", [](const fs::path& state) { put_in_store(state, "c", "nonsense"); },
                             "its checkpoint cannot be read; restore it, or move it away and start again", false, true},
                    Unusable{"that_may_not_be_written", [](const fs::path& state) { ::chmod(state.c_str(), 0555); },
                             "correct its permissions", true}),
    [](const auto& each) { return each.param.name; });

TEST(AttachState, in_use_is_told_by_its_process) {
  const Scratch scratch;
  const std::string state = scratch.path("state");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = rocksdb_state::open_store(state, {.memory = std::size_t{4} << 20});
    static_cast<void>(!::write(ends[1], "x", 1));
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  scratch.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\nstate: {dir: " + state + "}\n");
  const Ended ended =
      test::run({.arguments = {"attach", "--config", scratch.path("live.yaml")}, .output = "", .environment = {}});
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_NE(ended.err.find("in use by process " + std::to_string(child)), std::string::npos) << ended.err;
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
}

}  // namespace
}  // namespace recmeter::test
