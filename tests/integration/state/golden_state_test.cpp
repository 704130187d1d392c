// States that versions before this one have written: they open, and give the rows that were recorded then. And what this
// version writes is what they wrote: a format does not change unnoticed.
//
// tests/golden/state_1 is a state of format 1 in the middle of support::SmallRun, rows_1.jsonl all the rows of that run.
// RECMETER_RECORD_GOLDEN=1 writes both anew, for a new version of the format.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "recmeter/rocksdb/open_store.h"
#include "support/small_run.h"
#include "unit/file/scratch.h"

namespace recmeter {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t half = 200;  // records before the state was left, with rows not known to be published
const std::string golden = RECMETER_SOURCE_DIR "/tests/golden/";

std::unique_ptr<StateStore> open(const std::string& directory) {
  auto store = rocksdb_state::open_store(directory, {.memory = std::size_t{4} << 20});
  EXPECT_TRUE(store) << store.error().context;
  return std::move(*store);
}

std::map<std::string, std::string> content(const StateStore& store) {
  std::map<std::string, std::string> out;
  const auto scanned = store.scan("", "\xff", [&](std::string_view key, std::string_view value) {
    out.emplace(key, value);
    return true;
  });
  EXPECT_TRUE(scanned);
  return out;
}

void write_first_half(const support::SmallRun& run, const std::string& directory, support::SeenRows& seen) {
  run.go_on(*open(directory), half / 2, seen);
  run.go_on(*open(directory), half, seen);  // opened again, it has tables besides its log
}

std::vector<std::string> recorded_rows() {
  std::vector<std::string> rows;
  std::ifstream in(golden + "rows_1.jsonl");
  for (std::string line; std::getline(in, line);) rows.push_back(line);
  return rows;
}

class GoldenState : public testing::Test {
 protected:
  // Opening a state changes its files.
  [[nodiscard]] std::string copied() const {
    fs::copy(golden + "state_1", scratch_.path("golden"), fs::copy_options::recursive);
    return scratch_.path("golden");
  }
  test::Scratch scratch_;
  support::SmallRun run_;
};

TEST_F(GoldenState, is_recorded_when_that_is_asked_for) {
  if (std::getenv("RECMETER_RECORD_GOLDEN") == nullptr) return;
  support::SeenRows seen;
  write_first_half(run_, scratch_.path("state"), seen);
  fs::remove_all(golden);
  fs::create_directories(golden);
  fs::copy(scratch_.path("state"), golden + "state_1", fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(golden + "state_1/db")) {
    const std::string name = entry.path().filename();
    if (name.starts_with("LO")) fs::remove(entry.path());  // RocksDB's log of its doings, and the lock
  }
  run_.go_on(*open(scratch_.path("state")), run_.records(), seen);
  std::ofstream rows(golden + "rows_1.jsonl");
  for (const auto& [number, row] : seen.rows) rows << row << '\n';
}

TEST_F(GoldenState, of_format_1_gives_the_rows_recorded) {
  const std::vector<std::string> expected = recorded_rows();
  ASSERT_GT(expected.size(), 10U);
  support::SeenRows seen;
  const auto store = open(copied());
  run_.go_on(*store, run_.records(), seen);
  ASSERT_FALSE(seen.rows.empty());
  EXPECT_GT(seen.rows.begin()->first, 0U) << "the first rows were known to be published";
  EXPECT_EQ(seen.rows.size(), expected.size() - seen.rows.begin()->first);
  for (const auto& [number, row] : seen.rows) EXPECT_EQ(row, expected.at(number)) << number;
}

TEST_F(GoldenState, of_format_1_is_what_is_written_today) {
  support::SeenRows seen;
  write_first_half(run_, scratch_.path("state"), seen);
  EXPECT_EQ(content(*open(scratch_.path("state"))), content(*open(copied())))
      << "the format has changed: give it a new number (state/FORMAT.md), or see that old states still open, and record anew";
}

}  // namespace
}  // namespace recmeter
