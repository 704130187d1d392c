// Programs that answer, and that do not: every call ends by its deadline, and nothing is left of a program.
#include "recmeter/process/line_channel.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <string>

#include "unit/file/scratch.h"

namespace recmeter::process {
namespace {

using Clock = LineChannel::Clock;
using std::chrono::milliseconds;

Clock::time_point in(milliseconds time) {
  return Clock::now() + time;
}

class Spawned : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  void begin(const std::string& script, std::size_t line_bytes_max = std::size_t{1} << 20) {
    ChannelOptions options{.line_bytes_max = line_bytes_max};
    options.complaint = [this](std::string_view line) { complaints_ += std::string(line) + "\n"; };
    options.stop = &stop_;
    options.patience = milliseconds(50);
    auto channel = LineChannel::spawn({"/bin/sh", "-c", script}, options);
    ASSERT_TRUE(channel) << channel.error().context;
    channel_ = std::move(*channel);
  }
  // What is wrong by the time a line should have come.
  [[nodiscard]] Error error_of_reading() {
    auto line = channel_->read(in(milliseconds(20'000)));
    return line ? Error{Errc::interrupted, "a line, or none in time"} : line.error();
  }

  std::string complaints_;
  std::atomic<bool> stop_ = false;
  std::unique_ptr<LineChannel> channel_;  // the last: it may complain to its end
};

TEST_F(Spawned, lines_go_to_a_child_and_back) {
  begin("cat");
  for (const char* line : {"a", "", "{\"b\":1}"}) {
    EXPECT_EQ(*channel_->write(line, in(milliseconds(20'000))), true);
    const auto back = channel_->read(in(milliseconds(20'000)));
    ASSERT_TRUE(back && *back);
    EXPECT_EQ((*back)->text, line);
  }
}

TEST_F(Spawned, neither_waits_for_the_other_where_both_write_more_than_a_pipe_holds) {
  begin("cat", std::size_t{8} << 20);
  const std::string line(std::size_t{4} << 20, 'x');
  EXPECT_EQ(*channel_->write(line, in(milliseconds(20'000))), true);
  EXPECT_EQ((**channel_->read(in(milliseconds(20'000)))).text.size(), line.size());
}

// The second was there before anything was asked, and the beginning of the third.
TEST_F(Spawned, a_line_that_begins_before_the_last_one_was_written_is_early) {
  begin("printf 'one\\ntwo\\nthr'; read asked; printf 'ee\\nfour\\n'");
  const auto next = [&] {
    const auto line = channel_->read(in(milliseconds(20'000)));
    return line && *line ? **line : Line{.text = "none"};
  };
  const Line one = next();
  EXPECT_EQ(one.text, "one");
  EXPECT_FALSE(one.is_early) << "nothing was written yet";
  EXPECT_EQ(*channel_->write("asked", in(milliseconds(20'000))), true);
  for (const auto& [text, is_early] : {std::pair("two", true), {"three", true}, {"four", false}}) {
    const Line line = next();
    EXPECT_EQ(line.text, text);
    EXPECT_EQ(line.is_early, is_early) << text;
  }
}

TEST_F(Spawned, one_that_sleeps_is_not_waited_for_beyond_the_deadline) {
  begin("sleep 1000");
  const Clock::time_point before = Clock::now();
  const auto line = channel_->read(in(milliseconds(30)));
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->has_value());
  EXPECT_LT(Clock::now() - before, milliseconds(5000));
}

TEST_F(Spawned, one_that_never_reads_is_not_waited_for_beyond_the_deadline) {
  begin("sleep 1000");
  EXPECT_EQ(*channel_->write(std::string(std::size_t{1} << 20, 'x'), in(milliseconds(30))), false);
}

TEST_F(Spawned, one_that_ends_is_told_of_with_its_last_words) {
  begin("echo early >&2; echo no model >&2; exit 3");
  const Error error = error_of_reading();
  EXPECT_EQ(error.code, Errc::input_unreadable);
  EXPECT_EQ(error.context, "ended (exit code 3); its last words: no model");
  EXPECT_EQ(complaints_, "early\nno model\n");
}

TEST_F(Spawned, one_that_is_killed_is_told_of) {
  begin("kill -9 $$");
  EXPECT_EQ(error_of_reading().context, "ended (signal 9)");
}

TEST_F(Spawned, one_that_ended_cannot_be_written_to) {
  begin("exit 0");
  for (;;) {
    const auto written = channel_->write("x", in(milliseconds(20'000)));
    if (!written) break;
  }
}

TEST_F(Spawned, a_line_beyond_the_bound_is_an_error_and_not_held) {
  begin("head -c 100000000 /dev/zero", 1000);
  const Error error = error_of_reading();
  EXPECT_EQ(error.code, Errc::input_corrupt);
  EXPECT_NE(error.context.find("a line of more than 1000 bytes"), std::string::npos) << error.context;
}

TEST_F(Spawned, one_that_only_complains_holds_nobody_up) {
  begin("while :; do echo lost >&2; done");
  const auto line = channel_->read(in(milliseconds(30)));
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->has_value());
  EXPECT_EQ(channel_->last_complaint(), "lost");
}

TEST_F(Spawned, a_stop_is_seen_while_waiting) {
  begin("sleep 1000");
  stop_ = true;
  EXPECT_EQ(channel_->read(in(milliseconds(20'000))).error().code, Errc::interrupted);
}

TEST_F(Spawned, nothing_of_it_is_left) {
  begin("sleep 1000 & echo $!; cat");
  const int grandchild = std::stoi((**channel_->read(in(milliseconds(20'000)))).text);
  pollfd end{.fd = static_cast<int>(::syscall(SYS_pidfd_open, grandchild, 0)), .events = POLLIN, .revents = 0};
  ASSERT_GE(end.fd, 0);
  channel_.reset();
  EXPECT_EQ(::poll(&end, 1, 20'000), 1) << "it has ended";
  ::close(end.fd);
}

TEST(LineChannel, says_which_program_is_not_there) {
  const auto channel = LineChannel::spawn({"no-such-program"}, {});
  ASSERT_FALSE(channel);
  EXPECT_EQ(channel.error().code, Errc::input_missing);
  EXPECT_EQ(channel.error().context, "no-such-program cannot be started: No such file or directory");
}

TEST(LineChannel, speaks_over_a_socket) {
  const test::Scratch scratch;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  scratch.path("s").copy(address.sun_path, sizeof address.sun_path - 1);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  auto channel = LineChannel::connect("unix:" + scratch.path("s"), {});
  ASSERT_TRUE(channel) << channel.error().context;
  const int peer = ::accept(listener, nullptr, nullptr);
  ASSERT_EQ(::write(peer, "hello\n", 6), 6);
  EXPECT_EQ((**(*channel)->read(in(milliseconds(20'000)))).text, "hello");
  ::close(peer);
  EXPECT_EQ((*channel)->read(in(milliseconds(20'000))).error().context, "closed the connection");
  ::close(listener);
}

TEST(LineChannel, goes_nowhere_but_to_this_machine) {
  for (const char* address : {"tcp:example.org:80", "tcp:10.0.0.1:80", "http://127.0.0.1", "unix:", "tcp:127.0.0.1:0", "x"}) {
    EXPECT_EQ(LineChannel::connect(address, {}).error().code, Errc::config_invalid) << address;
  }
  EXPECT_EQ(LineChannel::connect("tcp:127.0.0.1:1", {}).error().code, Errc::input_missing);
}

}  // namespace
}  // namespace recmeter::process
