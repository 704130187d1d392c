// What is particular to files: packing, damage, places that cannot be read. The common promises are in the contract suite.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "recmeter/file/open_file.h"
#include "support/read_all.h"
#include "unit/file/child.h"
#include "unit/file/packed.h"
#include "unit/file/scratch.h"

namespace recmeter::file {
namespace {

using test::as_nobody;
using test::read_all;
using test::Reading;
using test::Scratch;
using test::StandInput;
using namespace std::string_literals;

constexpr std::size_t block = 1000;

Reading read_file(const std::string& path) {
  auto source = open_file(path, {});
  if (!source) return {{}, source.error().context, 0};
  return read_all(**source, block, false);
}

Error open_error(const std::string& path) {
  auto source = open_file(path, {});
  if (!source) return source.error();
  ADD_FAILURE() << "opened";
  return {};
}

void expect_in(std::string_view text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string_view::npos) << part << " | " << text;
}

TEST(OpenFile, tells_packing_by_content_not_by_name) {
  const Scratch scratch;
  const std::vector<std::string> lines{"a", "b"};
  EXPECT_EQ(read_file(scratch.put("plain.gz", "a\nb\n")).records, lines);
  EXPECT_EQ(read_file(scratch.put("gzip.jsonl", test::gzip("a\nb\n"))).records, lines);
  EXPECT_EQ(read_file(scratch.put("zstd.gz", test::zstd("a\nb\n"))).records, lines);
  EXPECT_EQ(read_file(scratch.put("skippable", "\x50\x2a\x4d\x18\x02\x00\x00\x00!!"s + test::zstd("a\nb\n"))).records, lines);
  EXPECT_EQ(read_file(scratch.put("empty.gz", "")).records, std::vector<std::string>{});
}

TEST(OpenFile, names_the_converter_of_formats_it_does_not_read) {
  const Scratch scratch;
  for (const auto& [content, name] : std::vector<std::pair<std::string, std::string>>{{"\xfd"s + "7zXZ\0"s, "xz -dc"},
                                                                                      {"BZh91AY", "bzip2 -dc"},
                                                                                      {"PK\x03\x04..", "unzip -p"},
                                                                                      {"PAR1....", "Parquet"},
                                                                                      {"\xff\xfe{\0"s, "iconv"}}) {
    const Error error = open_error(scratch.put("input", content));
    EXPECT_EQ(error.code, Errc::input_unreadable);
    expect_in(error.context, {name, scratch.path("input")});
  }
}

std::string with_bytes_at(std::size_t at, std::string_view bytes) {
  std::string content = "log.csv"s + std::string(600, '\0');
  content.replace(at, bytes.size(), bytes);
  return content;
}

// As they are stored, however the log is said to be.
TEST(OpenFile, names_what_is_no_log) {
  const Scratch scratch;
  const std::string zip = "PK\x03\x04"s + std::string(26, '\0');
  for (const auto& [content, parts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {zip + "log.csv", {"is zip,", "unzip -p FILE |"}},
           {zip + "[Content_Types].xml", {"an Excel workbook", "--convert-to csv FILE"}},
           {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"s, {"an Excel workbook"}},
           {with_bytes_at(257, "ustar"), {"a tar archive", "tar -xf FILE"}},
           {"ORC\x11\0\0\x0a"s, {"is ORC", "read_orc('FILE')"}},
           {"ARROW1\0\0"s, {"an Arrow file", "read_feather('FILE')"}},
           {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", {"a pointer of Git LFS", "git lfs pull"}},
           {"\n<!DOCTYPE HTML><html>", {"a page of HTML", "fetch the log again"}},
           {"\x28\xb5\x2f\xfd\x03\0\0\0\0\0"s, {"zstd with a dictionary", "zstd -dc -D DICTIONARY FILE"}},
           {"{\0\"\0a\0\"\0"s, {"UTF-16 without a mark", "iconv -f UTF-16LE"}},
           {"\0{\0\"\0a\0\""s, {"UTF-16 without a mark", "iconv -f UTF-16BE"}}}) {
    const Error error = open_error(scratch.put("input", content));
    EXPECT_EQ(error.code, Errc::input_unreadable);
    expect_in(error.context, parts);
    expect_in(error.context, {scratch.path("input")});
  }
  const std::string line = std::string(257, 'a') + "ustar";
  EXPECT_EQ(read_file(scratch.put("letters", line + "\n")).records, std::vector<std::string>{line});
  EXPECT_EQ(read_file(scratch.put("shops", "ORC\nFEA1\n")).records, (std::vector<std::string>{"ORC", "FEA1"}));
}

// Where nothing is said of the form, the unpacked beginning is looked at, too.
TEST(OpenLog, names_what_is_packed_and_no_log) {
  const Scratch scratch;
  const auto error_of = [&](const std::string& content) {
    const auto opened = open_log(scratch.put("input", content), {}, {});
    return opened ? std::string() : opened.error().context;
  };
  expect_in(error_of(test::gzip(with_bytes_at(257, "ustar"))), {"unpacked, is a tar archive", "tar -xf <(gzip -dc FILE)"});
  const std::string latin = "time,query\n1,caf\xe9\n2,th\xe9\n3,caf\xe9\n";
  expect_in(error_of(latin), {"may be Latin-1", "iconv -f WINDOWS-1252 -t UTF-8 FILE |"});
  expect_in(error_of(test::zstd(latin)), {"iconv -f WINDOWS-1252 -t UTF-8 <(zstd -dc FILE) |"});
  EXPECT_EQ(error_of("time,query\n1,caf\xe9\n2,tea\n3,caf\xc3\xa9\n"), "");
  EXPECT_TRUE(open_log(scratch.put("input", latin), {.container = Container::rows}, {}));
}

TEST(OpenFile, says_what_is_missing) {
  const Scratch scratch;
  const Error error = open_error(scratch.path("absent.jsonl"));
  EXPECT_EQ(error.code, Errc::input_missing);
  expect_in(error.context, {"No such file", "check the path", scratch.path("absent.jsonl")});
  EXPECT_EQ(open_error("").code, Errc::input_missing);
  EXPECT_EQ(open_error(scratch.put("file", "x") + "/below").code, Errc::input_missing);
}

TEST(OpenFile, refuses_a_directory) {
  const Scratch scratch;
  const Error error = open_error(scratch.directory());
  EXPECT_EQ(error.code, Errc::input_unreadable);
  expect_in(error.context, {"is a directory", scratch.directory() + "/*.jsonl"});
  const StandInput input(::open(scratch.directory().c_str(), O_RDONLY));
  EXPECT_EQ(open_error("-").code, Errc::input_unreadable);
}

TEST(OpenFile, says_when_reading_is_not_permitted) {
  const Scratch scratch;
  const std::string path = scratch.put("secret", "x");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  EXPECT_EQ(as_nobody([&path] {
              const auto source = open_file(path, {});
              if (source || source.error().code != Errc::input_unreadable) return 1;
              return source.error().context.find("Permission denied; make it readable (chmod +r)") == std::string::npos ? 2
                                                                                                                        : 0;
            }),
            0);
}

TEST(OpenFile, says_when_standard_input_is_closed) {
  const int saved = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  const Error error = open_error("-");
  if (saved >= 0) {
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  }
  EXPECT_EQ(error.code, Errc::input_unreadable);
  expect_in(error.context, {"stdin", "redirect"});
}

TEST(OpenFile, holds_no_descriptor_until_the_first_read) {
  const Scratch scratch;
  const auto source = open_file(scratch.put("input", test::gzip("a\n")), {});
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->is_open());
  EXPECT_EQ((*source)->bytes_read(), 0U);
  EXPECT_EQ((*source)->bytes_total(), std::filesystem::file_size(scratch.path("input")));
  EXPECT_EQ((*source)->name(), scratch.path("input"));
}

TEST(OpenFile, reads_redirected_standard_input_from_where_it_stands) {
  const Scratch scratch;
  const int descriptor = ::open(scratch.put("input", "skip\na\nb\n").c_str(), O_RDONLY);
  ::lseek(descriptor, 5, SEEK_SET);
  const StandInput input(descriptor);
  auto source = open_file("-", {});
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->name(), "stdin");
  EXPECT_EQ((*source)->bytes_total(), 4U);
  EXPECT_EQ(read_all(**source, block, false).records, (std::vector<std::string>{"a", "b"}));
}

TEST(OpenFile, waits_on_a_pipe_that_does_not_block) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const StandInput input(ends[0]);
  const std::jthread writer([end = ends[1]] {
    for (const char c : "a\nb\nc\nd"s) {
      EXPECT_EQ(::write(end, &c, 1), 1);
      int unread = 1;  // the reader finds the pipe empty again and again
      while (unread > 0 && ::ioctl(end, FIONREAD, &unread) == 0) std::this_thread::yield();
    }
    ::close(end);
  });
  EXPECT_EQ(read_file("-").records, (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST(OpenFile, stops_waiting_when_told_to) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const StandInput input(ends[0]);
  std::atomic<bool> stop{false};
  auto source = open_file("-", {test::roomy, &stop});
  ASSERT_TRUE(source);
  const std::jthread stopper([&stop] { stop = true; });
  const auto batch = (*source)->read(block, {});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, Errc::interrupted);
  ::close(ends[1]);
}

TEST(FileSource, reports_a_file_that_became_shorter) {
  const Scratch scratch;
  const std::string path = scratch.put("input", "a\n" + std::string(100, 'x') + "\nb\n");
  auto source = open_file(path, {});
  ASSERT_TRUE(source);
  ASSERT_TRUE((*source)->read(2, {}));
  std::filesystem::resize_file(path, 10);
  const auto batch = (*source)->read(50, {});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, Errc::input_unreadable);
  expect_in(batch.error().context, {"became shorter", path});
  EXPECT_FALSE((*source)->is_open());
}

