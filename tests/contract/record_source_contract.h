// What every RecordSource promises (port/record_source.h, event/record_batch.h), whatever it reads from.
//
// A suite instantiates RecordSourceContract with ways to present bytes as a source; each test then runs for every way and
// block size. The numbers in brackets are the invariants of RecordBatch.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/port/record_source.h"
#include "support/read_all.h"

namespace recmeter::contract {

using test::read_all;
using test::Reading;
using test::roomy;

// A source over `content` that lives until the presentation is destroyed.
class Presentation {
 public:
  virtual ~Presentation() = default;
  [[nodiscard]] virtual RecordSource& source() = 0;
};

struct RecordSourceCase {
  std::string name;
  std::size_t block;
  bool can_suspend;
  std::function<std::unique_ptr<Presentation>(std::string_view content, std::size_t record_bytes_max)> present;
};

inline void PrintTo(const RecordSourceCase& c, std::ostream* out) {
  *out << c.name;
}

class RecordSourceContract : public ::testing::TestWithParam<RecordSourceCase> {
 protected:
  [[nodiscard]] static Reading read(std::string_view content, std::size_t record_bytes_max = roomy, bool suspended = false) {
    const auto presentation = GetParam().present(content, record_bytes_max);
    return read_all(presentation->source(), GetParam().block, suspended);
  }
  static void expect(std::string_view content, const std::vector<std::string>& records,
                     std::size_t record_bytes_max = roomy) {
    const Reading reading = read(content, record_bytes_max);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.records, records);
  }
};

TEST_P(RecordSourceContract, hands_over_every_line_in_order) {
  expect("a\nbc\ndef\n", {"a", "bc", "def"});
}

TEST_P(RecordSourceContract, takes_a_last_line_without_newline) {
  expect("a\nb", {"a", "b"});
}

TEST_P(RecordSourceContract, ends_an_empty_input_without_records) {
  expect("", {});
  expect("\n", {});
  expect("\n\n\n\n\n\n\n\n\n\n", {});
}

TEST_P(RecordSourceContract, takes_carriage_returns_off_line_ends_only) {
  expect("a\r\nb\rc\r\n\rd\r\r\ne\r", {"a", "b\rc", "\rd\r", "e"});
}

TEST_P(RecordSourceContract, passes_over_blank_lines) {
  expect("\n\na\n\n \t\n\r\n \r\nb\n  \t  ", {"a", "b"});
  expect("   \n\t", {});
  expect(" a \n", {" a "});
}

TEST_P(RecordSourceContract, skips_a_byte_order_mark_at_the_very_start_only) {
  expect("\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n", {"{}", "\xef\xbb\xbf{}"});
  expect("\xef\xbb\xbf", {});
  expect("\xef\xbb\xbf\n\xef\xbb\xbfx", {"\xef\xbb\xbfx"});
  expect("\xef\xbb", {"\xef\xbb"});
  expect("\n\xef\xbb\xbf", {"\xef\xbb\xbf"});
}

TEST_P(RecordSourceContract, keeps_bytes_that_are_no_text) {
  using namespace std::string_literals;
  expect("\0\x01\xff\n\x80\0"s, {"\0\x01\xff"s, "\x80\0"s});
}

TEST_P(RecordSourceContract, cuts_long_records_and_goes_on_behind_them) {
  constexpr std::size_t limit = 10;
  const std::string fits(limit, 'x');
  const std::string cut(limit + 1, 'y');
  expect(fits + "\n" + fits + "\r\n" + fits, {fits, fits, fits}, limit);
  expect(cut + "\nz\n", {cut, "z"}, limit);
  expect(cut + "\r\nz\n", {cut, "z"}, limit);
  expect(cut + "y\r\n\nz", {cut, "z"}, limit);
  expect("z\n" + std::string(5000, 'y') + "\n" + std::string(77, 'y') + "\nz\n" + std::string(300, 'y'),
         {"z", cut, cut, "z", cut}, limit);
  expect("\xef\xbb\xbf" + fits + "\n", {fits}, limit);
  expect("\xef\xbb\xbf" + cut + "y\n", {cut}, limit);
}

TEST_P(RecordSourceContract, knows_a_long_blank_line_for_blank) {
  constexpr std::size_t limit = 4;
  expect(std::string(100, ' ') + "\na\n" + std::string(99, '\t') + "\r\n", {"a"}, limit);
  expect(std::string(100, ' ') + "a\nb", {std::string(limit + 1, ' '), "b"}, limit);
}

TEST_P(RecordSourceContract, does_not_buffer_what_it_cuts) {
  constexpr std::size_t limit = 100;
  const Reading reading = read("a\n" + std::string(200'000, 'x') + "\nb\n", limit);
  EXPECT_EQ(reading.records, (std::vector<std::string>{"a", std::string(limit + 1, 'x'), "b"}));
  EXPECT_LE(reading.buffer_bytes_max, limit + 2 * GetParam().block + RecordBatch::padding + 2);
}

inline std::string many_lines() {
  std::string content;
  for (int i = 0; i < 300; ++i)
    content += "{\"n\":" + std::to_string(i) + std::string(static_cast<std::size_t>(i % 37), ' ') + "}\n";
  return content;
}

TEST_P(RecordSourceContract, goes_on_after_a_suspension_at_every_step) {
  for (const std::string& content : {many_lines(), "\xef\xbb\xbf\n" + std::string(50, 'x') + "\r\n\n \na\nb"}) {
    const Reading straight = read(content, 40);
    const Reading suspended = read(content, 40, true);
    EXPECT_EQ(suspended.error, "");
    EXPECT_EQ(suspended.records, straight.records);
  }
}

TEST_P(RecordSourceContract, gives_up_its_descriptor_when_suspended) {
  const auto presentation = GetParam().present(many_lines(), roomy);
  RecordSource& source = presentation->source();
  ASSERT_TRUE(source.read(1, {}));
  EXPECT_TRUE(source.is_open());
  source.suspend();
  EXPECT_EQ(source.is_open(), !GetParam().can_suspend);
  source.suspend();
  ASSERT_TRUE(source.read(1, {}));
  EXPECT_TRUE(source.is_open());
}

TEST_P(RecordSourceContract, counts_its_stored_bytes) {
  const auto presentation = GetParam().present(many_lines(), roomy);
  RecordSource& source = presentation->source();
  EXPECT_EQ(source.bytes_read(), 0U);
  EXPECT_EQ(read_all(source, GetParam().block, false).error, "");
  EXPECT_GT(source.bytes_read(), 0U);
  EXPECT_TRUE(source.bytes_total() == 0 || source.bytes_total() == source.bytes_read());
  EXPECT_FALSE(source.is_open()) << "a source at its end holds nothing";
}

TEST_P(RecordSourceContract, reuses_the_buffers_given_back) {
  const auto presentation = GetParam().present(many_lines(), roomy);
  RecordSource& source = presentation->source();
  RecordBatch batch;
  batch.bytes.resize(std::size_t{4} << 20);
  batch.records.reserve(1000);
  const char* const bytes = batch.bytes.data();
  const Record* const records = batch.records.data();
  while (!batch.last) {
    auto next = source.read(GetParam().block, std::move(batch));
    ASSERT_TRUE(next);
    batch = std::move(*next);
    ASSERT_EQ(batch.bytes.data(), bytes);
    ASSERT_EQ(batch.records.data(), records);
  }
}

}  // namespace recmeter::contract
