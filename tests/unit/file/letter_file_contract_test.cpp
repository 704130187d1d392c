// Dead letters in a file, and in memory.
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "contract/dead_letters_contract.h"
#include "recmeter/file/letter_file.h"
#include "support/letter_text.h"
#include "support/memory_letters.h"
#include "unit/file/scratch.h"

namespace recmeter::contract {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class FilePlace : public LetterPlace {
 public:
  FilePlace() { std::signal(SIGXFSZ, SIG_IGN); }
  ~FilePlace() override { limit_to(RLIM_INFINITY); }

  std::unique_ptr<DeadLetters> open() override { return file::letter_file(scratch_.path("letters.jsonl")); }
  std::vector<DeadLetter> received() override {
    std::vector<DeadLetter> letters;
    for (const std::string& line : lines_of(scratch_.get("letters.jsonl"))) letters.push_back(support::letter_from(line));
    return letters;
  }
  // In the middle of a line, as a full disk would have it.
  void obstruct(bool is_obstructed) override {
    limit_to(is_obstructed ? scratch_.get("letters.jsonl").size() + 10 : RLIM_INFINITY);
  }

 private:
  static void limit_to(rlim_t bytes) {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  test::Scratch scratch_;
};

class MemoryPlace : public LetterPlace {
 public:
  std::unique_ptr<DeadLetters> open() override { return std::make_unique<support::MemoryLetters>(delivered_, 1, 50); }
  std::vector<DeadLetter> received() override { return delivered_.letters; }
  void obstruct(bool is_obstructed) override { delivered_.is_obstructed = is_obstructed; }

 private:
  support::DeliveredLetters delivered_;
};

INSTANTIATE_TEST_SUITE_P(Letters, DeadLettersContract,
                         ::testing::Values(DeadLettersCase{"file", [] { return std::make_unique<FilePlace>(); }},
                                           DeadLettersCase{"memory", [] { return std::make_unique<MemoryPlace>(); }}),
                         [](const auto& each) { return each.param.name; });

class LetterFile : public testing::Test {
 protected:
  void send(DeadLetters& letters, std::int64_t offset) {
    ASSERT_TRUE(letters.send({.topic = "log", .offset = offset, .reason = "no_type", .timestamp = {}, .value = "x"}));
  }
  [[nodiscard]] std::unique_ptr<DeadLetters> open() const { return file::letter_file(scratch_.path("f")); }
  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> offsets;
    for (const std::string& line : lines_of(scratch_.get("f"))) offsets.push_back(support::letter_from(line).offset);
    return offsets;
  }
  test::Scratch scratch_;
};

TEST_F(LetterFile, has_neither_half_a_line_nor_a_letter_twice_after_a_crash) {
  std::string position;
  {
    const auto letters = open();
    ASSERT_TRUE(letters->go_on_from(""));
    send(*letters, 0);
    EXPECT_EQ(letters->deliver(true)->delivered, 1U);
    position = letters->position();
    send(*letters, 1);
    EXPECT_EQ(letters->deliver(true)->delivered, 2U);
  }
  std::ofstream(scratch_.path("f"), std::ios::app) << R"({"schema":"recme)";
  const auto letters = open();
  ASSERT_TRUE(letters->go_on_from(position));
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{0}));
  send(*letters, 1);
  EXPECT_EQ(letters->deliver(true)->delivered, 1U);
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{0, 1}));
}

TEST_F(LetterFile, is_made_for_its_owner_alone) {
  ASSERT_TRUE(open()->go_on_from(""));
  EXPECT_EQ(std::filesystem::status(scratch_.path("f")).permissions(), std::filesystem::perms(0600));
}

TEST_F(LetterFile, syncs_few_letters_only_when_they_are_waited_for) {
  const auto letters = open();
  ASSERT_TRUE(letters->go_on_from(""));
  send(*letters, 0);
  EXPECT_EQ(letters->deliver(false)->delivered, 0U);
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{}));
  EXPECT_EQ(letters->deliver(true)->delivered, 1U);
}

TEST_F(LetterFile, refuses_a_file_that_the_state_has_not_written) {
  scratch_.put("f", "a diary\n");
  auto done = open()->go_on_from("");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::state_unusable) << "a service must not try again";
  EXPECT_NE(done.error().context.find("move the file away"), std::string::npos) << done.error().context;
  EXPECT_EQ(scratch_.get("f"), "a diary\n");
  const auto elsewhere = file::letter_file(scratch_.path("g"));
  ASSERT_TRUE(elsewhere->go_on_from(""));
  ASSERT_FALSE(open()->go_on_from(elsewhere->position())) << "the position of another file is none";
}

