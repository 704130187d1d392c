// What a store says when RocksDB fails it: by the class of the status, and on files whose bytes have changed while it is
// open.
#include <gtest/gtest.h>
#include <rocksdb/status.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "recmeter/rocksdb/open_store.h"
#include "rocksdb/database_options.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;
using rocksdb::Status;

struct Told {
  Status status;
  Errc code;
  std::string remedy;
};

TEST(FailedStore, has_a_code_and_a_remedy_for_every_class_of_status) {
  const std::string restore = "restore it, or move it away and start again: /s";
  const std::string look = "look at the disk, then start again: /s";
  const std::vector<Told> all{
      {Status::Corruption("block checksum mismatch"), Errc::state_unusable, restore},
      {Status::NotSupported("LZ4 not linked"), Errc::state_unusable, restore},
      {Status::PathNotFound("No such file or directory", "/s/db/000007.sst"), Errc::state_unusable, restore},
      {Status::NoSpace("No space left on device"), Errc::storage_failed, "make room, then start again: /s"},
      {Status::SpaceLimit(), Errc::storage_failed, look},
      {Status::IOError("Input/output error"), Errc::storage_failed, look},
      {Status::IOError(Status::kStaleFile), Errc::storage_failed, look},
      {Status::IOError(Status::kIOFenced), Errc::storage_failed, look},
      {Status::NotFound(), Errc::storage_failed, look},
      {Status::InvalidArgument(), Errc::storage_failed, look},
      {Status::MergeInProgress(), Errc::storage_failed, look},
      {Status::Incomplete(), Errc::storage_failed, look},
      {Status::ShutdownInProgress(), Errc::storage_failed, look},
      {Status::TimedOut(), Errc::storage_failed, look},
      {Status::Aborted(), Errc::storage_failed, look},
      {Status::MemoryLimit(), Errc::storage_failed, look},
      {Status::Busy(), Errc::storage_failed, look},
      {Status::Expired(""), Errc::storage_failed, look},
      {Status::TryAgain(), Errc::storage_failed, look},
      {Status::CompactionTooLarge(), Errc::storage_failed, look},
      {Status::ColumnFamilyDropped(), Errc::storage_failed, look}};
  std::vector<bool> is_told(Status::kMaxCode);
  is_told[Status::kOk] = true;
  for (const Told& told : all) {
    is_told[told.status.code()] = true;
    const Error error = rocksdb_state::failed("/s", told.status).value();
    EXPECT_EQ(error.code, told.code) << error.context;
    EXPECT_NE(error.context.find(told.remedy), std::string::npos) << error.context;
    EXPECT_NE(error.context.find(told.status.ToString()), std::string::npos) << error.context;
    EXPECT_EQ(rocksdb_state::unusable("/s", told.status).value().code, Errc::state_unusable) << "when it is opened";
  }
  EXPECT_EQ(is_told, std::vector<bool>(Status::kMaxCode, true)) << "RocksDB has a class that is not told of";
}

class DamagedStore : public testing::Test {
 protected:
  // Its log becomes a table when it is opened again.
  void SetUp() override {
    {
      const auto store = open();
      StateBatch batch;
      for (int n = 0; n < 2000; ++n)
        batch.put("k" + std::to_string(n), "a value that is found again " + std::to_string(n * 7919));
      ASSERT_TRUE(store->write(batch, StateStore::Durability::machine));
    }
    store_ = open();
  }
  [[nodiscard]] std::unique_ptr<StateStore> open() const {
    auto store = rocksdb_state::open_store(scratch_.path("state"), {.memory = std::size_t{4} << 20});
    EXPECT_TRUE(store);
    return std::move(*store);
  }
  // A byte in the middle of every table, in its place.
  void flip() const {
    int flipped = 0;
    for (const auto& entry : fs::directory_iterator(scratch_.path("state") + "/db")) {
      if (entry.path().extension() != ".sst") continue;
      std::fstream file(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
      const auto middle = static_cast<std::streamoff>(entry.file_size() / 3);
      file.seekg(middle);
      const char was = static_cast<char>(file.get());
      file.seekp(middle);
      file.put(static_cast<char>(was ^ 0x10));
      ++flipped;
    }
    EXPECT_GT(flipped, 0);
  }
  static void expect_damage(const Error& error) {
    EXPECT_EQ(error.code, Errc::state_unusable) << error.context;
    EXPECT_NE(error.context.find("the state is damaged (Corruption"), std::string::npos) << error.context;
    EXPECT_NE(error.context.find("restore it, or move it away and start again"), std::string::npos) << error.context;
  }

  test::Scratch scratch_;
  std::unique_ptr<StateStore> store_;
};

TEST_F(DamagedStore, says_so_to_who_scans) {
  flip();
  const auto scanned = store_->scan("", "\xff", [](std::string_view, std::string_view) { return true; });
  ASSERT_FALSE(scanned);
  expect_damage(scanned.error());
}

TEST_F(DamagedStore, says_so_to_who_gets) {
  flip();
  int damaged = 0;
  for (int n = 0; n < 2000; ++n) {
    const auto got = store_->get("k" + std::to_string(n));
    if (got) continue;
    expect_damage(got.error());
    ++damaged;
  }
  EXPECT_GT(damaged, 0);
}

TEST_F(DamagedStore, says_so_to_who_writes_once_a_compaction_has_met_it) {
  flip();
  Result<void> written;
  for (int round = 0; written && round < 400; ++round) {
    StateBatch batch;
    for (int n = 0; n < 200; ++n) {
      batch.put("k" + std::to_string(n * 10), std::string(500, static_cast<char>('a' + (round + n * 31) % 26)));
    }
    written = store_->write(batch, StateStore::Durability::process);
  }
  ASSERT_FALSE(written) << "no compaction has met it";
  expect_damage(written.error());
}

TEST_F(DamagedStore, says_so_to_the_run_when_another_thread_has_met_it) {
  EXPECT_TRUE(store_->condition());
  flip();
  std::thread([this] {
    EXPECT_FALSE(store_->scan("", "\xff", [](std::string_view, std::string_view) { return true; }));
  }).join();
  const auto condition = store_->condition();
  ASSERT_FALSE(condition);
  expect_damage(condition.error());
}

}  // namespace
}  // namespace recmeter::test
