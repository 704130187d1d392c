// States that attach cannot resume: exit code 4, one line with the remedy, and nothing is deleted or changed; and those that
// it waits for.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "app/attach/state_opening.h"
#include "app/console/exit_code.h"
#include "integration/cli/program.h"
#include "integration/http/caller.h"
#include "recmeter/http/get.h"
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

// A process that has a state until it is ended.
class Holder {
 public:
  explicit Holder(const std::string& state) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      const auto store = rocksdb_state::open_store(state, {.memory = std::size_t{4} << 20});
      static_cast<void>(!::write(ends[1], "x", 1));
      ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
  }
  ~Holder() { end(); }
  void end() {
    if (child_ == 0) return;
    EXPECT_EQ(::kill(child_, SIGKILL), 0);
    EXPECT_EQ(::waitpid(child_, nullptr, 0), child_);
    child_ = 0;
  }
  [[nodiscard]] pid_t process() const { return child_; }

 private:
  pid_t child_ = 0;
};

TEST(AttachState, in_use_is_waited_for_and_told_to_all_who_ask) {
  const Scratch scratch;
  const std::string state = scratch.path("state");
  Holder holder(state);
  scratch.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\nstate: {dir: " + state +
                               "}\npublish: {http: {listen: \"127.0.0.1:0\"}}\n");
  test::Program program({.arguments = {"attach", "--config", scratch.path("live.yaml")}, .output = "", .environment = {}});
  ASSERT_TRUE(program.says("in use by process " + std::to_string(holder.process()), 20'000)) << program.said();
  EXPECT_TRUE(program.says("waiting 50 s at most", 1)) << program.said();
  const std::string said = program.said();
  const std::size_t begin = said.find("http://");
  ASSERT_NE(begin, std::string::npos) << said;
  const std::string url = said.substr(begin, said.find('\n', begin) - begin);
  const auto ask = [&](const std::string& path) {
    const auto answer = http::get(url + path, {});
    EXPECT_TRUE(answer) << path;
    return answer ? *answer : http::Fetched{};
  };
  EXPECT_EQ(ask("/livez").status, 200);
  EXPECT_NE(ask("/livez").body.find("the state is in use by process"), std::string::npos);
  EXPECT_EQ(ask("/readyz").status, 503);
  EXPECT_NE(ask("/readyz").body.find("the state is in use by process"), std::string::npos);
  EXPECT_EQ(ask("/api/v1/series?window=hour&metric=precision@10").status, 503);
  const std::string metrics = ask("/metrics").body;
  for (const char* line : {"recmeter_ready 0\n", "recmeter_opening 1\n", "recmeter_disk_guard 0\n"}) {
    EXPECT_NE(metrics.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(metrics.find("recmeter_events_total"), std::string::npos) << "nothing is counted before it is known";
  holder.end();
  EXPECT_TRUE(program.says("no broker of 127.0.0.1:1 ", 20'000)) << "it goes on to its broker: " << program.said();
  EXPECT_NE(ask("/metrics").body.find("recmeter_opening 0\n"), std::string::npos);
  EXPECT_EQ(ask("/api/v1/series?window=hour&metric=precision@10").status, 200);
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 0);
}

TEST(AttachState, in_use_for_too_long_ends_with_what_a_restart_may_mend) {
  const Scratch scratch;
  const std::string state = scratch.path("state");
  const Holder holder(state);
  Config config;
  config.state.dir = state;
  const std::atomic<bool> stop = false;
  LiveHost host(config, {}, stop);
  const auto opened = open_state(config, std::size_t{4} << 20, std::chrono::milliseconds{50}, host, stop, [] {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(exit_code_of(opened.error().code), ExitCode::failed);
  EXPECT_NE(opened.error().context.find("process " + std::to_string(holder.process())), std::string::npos);
}

// A disk of 64 MiB has never room.
TEST(AttachState, on_a_full_disk_is_waited_for_and_told_to_the_alert) {
  const Scratch scratch;
  const std::string disk = scratch.path("disk");
  ASSERT_EQ(::mkdir(disk.c_str(), 0700), 0);
  if (::mount("recmeter-test", disk.c_str(), "tmpfs", 0, "size=64m") != 0) GTEST_SKIP() << "no file system can be mounted";
  scratch.put("live.yaml", "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\nstate: {dir: " + disk +
                               "/state}\npublish: {http: {listen: \"127.0.0.1:0\"}}\n");
  {
    test::Program program({.arguments = {"attach", "--config", scratch.path("live.yaml")}, .output = "", .environment = {}});
    EXPECT_TRUE(program.says("nothing more is read: state.dir", 20'000)) << program.said();
    const std::string said = program.said();
    const std::size_t begin = said.find("http://");
    const std::string url = begin == std::string::npos ? "" : said.substr(begin, said.find('\n', begin) - begin);
    const auto is_told = [&] {
      const auto ready = http::get(url + "/readyz", {});
      return ready && ready->status == 503 && ready->body.find("MiB of disk left") != std::string::npos;
    };
    EXPECT_TRUE(eventually(is_told)) << "the message comes a moment before";
    const auto metrics = http::get(url + "/metrics", {});
    EXPECT_TRUE(metrics && metrics->body.find("recmeter_disk_guard 1\n") != std::string::npos);
    EXPECT_TRUE(metrics && metrics->body.find("recmeter_ready 0\n") != std::string::npos);
    program.send(SIGTERM);
    EXPECT_EQ(program.wait().code, 0);
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace recmeter::test
