#include "app/run/row_writer.h"

#include <gtest/gtest.h>

#include "recmeter/result/render.h"
#include "unit/file/scratch.h"

namespace recmeter {
namespace {

using test::Scratch;

Row row_at(std::int64_t minute) {
  Row row;
  row.evaluator = "default";
  row.window = "minute";
  row.start = EventTime{60'000 * minute};
  row.end = EventTime{60'000 * (minute + 1)};
  row.horizon = Duration{1'800'000};
  row.lists = 7;
  return row;
}

std::unique_ptr<RowWriter> writer_to(const std::string& path, RowFormat format) {
  auto writer = RowWriter::create(path, format, 0, false);
  EXPECT_TRUE(writer) << writer.error().context;
  return writer ? std::move(*writer) : nullptr;
}

TEST(RowWriter, writes_a_line_of_json_a_row) {
  const Scratch scratch;
  const auto writer = writer_to(scratch.path("rows"), RowFormat::jsonl);
  ASSERT_TRUE(writer->write(row_at(1)));
  ASSERT_TRUE(writer->write(row_at(2)));
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(scratch.get("rows"), render_json(row_at(1)) + "\n" + render_json(row_at(2)) + "\n");
}

TEST(RowWriter, writes_the_header_of_csv_even_without_rows) {
  const Scratch scratch;
  ASSERT_TRUE(writer_to(scratch.path("rows"), RowFormat::csv)->finish());
  EXPECT_EQ(scratch.get("rows"), render_csv_header());
}

TEST(RowWriter, writes_a_short_table_whole) {
  const Scratch scratch;
  const auto writer = writer_to(scratch.path("rows"), RowFormat::table);
  const std::vector<Row> rows{row_at(1), row_at(2)};
  for (const Row& row : rows) ASSERT_TRUE(writer->write(row));
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(scratch.get("rows"), render_table(rows, 0, false));
}

TEST(RowWriter, says_of_an_empty_table_that_it_is) {
  const Scratch scratch;
  ASSERT_TRUE(writer_to(scratch.path("rows"), RowFormat::table)->finish());
  EXPECT_EQ(scratch.get("rows"), render_table({}, 0, false));
}

TEST(RowWriter, writes_a_long_table_in_parts) {
  const Scratch scratch;
  const auto writer = writer_to(scratch.path("rows"), RowFormat::table);
  std::vector<Row> rows;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(RowWriter::table_rows_max) + 1; ++i) {
    rows.push_back(row_at(i));
    ASSERT_TRUE(writer->write(rows.back()));
  }
  ASSERT_TRUE(writer->finish());
  const std::span<const Row> all(rows);
  EXPECT_EQ(scratch.get("rows"),
            render_table(all.first(RowWriter::table_rows_max), 0, false) + "\n" + render_table(all.last(1), 0, false));
}

TEST(RowWriter, shows_the_newest_windows_of_each_size_where_it_is_asked_to) {
  const Scratch scratch;
  auto writer = RowWriter::create(scratch.path("rows"), RowFormat::table, 0, false, 2);
  ASSERT_TRUE(writer);
  std::vector<Row> rows{row_at(1), row_at(2), row_at(2), row_at(3), row_at(9), row_at(1)};
  rows[4].window = "hour";
  for (const Row& row : rows) ASSERT_TRUE((*writer)->write(row));
  ASSERT_TRUE((*writer)->finish());
  const std::vector<Row> shown{rows[1], rows[2], rows[3], rows[4]};
  EXPECT_EQ(scratch.get("rows"),
            render_table(shown, 0, false) + "\nThe newest 2 windows of each size; --all shows 1 older ones too.\n");
}

TEST(RowWriter, gives_no_name_before_it_finishes) {
  const Scratch scratch;
  scratch.put("rows", "old");
  const auto writer = writer_to(scratch.path("rows"), RowFormat::jsonl);
  ASSERT_TRUE(writer->write(row_at(1)));
  ASSERT_TRUE(writer->settle());
  EXPECT_EQ(scratch.get("rows"), "old");
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(scratch.get("rows"), render_json(row_at(1)) + "\n");
}

TEST(RowWriter, tells_of_a_full_disk_before_any_name_is_given) {
  const auto writer = writer_to("/dev/full", RowFormat::csv);
  const auto settled = writer->settle();
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().code, Errc::output_failed);
}

}  // namespace
}  // namespace recmeter