TEST(FileSource, reports_a_packed_file_that_became_shorter_while_suspended) {
  const Scratch scratch;
  const std::string path = scratch.put("input", test::gzip("a\nb\nc\nd\n"));
  auto source = open_file(path, {});
  ASSERT_TRUE((*source)->read(5, {}));
  (*source)->suspend();
  scratch.put("input", test::gzip("a\n"));
  EXPECT_FALSE((*source)->read(5, {}));
}

TEST(FileSource, reports_a_file_that_was_replaced_while_suspended) {
  const Scratch scratch;
  const std::string path = scratch.put("input", "a\nb\n");
  auto source = open_file(path, {});
  ASSERT_TRUE((*source)->read(1, {}));
  (*source)->suspend();
  scratch.put("other", "c\nd\n");
  std::filesystem::rename(scratch.path("other"), path);
  const auto batch = (*source)->read(1, {});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, Errc::input_unreadable);
  expect_in(batch.error().context, {"another file", path});
}

TEST(FileSource, stays_at_its_end) {
  const Scratch scratch;
  auto source = open_file(scratch.put("input", "a"), {});
  ASSERT_TRUE((*source)->read(block, {}));
  const auto again = (*source)->read(block, {});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->last);
  EXPECT_TRUE(again->records.empty());
}

