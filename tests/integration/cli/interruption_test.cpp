// Ctrl-C and SIGTERM: the first ends the run with what is final, the second ends the process.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "integration/cli/workplace.h"

namespace recmeter::test {
namespace {

class Interruption : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    generate("--lists 20000 --seed 7");
  }

  // A replay that has read most of a log and waits for more.
  void ends_with_what_is_final(int signal, const char* threads) {
    const std::string input = fifo("input");
    Program program(call(std::string("replay input -o rows --report report --curves curves --threads ") + threads));
    const Feeder feeder(input);
    ASSERT_TRUE(feeder.feed(scratch().get("log.jsonl")));  // all but what fits into the pipe has been read now
    program.send(signal);
    const Ended ended = program.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    expect_clean_messages(ended.err);
    expect_says(ended, {"interrupted: only what was final"});
    check_outputs();
  }

  void check_outputs() const {
    const auto report = json_in("report");
    EXPECT_FALSE(report["complete"].get<bool>());
    const auto& events = report["events"];
    std::uint64_t told = 0;
    for (const char* fate : {"invalid", "ignored", "future", "late", "duplicate", "impressions", "feedback", "undecided"}) {
      told += events[fate].get<std::uint64_t>();
    }
    EXPECT_EQ(events["read"].get<std::uint64_t>(), told);
    std::uint64_t outcomes = 0;
    for (const auto& count : report["feedback"]) outcomes += count.get<std::uint64_t>();
    EXPECT_EQ(events["feedback"].get<std::uint64_t>(), outcomes);
    EXPECT_EQ(report["rows"]["truncated"].get<int>(), 0);
    const auto rows = lines_of(scratch().get("rows"));
    EXPECT_EQ(report["rows"]["final"].get<std::size_t>(), rows.size());
    ASSERT_FALSE(rows.empty());

    EXPECT_EQ(lines_of(scratch().get("curves")).size(), 11 * rows.size());  // k = 0..10

    // They are the first rows of the whole run.
    ASSERT_EQ(run("replay log.jsonl -o whole").code, 0);
    const auto whole = lines_of(scratch().get("whole"));
    ASSERT_LT(rows.size(), whole.size());
    EXPECT_EQ(rows, std::vector<std::string>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(rows.size())));
  }
};

// Hours of rows between two records: the evaluator is busy and reads nothing.
TEST_F(Interruption, ends_a_run_that_is_busy) {
  scratch().put("busy.yaml",
                "windows: [{name: minute, size: 1m, slide: 1ms}]\njoin: {horizons: [30m]}\n"
                "limits: {windows_per_list: 100000, values_per_day: 1000000000000}\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program(call("replay log.jsonl -c busy.yaml -o rows --report report --progress plain"));
    ::sleep(2);
    program.send(signal);
    const auto begin = std::chrono::steady_clock::now();
    const Ended ended = program.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_EQ(ended.code, 130) << ended.err;
    if (signal == SIGTERM) continue;  // what it can write depends on what 1.5 s are enough for
    expect_says(ended, {"interrupted: only what was final"});
    EXPECT_FALSE(json_in("report")["complete"].get<bool>());
    EXPECT_EQ(json_in("report")["rows"]["final"].get<std::size_t>(), lines_of(scratch().get("rows")).size());
  }
}

TEST_F(Interruption, writes_what_is_final_on_ctrl_c) {
  ends_with_what_is_final(SIGINT, "1");
}

TEST_F(Interruption, writes_what_is_final_on_ctrl_c_with_threads) {
  ends_with_what_is_final(SIGINT, "4");
}

TEST_F(Interruption, writes_what_is_final_on_sigterm) {
  ends_with_what_is_final(SIGTERM, "2");
}

