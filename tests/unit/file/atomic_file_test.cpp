#include "recmeter/file/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "unit/file/child.h"
#include "unit/file/scratch.h"

namespace recmeter::file {
namespace {

using test::as_nobody;
using test::in_child;
using test::Scratch;
using Names = std::vector<std::string>;

std::unique_ptr<AtomicFile> create(const std::string& path) {
  auto file = AtomicFile::create(path);
  EXPECT_TRUE(file) << file.error().context;
  return file ? std::move(*file) : nullptr;
}

void expect_refused(const std::string& path, std::string_view why) {
  const auto file = AtomicFile::create(path);
  ASSERT_FALSE(file) << path;
  EXPECT_EQ(file.error().code, Errc::output_failed);
  EXPECT_NE(file.error().context.find(why), std::string::npos) << file.error().context;
  EXPECT_TRUE(file.error().context.ends_with(path)) << file.error().context;
}

TEST(AtomicFile, has_no_name_before_it_is_committed) {
  const Scratch scratch;
  const auto file = create(scratch.path("out"));
  ASSERT_TRUE(file->write(std::string(1'000'000, 'x')));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out")));
  ASSERT_TRUE(file->write("end"));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(scratch.get("out"), std::string(1'000'000, 'x') + "end");
  EXPECT_EQ(scratch.names(), Names{"out"});
}

TEST(AtomicFile, leaves_nothing_when_it_is_given_up) {
  const Scratch scratch;
  scratch.put("out", "old");
  {
    const auto file = create(scratch.path("out"));
    ASSERT_TRUE(file->write(std::string(1'000'000, 'x')));
  }
  EXPECT_EQ(scratch.names(), Names{"out"});
  EXPECT_EQ(scratch.get("out"), "old");
}

TEST(AtomicFile, replaces_what_stood_there_in_one_step) {
  const Scratch scratch;
  scratch.put("out", "old");
  const int old = ::open(scratch.path("out").c_str(), O_RDONLY);
  const auto file = create(scratch.path("out"));
  ASSERT_TRUE(file->write("new"));
  EXPECT_EQ(scratch.get("out"), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(scratch.get("out"), "new");
  char bytes[8];
  EXPECT_EQ(::read(old, bytes, sizeof bytes), 3) << "a reader of the old file keeps it";
  ::close(old);
  EXPECT_EQ(scratch.names(), Names{"out"});
}

TEST(AtomicFile, replaces_a_file_that_appeared_meanwhile) {
  const Scratch scratch;
  const auto file = create(scratch.path("out"));
  ASSERT_TRUE(file->write("new"));
  scratch.put("out", "somebody else's");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(scratch.get("out"), "new");
  EXPECT_EQ(scratch.names(), Names{"out"});
}

TEST(AtomicFile, obeys_the_umask) {
  const Scratch scratch;
  const mode_t saved = ::umask(027);
  const auto file = create(scratch.path("out"));
  ASSERT_TRUE(file->commit());
  ::umask(saved);
  struct stat status{};
  ASSERT_EQ(::stat(scratch.path("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(status.st_size, 0);
}

TEST(AtomicFile, replaces_the_target_of_a_link_and_keeps_the_link) {
  const Scratch scratch;
  scratch.put("target", "old");
  std::filesystem::create_symlink("target", scratch.path("link"));
  const auto file = create(scratch.path("link"));
  ASSERT_TRUE(file->write("new"));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link")));
  EXPECT_EQ(scratch.get("target"), "new");
}

TEST(AtomicFile, refuses_places_it_could_not_commit_to) {
  const Scratch scratch;
  expect_refused(scratch.directory(), "name a file, not a directory");
  expect_refused(scratch.path("new/"), "name a file, not a directory");
  expect_refused("", "name a file, not a directory");
  expect_refused(scratch.path("absent/out"), "mkdir -p");
  scratch.put("file", "");
  expect_refused(scratch.path("file/out"), "mkdir -p");
  expect_refused(scratch.path(std::string(300, 'x')), "shorter name");
  std::filesystem::create_symlink("nowhere", scratch.path("link"));
  expect_refused(scratch.path("link"), "symbolic link to nothing");
  EXPECT_EQ(scratch.names(), (Names{"file", "link"}));
}

TEST(AtomicFile, refuses_what_it_may_not_write) {
  const Scratch scratch;
  ASSERT_EQ(::chmod(scratch.put("kept", "").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(scratch.directory().c_str(), 0555), 0);
  EXPECT_EQ(as_nobody([&scratch] {
              const auto kept = AtomicFile::create(scratch.path("kept"));
              if (kept || kept.error().context.find("write-protected") == std::string::npos) return 1;
              const auto fresh = AtomicFile::create(scratch.path("out"));
              return fresh || fresh.error().context.find("a directory you may write to") == std::string::npos ? 2 : 0;
            }),
            0);
  ::chmod(scratch.directory().c_str(), 0755);
}

TEST(AtomicFile, writes_devices_and_pipes_directly) {
  const auto null = create("/dev/null");
  ASSERT_TRUE(null->write("gone"));
  ASSERT_TRUE(null->commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto pipe = create("/dev/fd/" + std::to_string(ends[1]));
  ASSERT_TRUE(pipe->write("through"));
  ASSERT_TRUE(pipe->commit());
  char bytes[16];
  EXPECT_EQ(::read(ends[0], bytes, sizeof bytes), 7);
  ::close(ends[0]);
  ::close(ends[1]);
  expect_refused("/dev/fd/987654", "Bad file descriptor");
}

TEST(AtomicFile, appends_to_a_redirected_descriptor) {
  const Scratch scratch;
  const int descriptor = ::open(scratch.put("out", "before ").c_str(), O_WRONLY | O_APPEND);
  const auto file = create("/dev/fd/" + std::to_string(descriptor));
  ASSERT_TRUE(file->write("after"));
  ASSERT_TRUE(file->commit());
  ::close(descriptor);
  EXPECT_EQ(scratch.get("out"), "before after");
}

TEST(AtomicFile, says_when_the_disk_is_full) {
  const auto file = create("/dev/full");
  ASSERT_TRUE(file->write("x"));
  const auto committed = file->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, Errc::output_failed);
  EXPECT_EQ(committed.error().context,
            "cannot write the output: No space left on device; free some space or write elsewhere: /dev/full");
}

TEST(AtomicFile, leaves_nothing_when_a_write_fails) {
  const Scratch scratch;
  scratch.put("out", "old");
  EXPECT_EQ(in_child([&scratch] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100'000, 100'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              auto file = AtomicFile::create(scratch.path("out"));
              if (!file) return 1;
              const auto written = (*file)->write(std::string(1'000'000, 'x'));
              if (written) return 2;
              return written.error().context.find("ulimit -f") == std::string::npos ? 3 : 0;
            }),
            0);
  EXPECT_EQ(scratch.names(), Names{"out"});
  EXPECT_EQ(scratch.get("out"), "old");
}

// Without /proc a file without a name could not be given one later.
TEST(AtomicFile, keeps_its_promises_where_files_need_names) {
  if (::geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root may change the root directory";
  const Scratch scratch;
  scratch.put("out", "old");
  EXPECT_EQ(in_child([&scratch] {
              if (::chroot(scratch.directory().c_str()) != 0 || ::chdir("/") != 0) return 1;
              {
                auto given_up = AtomicFile::create("/out");
                if (!given_up || !(*given_up)->write(std::string(1'000'000, 'x'))) return 2;
                if (std::distance(std::filesystem::directory_iterator("/"), {}) != 2) return 3;
              }
              if (std::distance(std::filesystem::directory_iterator("/"), {}) != 1) return 4;
              auto file = AtomicFile::create("out");
              return file && (*file)->write("new") && (*file)->commit() ? 0 : 5;
            }),
            0);
  EXPECT_EQ(scratch.names(), Names{"out"});
  EXPECT_EQ(scratch.get("out"), "new");
}

TEST(AtomicFile, leaves_nothing_when_the_process_is_killed) {
  const Scratch scratch;
  const int probe = ::open(scratch.directory().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "SKIPPED: this file system has no files without names";
  ::close(probe);
  EXPECT_EQ(in_child([&scratch] {
              auto file = AtomicFile::create(scratch.path("out"));
              if (!file || !(*file)->write(std::string(1'000'000, 'x'))) return 1;
              return ::raise(SIGKILL);
            }),
            1000 + SIGKILL);
  EXPECT_EQ(scratch.names(), Names{});
}

}  // namespace
}  // namespace recmeter::file
