// State directories that cannot be resumed: one sentence with the remedy, and nothing is deleted.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "recmeter/rocksdb/open_store.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

class OpenStore : public testing::Test {
 protected:
  [[nodiscard]] std::string state() const { return scratch_.path("state"); }
  [[nodiscard]] auto open(bool create = true, bool read_only = false) const {
    return rocksdb_state::open_store(state(), {.memory = std::size_t{4} << 20, .create = create, .read_only = read_only});
  }
  void put(const std::string& key, const std::string& value) const {
    auto store = open();
    ASSERT_TRUE(store);
    StateBatch batch;
    batch.put(key, value);
    ASSERT_TRUE((*store)->write(batch, StateStore::Durability::process));
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(state())) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_unusable(const std::string& text, Errc code = Errc::state_unusable) const {
    const auto store = open();
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, code);
    EXPECT_NE(store.error().context.find(text), std::string::npos) << store.error().context;
    EXPECT_EQ(store.error().context.find('\n'), std::string::npos);
  }

  Scratch scratch_;
};

TEST_F(OpenStore, makes_a_state_where_its_parent_is) {
  put("a", "1");
  const auto again = open();
  ASSERT_TRUE(again);
  EXPECT_EQ(*(*again)->get("a"), "1");
}

TEST_F(OpenStore, makes_directories_that_nobody_else_may_look_into) {
  put("a", "1");
  EXPECT_EQ(fs::status(state()).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(state() + "/db").permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(state() + "/STATE").permissions(), fs::perms(0600));
}

TEST_F(OpenStore, leaves_the_rights_of_a_directory_that_is_there) {
  fs::create_directory(state());
  fs::permissions(state(), fs::perms(0750));
  put("a", "1");
  EXPECT_EQ(fs::status(state()).permissions(), fs::perms(0750));
  EXPECT_EQ(fs::status(state() + "/db").permissions(), fs::perms(0700)) << "what it makes in there is its owner's";
}

TEST_F(OpenStore, refuses_a_place_without_a_parent) {
  const auto store = rocksdb_state::open_store(scratch_.path("no/state"), {});
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().context.find("create its parent directory"), std::string::npos) << store.error().context;
  EXPECT_FALSE(fs::exists(scratch_.path("no")));
}

TEST_F(OpenStore, refuses_what_is_no_directory_or_somebody_elses) {
  scratch_.put("state", "a file");
  expect_unusable("is not a directory");
  fs::remove(state());
  fs::create_directory(state());
  std::ofstream(state() + "/photo.jpg") << "x";
  expect_unusable("not recmeter's");
  std::ofstream(state() + "/STATE") << "of another program\n";
  expect_unusable("not recmeter's");
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(OpenStore, refuses_a_newer_format) {
  put("a", "1");
  const auto before = files();
  std::ofstream(state() + "/STATE") << "recmeter-state 3\n";
  expect_unusable("format 3, and this recmeter knows up to 2");
  EXPECT_EQ(files(), before);
  std::ofstream(state() + "/STATE") << "recmeter-state two\n";
  expect_unusable("damaged");
}

TEST_F(OpenStore, refuses_a_state_in_use) {
  const auto first = open();
  ASSERT_TRUE(first);
  expect_unusable("in use by another process", Errc::state_in_use);
  const auto looking = open(false, true);
  EXPECT_TRUE(looking) << "looking does not need the lock";
}

TEST_F(OpenStore, refuses_a_damaged_database) {
  put("a", "1");
  fs::remove(state() + "/db/CURRENT");
  std::ofstream(state() + "/db/CURRENT") << "nonsense";
  expect_unusable("state");
  EXPECT_TRUE(fs::exists(state() + "/db"));
}

TEST_F(OpenStore, only_looks_where_that_is_asked_for) {
  const auto nothing = open(false, true);
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().context.find("there is no state"), std::string::npos);
  EXPECT_FALSE(fs::exists(state()));
}

// Killed in the middle of writing, it has the batches of a prefix, each whole.
TEST_F(OpenStore, has_whole_batches_after_a_kill) {
  constexpr int batches = 3000;
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto store = open();
    for (int n = 1; n <= batches && store; ++n) {
      StateBatch batch;
      for (const char* key : {"a", "b", "c"}) batch.put(key, std::to_string(n));
      if (!(*store)->write(batch, StateStore::Durability::process)) break;
      static_cast<void>(!::write(pipe_ends[1], &n, sizeof n));
    }
    ::pause();
  }
  int reached = 0;
  while (reached < batches / 2)
    ASSERT_EQ(::read(pipe_ends[0], &reached, sizeof reached), static_cast<ssize_t>(sizeof reached));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  const auto store = open();
  ASSERT_TRUE(store) << store.error().context;
  const std::string found = (*store)->get("a")->value();
  EXPECT_GE(std::stoi(found), reached);
  EXPECT_EQ(*(*store)->get("b"), found);
  EXPECT_EQ(*(*store)->get("c"), found);
}

}  // namespace
}  // namespace recmeter::test