std::string some_lines() {
  std::string content;
  for (int i = 0; i < 12; ++i) content += "{\"line\": " + std::to_string(i * i * 7919) + "}\n";
  return content;
}

// Of a file cut anywhere, either all records come out (nothing was missing) or an error that says where it ends.
void expect_cut_is_told(const std::string& packed, const std::string& name) {
  const Scratch scratch;
  const std::vector<std::string> whole = read_file(scratch.put("whole", packed)).records;
  for (std::size_t size = 2; size < packed.size(); ++size) {
    const Reading reading = read_file(scratch.put("cut", packed.substr(0, size)));
    expect_in(reading.error,
              {name + " input ends early", "still being written", scratch.path("cut") + ", byte " + std::to_string(size)});
    EXPECT_LE(reading.records.size(), whole.size());
  }
}

TEST(FileSource, tells_gzip_cut_at_any_byte) {
  expect_cut_is_told(test::gzip(some_lines()), "gzip");
  const Scratch scratch;
  expect_in(read_file(scratch.put("cut", test::gzip("a").substr(0, 1))).error, {"ends early"});
}

TEST(FileSource, tells_zstd_cut_at_any_byte) {
  expect_cut_is_told(test::zstd(some_lines()), "zstd");
}

// Every byte changed in several ways: an error, or, where the byte does not matter (a time in a header), all records.
void expect_damage_is_told(const std::string& packed) {
  const Scratch scratch;
  const std::vector<std::string> whole = read_file(scratch.put("whole", packed)).records;
  for (std::size_t at = 4; at < packed.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      const Reading reading = read_file(scratch.put("damaged", damaged));
      EXPECT_TRUE(!reading.error.empty() || reading.records == whole) << "byte " << at;
    }
  }
}

TEST(FileSource, never_takes_damaged_gzip_for_whole) {
  expect_damage_is_told(test::gzip(some_lines()));
}

TEST(FileSource, never_takes_damaged_zstd_for_whole) {
  expect_damage_is_told(test::zstd(some_lines()));
}

TEST(FileSource, tells_what_follows_a_packed_file) {
  const Scratch scratch;
  for (const auto& [packed, name] : {std::pair{test::gzip("a\n"), "gzip"s}, std::pair{test::zstd("a\n"), "zstd"s}}) {
    for (const std::string& tail : {"{}\n"s, "\0\0\0\0\0\0"s}) {
      auto source = open_file(scratch.put("input", packed + tail), {});
      const Reading reading = read_all(**source, block, false);
      expect_in(reading.error, {"not " + name + " follows", ", byte " + std::to_string(packed.size())});
    }
  }
}

TEST(FileSource, tells_damage_with_its_cause_and_code) {
  const Scratch scratch;
  std::string packed = test::gzip(some_lines());
  packed[packed.size() - 7] ^= 0x55;
  auto source = open_file(scratch.put("input", packed), {});
  const auto batch = (*source)->read(std::size_t{1} << 20, {});
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, Errc::input_corrupt);
  expect_in(batch.error().context, {"incorrect data check", "gzip -t", scratch.path("input")});
}

TEST(FileSource, refuses_a_zstd_window_that_is_too_large) {
  const Scratch scratch;
  EXPECT_EQ(read_file(scratch.put("input", test::zstd_with_window("a\nb\n", 27))).records.size(), 2U);
  expect_in(read_file(scratch.put("input", test::zstd_with_window("a\nb\n", 28))).error, {"128 MiB", "zstd -dc --long=31"});
}

TEST(FileSource, unpacks_what_swells) {
  const Scratch scratch;
  const std::string content = "a\n" + std::string(5'000'000, 'x') + "\nb\n";
  for (const std::string& packed : {test::gzip(content), test::zstd(content)}) {
    auto source = open_file(scratch.put("input", packed), {1000, nullptr});
    const Reading reading = read_all(**source, 65536, false);
    EXPECT_EQ(reading.error, "");
    ASSERT_EQ(reading.records.size(), 3U);
    EXPECT_LE(reading.buffer_bytes_max, 200'000U);
  }
}

}  // namespace
}  // namespace recmeter::file
