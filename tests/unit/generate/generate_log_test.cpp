#include "app/generate/generate_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/console/exit_code.h"

namespace recmeter::generate {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string messages;
};

Outcome run(const std::string& arguments, const std::atomic<bool>* interrupted = nullptr) {
  CLI::App app;
  GenerateOptions options;
  add_generate_options(app, options);
  try {
    app.parse("generate " + arguments);
  } catch (const CLI::ParseError& error) {
    return {2, error.what()};
  }
  const auto truth = run_generate(options, nullptr, interrupted);
  if (!truth) return {static_cast<int>(exit_code_of(truth.error().code)), truth.error().context};
  return {0, truth_text(*truth)};
}

class GenerateCommand : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("recmeter_generate_" + std::to_string(::getpid()) +
                                              testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (directory_ / name).string(); }
  [[nodiscard]] static std::size_t lines(const std::string& file) {
    std::ifstream in(file);
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);) ++count;
    return count;
  }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }

 private:
  fs::path directory_;
};

TEST_F(GenerateCommand, writes_the_log_and_its_truth) {
  const Outcome outcome = run("--lists 200 --hours 1 --output " + path("log.jsonl") + " --truth " + path("truth.json"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.messages.find("variant B: quality 0.5"), std::string::npos) << outcome.messages;
  EXPECT_GT(lines(path("log.jsonl")), 200U);
  EXPECT_EQ(lines(path("truth.json")), 1U);
  EXPECT_EQ(files(), 2U);
}

TEST_F(GenerateCommand, splits_by_kind_and_by_hour) {
  EXPECT_EQ(run("--lists 500 --hours 3 --split impressions,feedback --output " + path("kind")).code, 0);
  EXPECT_EQ(lines(path("kind/impressions.jsonl")), 500U);
  EXPECT_GT(lines(path("kind/feedback.jsonl")), 50U);
  EXPECT_EQ(run("--lists 500 --hours 3 --split hour --output " + path("hour")).code, 0);
  for (const char* name : {"hour/2023-11-14T00.jsonl", "hour/2023-11-14T01.jsonl", "hour/2023-11-14T02.jsonl"}) {
    EXPECT_GT(lines(path(name)), 50U) << name;
  }
}

TEST_F(GenerateCommand, topics_need_names_and_no_files) {
  const Outcome nameless = run("--lists 10 --brokers 127.0.0.1:1");
  EXPECT_EQ(nameless.code, 2);
  EXPECT_NE(nameless.messages.find("give --topic, or --impressions-topic and --feedback-topic"), std::string::npos);
  EXPECT_EQ(run("--lists 10 --brokers 127.0.0.1:1 --impressions-topic a").code, 2);
  EXPECT_EQ(run("--lists 10 --topic a").code, 2);
  EXPECT_EQ(run("--lists 10 --brokers 127.0.0.1:1 --topic a --output " + path("log.jsonl")).code, 2);
  EXPECT_EQ(run("--lists 10 --brokers 127.0.0.1:1 --topic a --split hour").code, 2);
  EXPECT_EQ(files(), 0U);
}

TEST_F(GenerateCommand, plain_gives_way_to_options_beside_it) {
  CLI::App app;
  GenerateOptions options;
  add_generate_options(app, options);
  app.parse("generate --plain --users 77 --late 0.1 --disorder 5s");
  EXPECT_EQ(options.spec.users, 77U);
  EXPECT_EQ(options.spec.items, 100'000U);
  EXPECT_EQ(options.spec.feedback_per_list, 0.3);
  EXPECT_FALSE(options.spec.surfaces);
  EXPECT_EQ(options.spec.late, 0.1);
  EXPECT_EQ(options.spec.disorder.ms, 5000);
}

TEST_F(GenerateCommand, refuses_what_it_cannot_do_and_says_what_to_give) {
  struct Case {
    const char* arguments;
    const char* says;
  };
  const Case cases[] = {
      {"--lists 0", "--lists is 0; give 1 to"},
      {"--lists many", "--lists"},
      {"--disorder 5", "not a duration; give a whole number and ms, s, m, h or d"},
      {"--disorder 2m", "raise --lateness"},
      {"--late 0.3 --duplicates 0.3", "together; lower one"},
      {"--late -0.1", "--late is -0.1"},
      {"--late nan", "--late is nan"},
      {"--wrong-clocks 0.3", "--wrong-clocks is 0.3; give 0 to 0.2"},
      {"--wrong-clocks 0.1 --disorder 2h --lateness 3h", "--wrong-clocks needs --disorder below 1h"},
      {"--days 0", "not a length of time"},
      {"--days 1 --hours 2", "excludes"},
      {"--start tomorrow", "not a time; give RFC 3339"},
      {"--start 2199-12-01T00:00:00Z", "choose another start"},
      {"--list-length 20-5", "runs backwards"},
      {"--list-length x", "not a length"},
      {"--list-length 500", "--list-length is 500"},
      {"--items 50", "--items is 50; give 80 to"},
      {"--users 0", "--users is 0"},
      {"--feedback-per-list 50", "more than such lists can get; give at most"},
      {"--click-delay 2h", "--click-delay is 7200000 ms"},
      {"--split hour", "--split needs a directory"},
      {"--split day", "not a split; give none, impressions,feedback or hour"},
      {"--format csv", "--format"},
      {"--segment-values 0", "--segment-values is 0"},
      {"--rythm 0.5", "--rythm"},
  };
  for (const Case& each : cases) {
    const Outcome outcome = run(std::string(each.arguments) + " --quiet");
    EXPECT_EQ(outcome.code, 2) << each.arguments;
    EXPECT_NE(outcome.messages.find(each.says), std::string::npos) << each.arguments << ": " << outcome.messages;
  }
}

TEST_F(GenerateCommand, says_all_faults_at_once) {
  const Outcome outcome = run("--lists 0 --late 2 --users 0");
  for (const char* option : {"--lists", "--late", "--users"}) EXPECT_NE(outcome.messages.find(option), std::string::npos);
}

TEST_F(GenerateCommand, a_full_disk_is_exit_code_1_with_the_cause) {
  const Outcome outcome = run("--lists 20000 --output /dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.messages.find("cannot write /dev/full: No space left on device; free some space"), std::string::npos)
      << outcome.messages;
}

TEST_F(GenerateCommand, a_place_that_cannot_be_written_is_exit_code_1) {
  for (const std::string& place : {path("missing/log.jsonl"), path("")}) {
    const Outcome outcome = run("--lists 10 --output " + place);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.messages.find("choose another --output"), std::string::npos) << outcome.messages;
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(GenerateCommand, an_interrupted_run_leaves_nothing_behind) {
  const std::atomic<bool> interrupted = true;
  const Outcome outcome = run("--lists 20000 --output " + path("log.jsonl"), &interrupted);
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(files(), 0U);
}

TEST_F(GenerateCommand, a_closed_pipe_is_an_interruption_without_a_sentence) {
  const auto into_closed_pipe = [] {
    int ends[2];
    if (::pipe(ends) != 0) std::exit(9);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    const Outcome outcome = run("--lists 20000");
    std::cerr << outcome.messages;
    std::exit(outcome.code);
  };
  EXPECT_EXIT(into_closed_pipe(), testing::ExitedWithCode(130), "^$");
}

}  // namespace
}  // namespace recmeter::generate