TEST_F(Interruption, ends_a_wait_for_standard_input) {
  Call made = call("replay - -o rows --report report");
  made.input = fifo("input");
  Program program(made);
  const Feeder feeder(scratch().path("input"));
  ASSERT_TRUE(feeder.feed(std::string(100'000, '\n')));  // more than a pipe holds: the program reads
  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_FALSE(json_in("report")["complete"].get<bool>());
  EXPECT_EQ(scratch().get("rows"), "");
}

TEST_F(Interruption, ends_a_wait_for_a_writer) {
  ASSERT_FALSE(fifo("input").empty());
  const std::string gate = fifo("gate");
  // The gate tells that the handlers are there: it is opened for reading, as an input, before `input`.
  Program program(call("replay gate input"));
  const Feeder feeder(gate);
  program.send_until_ended(SIGINT);
  EXPECT_EQ(program.wait().code, 130);
}

// A replay that cannot go on, because nobody reads its lists, is told twice.
TEST_F(Interruption, ends_at_once_when_asked_twice_and_leaves_nothing) {
  const std::string lists = fifo("lists");
  scratch().put("rows", "what stood there\n");
  Program program(call("replay --sort never log.jsonl -o rows --report report --lists lists --curves curves"));
  const int reader = ::open(lists.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  pollfd first{reader, POLLIN, 0};
  ASSERT_EQ(::poll(&first, 1, 30'000), 1);
  const auto before = everything();
  program.send(SIGINT);
  program.send(SIGTERM);
  const Ended ended = program.wait();
  ::close(reader);
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_EQ(everything(), before);
  EXPECT_EQ(scratch().get("rows"), "what stood there\n");
}

TEST_F(Interruption, of_generate_leaves_nothing) {
  const auto before = everything();
  Call made = call("generate --lists 100000000 -o new.jsonl --truth truth.json");
  Program program(made);
  const auto has_begun = [&] {
    for (const std::string& name : scratch().names()) {
      if (name.starts_with("new.jsonl")) return true;
    }
    return false;
  };
  while (!has_begun()) static_cast<void>(program.says("what it never says", 10));
  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 130) << ended.err;
  expect_says(ended, {"interrupted", "was removed"});
  expect_clean_messages(ended.err);
  EXPECT_EQ(everything(), before);
}

constexpr const char* without_a_broker =
    "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\npublish: {http: {listen: off}}\n";

// The exit code of the program where a signal has come before its first instruction: held back by whoever starts it.
int code_of_a_start(const Call& call, int signal) {
  const pid_t child = ::fork();
  if (child == 0) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, nullptr);
    ::raise(signal);
    std::vector<char*> words{const_cast<char*>(RECMETER_PROGRAM)};
    for (const std::string& word : call.arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int descriptor : {0, 1, 2}) ::dup2(nothing, descriptor);
    if (::chdir(call.directory.c_str()) == 0) ::execv(RECMETER_PROGRAM, words.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_F(Interruption, means_the_same_from_the_first_instruction_on) {
  scratch().put("live.yaml", without_a_broker);
  for (const char* command :
       {"replay log.jsonl -o rows", "replay log.jsonl -o rows --format csv --report report", "infer log.jsonl",
        "doctor log.jsonl", "explain --list x log.jsonl", "generate --lists 100000000 -o new.jsonl",
        "stamp log.jsonl -o lines", "examination --uniform variant:A log.jsonl", "report log.jsonl -o page",
        "merge log.jsonl -o rows", "metrics", "version", "validate live.yaml", "prequential log.jsonl"}) {
    const int code = code_of_a_start(call(command), SIGTERM);
    // What is wrong with the command line may be said first.
    EXPECT_TRUE(code == 130 || ((std::string_view(command).starts_with("merge") || code == 2) && code != 0))
        << command << ": " << code;
  }
  EXPECT_EQ(code_of_a_start(call("replay log.jsonl -o rows"), SIGINT), 130);
#if RECMETER_IS_LIVE
  EXPECT_EQ(code_of_a_start(call("validate --connect live.yaml"), SIGTERM), 130);
  EXPECT_EQ(code_of_a_start(call("attach -c live.yaml"), SIGTERM), 0);
  EXPECT_EQ(code_of_a_start(call("--json attach -c live.yaml"), SIGTERM), 0);
#endif
}

// Nobody reads what it writes, so it cannot finish.
TEST_F(Interruption, of_a_supervisor_ends_what_cannot_finish) {
  const std::string lists = fifo("lists");
  Program program(call("replay --sort never log.jsonl -o rows --lists lists"));
  const int reader = ::open(lists.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  pollfd first{reader, POLLIN, 0};
  ASSERT_EQ(::poll(&first, 1, 30'000), 1);
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 130);
  ::close(reader);
}

#if RECMETER_IS_LIVE
TEST_F(Interruption, of_a_supervisor_ends_an_attach_well_wherever_it_is) {
  scratch().put("live.yaml", without_a_broker);
  static_cast<void>(fifo("report"));  // which it opens to write, and nobody reads
  Program program(call("attach -c live.yaml --report report"));
  ASSERT_FALSE(program.says("anything", 500));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 0);
}
#endif

}  // namespace
}  // namespace recmeter::test
