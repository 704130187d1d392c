// States that versions before this one have written: they open, and give the rows that were recorded then. And what this
// version writes is what they wrote: a format does not change unnoticed.
//
// tests/golden/state_N is a state of format N in the middle of support::SmallRun, rows.jsonl all the rows of that run, which
// are the same in all formats. RECMETER_RECORD_GOLDEN=1 writes the state of today's format anew, for a new version of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "recmeter/live/state_survey.h"
#include "recmeter/rocksdb/open_store.h"
#include "recmeter/rocksdb/state_directory.h"
#include "support/small_run.h"
#include "unit/file/scratch.h"

namespace recmeter {
namespace {

namespace fs = std::filesystem;

std::string state_of(std::uint32_t format) {
  return "state_" + std::to_string(format);
}

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
  std::ifstream in(golden + "rows.jsonl");
  for (std::string line; std::getline(in, line);) rows.push_back(line);
  return rows;
}

class GoldenState : public testing::Test {
 protected:
  // Opening a state changes its files.
  [[nodiscard]] std::string copied(std::uint32_t format) const {
    const std::string name = state_of(format);
    fs::copy(golden + name, scratch_.path(name), fs::copy_options::recursive);
    return scratch_.path(name);
  }
  test::Scratch scratch_;
  support::SmallRun run_;
};

TEST_F(GoldenState, is_recorded_when_that_is_asked_for) {
  if (std::getenv("RECMETER_RECORD_GOLDEN") == nullptr) return;
  support::SeenRows seen;
  write_first_half(run_, scratch_.path("state"), seen);
  const std::string recorded = golden + state_of(rocksdb_state::format_version);
  fs::remove_all(recorded);
  fs::copy(scratch_.path("state"), recorded, fs::copy_options::recursive);
  for (const auto& entry : fs::directory_iterator(recorded + "/db")) {
    const std::string name = entry.path().filename();
    if (name.starts_with("LO")) fs::remove(entry.path());  // RocksDB's log of its doings, and the lock
  }
}

TEST_F(GoldenState, of_every_format_gives_the_rows_recorded) {
  const std::vector<std::string> expected = recorded_rows();
  ASSERT_GT(expected.size(), 10U);
  for (std::uint32_t format = 1; format <= rocksdb_state::format_version; ++format) {
    support::SeenRows seen;
    const auto store = open(copied(format));
    run_.go_on(*store, run_.records(), seen);
    ASSERT_FALSE(seen.rows.empty());
    EXPECT_GT(seen.rows.begin()->first, 0U) << "the first rows were known to be published";
    EXPECT_EQ(seen.rows.size(), expected.size() - seen.rows.begin()->first);
    for (const auto& [number, row] : seen.rows) EXPECT_EQ(row, expected.at(number)) << number << " of format " << format;
  }
}

TEST_F(GoldenState, of_format_1_is_upgraded_by_a_run_and_by_nothing_else) {
  const std::string directory = copied(1);
  const std::map<std::string, std::string> before = [&] {
    const auto store = rocksdb_state::open_store(directory, {.create = false, .read_only = true});
    EXPECT_TRUE(survey_of(**store)) << "it can be looked at as it is";
    return content(**store);
  }();
  EXPECT_EQ(rocksdb_state::format_of(directory).value(), 1U);
  EXPECT_EQ(content(*open(directory)), before);
  EXPECT_EQ(rocksdb_state::format_of(directory).value(), 2U) << "what knows format 1 alone refuses it from now on";
  support::SeenRows seen;
  support::SeenRows others;
  run_.go_on(*open(directory), run_.records(), seen);
  run_.go_on(*open(copied(2)), run_.records(), others);
  EXPECT_EQ(content(*open(directory)), content(*open(scratch_.path("state_2")))) << "it is one of format 2 in every byte";
}

TEST_F(GoldenState, of_this_format_is_what_is_written_today) {
  support::SeenRows seen;
  write_first_half(run_, scratch_.path("state"), seen);
  EXPECT_EQ(content(*open(scratch_.path("state"))), content(*open(copied(rocksdb_state::format_version))))
      << "the format has changed: give it a new number (state/FORMAT.md), or see that old states still open, and record anew";
}

}  // namespace
}  // namespace recmeter