TEST_F(LetterFile, refuses_another_one_of_the_same_name) {
  std::string position;
  {
    const auto letters = open();
    ASSERT_TRUE(letters->go_on_from(""));
    send(*letters, 0);
    EXPECT_EQ(letters->deliver(true)->delivered, 1U);
    position = letters->position();
  }
  for (const std::string& other : {std::string("x"), std::string("x\n"), std::string(1000, 'x'), std::string(1000, '\n')}) {
    scratch_.put("f", other);
    const auto done = open()->go_on_from(position);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, Errc::state_unusable);
    EXPECT_EQ(scratch_.get("f"), other);
  }
}

// Letters of offsets up to 19; the file is taken away behind some.
TEST_F(LetterFile, goes_on_in_a_new_file_when_one_is_taken_away) {
  for (const bool is_cut : {false, true}) {
    SCOPED_TRACE(is_cut);
    std::filesystem::remove(scratch_.path("f"));
    std::vector<file::LostFile> lost;
    const auto letters = file::letter_file(scratch_.path("f"), [&](const file::LostFile& file) { lost.push_back(file); });
    ASSERT_TRUE(letters->go_on_from(""));
    std::vector<std::int64_t> seen;
    const auto take_away = [&] {
      const auto some = offsets();
      seen.insert(seen.end(), some.begin(), some.end());
      is_cut ? std::filesystem::resize_file(scratch_.path("f"), 0)
             : static_cast<void>(std::filesystem::remove(scratch_.path("f")));
    };
    for (std::int64_t n = 0; n < 20; ++n) {
      send(*letters, n);
      for (int step = 0; step < 3; ++step) {
        ASSERT_TRUE(letters->deliver(true));
        if (letters->awaits_state()) static_cast<void>(letters->position());
      }
      if (n % 7 == 3) take_away();
    }
    take_away();
    std::vector<std::int64_t> all(20);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(seen, all);
    ASSERT_EQ(lost.size(), 3U) << "of offsets 3, 10, 17; nothing came after the last";
    EXPECT_EQ(lost.front().setting, "dead_letter.file");
    EXPECT_NE(lost.front().sentence.find("log/0 at offset 3"), std::string::npos) << lost.front().sentence;
  }
}

TEST_F(LetterFile, goes_on_in_a_new_file_when_one_was_taken_away_between_runs) {
  std::string position;
  {
    const auto letters = open();
    ASSERT_TRUE(letters->go_on_from(""));
    send(*letters, 0);
    EXPECT_EQ(letters->deliver(true)->delivered, 1U);
    position = letters->position();
    send(*letters, 1);
    EXPECT_EQ(letters->deliver(true)->delivered, 2U);
  }
  std::filesystem::rename(scratch_.path("f"), scratch_.path("f.1"));
  std::vector<file::LostFile> lost;
  const auto letters = file::letter_file(scratch_.path("f"), [&](const file::LostFile& file) { lost.push_back(file); });
  ASSERT_TRUE(letters->go_on_from(position));
  ASSERT_EQ(lost.size(), 1U);
  static_cast<void>(letters->position());
  send(*letters, 1);
  send(*letters, 2);
  EXPECT_EQ(letters->deliver(true)->delivered, 2U);
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{2})) << "the one before is in the moved file";
}

// As logrotate does before it sends SIGHUP.
TEST_F(LetterFile, goes_on_where_its_path_leads_when_it_is_opened_anew) {
  const auto letters = open();
  ASSERT_TRUE(letters->go_on_from(""));
  send(*letters, 0);
  ASSERT_TRUE(letters->deliver(true));
  send(*letters, 1);
  std::filesystem::rename(scratch_.path("f"), scratch_.path("moved"));
  ASSERT_TRUE(letters->reopen());
  ASSERT_TRUE(letters->deliver(true));
  EXPECT_EQ(offsets(), std::vector<std::int64_t>()) << "the state is told of the new file before it has letters";
  static_cast<void>(letters->position());
  ASSERT_TRUE(letters->deliver(true));
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(lines_of(scratch_.get("moved")).size(), 1U);
  const auto again = open();
  ASSERT_TRUE(again->go_on_from(letters->position()));
  EXPECT_EQ(offsets(), (std::vector<std::int64_t>{1}));
}

}  // namespace
}  // namespace recmeter::contract
