// A running evaluator at a glance: one frame without a terminal, and the terminal as it is taken and given back.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <mutex>

#include "integration/cli/workplace.h"
#include "recmeter/base/check.h"
#include "recmeter/http/handler.h"
#include "recmeter/http/server.h"

namespace recmeter::test {
namespace {

constexpr std::string_view status_text = R"({"events":{"read":120,"invalid":2,"late":0},
 "partitions":[{"name":"impressions/0","lag_records":7,"lag_seconds":1.5,"idle":false}],
 "evaluator":{"name":"shop","config":"0","version":"0.1.0",
   "windows":[{"name":"minute","size_ms":60000,"slide_ms":60000}],
   "horizons":["30m"],"metrics":["precision@10","mrr@10"],
   "segments":[{"keys":["variant"],"values":[{"variant":"a:\u001b[2Jb"}]}]},
 "watermark":1700000100000,"held_back_by":"impressions/0","waiting":[],"ready":true,"reasons":[]})";

constexpr std::string_view series_text = R"({"columns":{"start":[1700000040000],"end":[1700000100000],"value":[0.25],
 "low":[0.24],"high":[0.26],"lists":[10],"stage":["final"],"matured":[1],"incomplete":[[]]}})";

// Answers as an evaluator does, always the same.
class FixedEvaluator : public http::Handler {
 public:
  http::Response handle(const http::Request& request) noexcept override {
    if (request.path == "/api/v1/status") return json(status_text);
    if (request.path != "/api/v1/series") return http::problem(404, "Not found", "There is no \x1b[31m here");
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::string(request.query.first("metric").value_or("")) + " of " +
                     std::string(request.query.first("segment").value_or("-")));
    return json(series_text);
  }
  [[nodiscard]] std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  static http::Response json(std::string_view text) {
    return {.content_type = "application/json", .body = http::make_body(std::string(text))};
  }
  std::mutex mutex_;
  std::vector<std::string> asked_;
};

class Top : public Workplace {
 protected:
  void start(const std::string& token = "") {
    auto started = http::Server::start({.listen = "127.0.0.1:0", .token = token}, evaluator);
    RECMETER_CHECK(started.has_value(), "the server of the test does not start");
    server = std::move(*started);
  }

  FixedEvaluator evaluator;
  std::unique_ptr<http::Server> server;
};

// A terminal of 100 by 30, whose other side is the program's.
class Terminal {
 public:
  Terminal() : near_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    RECMETER_CHECK(near_ >= 0 && ::grantpt(near_) == 0 && ::unlockpt(near_) == 0, "no terminal for the test");
    far_ = ::open(path().c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // so that it stays when the program has gone
    resize(100, 30);
  }
  ~Terminal() {
    ::close(far_);
    ::close(near_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] std::string path() const { return ::ptsname(near_); }
  void resize(unsigned short columns, unsigned short rows) const {
    const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    ::ioctl(near_, TIOCSWINSZ, &size);
  }
  void press(char key) const { RECMETER_CHECK(::write(near_, &key, 1) == 1, "the terminal takes no key"); }
  [[nodiscard]] bool has_echo() const {
    termios settings{};
    ::tcgetattr(far_, &settings);
    return (settings.c_lflag & ECHO) != 0 && (settings.c_lflag & ICANON) != 0;
  }
  // What the program writes until `mark` has come; all so far if it does not come.
  std::string read_until(std::string_view mark) {
    constexpr int patience_ms = 10'000;
    std::string text;
    while (text.find(mark) == std::string::npos) {
      pollfd ready{.fd = near_, .events = POLLIN, .revents = 0};
      char bytes[4096];
      if (::poll(&ready, 1, patience_ms) != 1) break;
      const ssize_t got = ::read(near_, bytes, sizeof bytes);
      if (got <= 0) break;
      text.append(bytes, static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int near_;
  int far_ = -1;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Top, without_a_terminal_is_one_frame_of_plain_text) {
  start();
  const Ended ended = run("top " + server->url() + "/");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_FALSE(has(ended.out, "\x1b"));
  EXPECT_TRUE(ended.out.starts_with("recmeter shop at " + server->url())) << ended.out;
  for (const char* part : {"held back by impressions/0", "events read 120, invalid 2, late 0", "precision@10", "mrr@10",
                           "0.25 (0.24 to 0.26)", "variant=a:\\x1b[2Jb"}) {
    EXPECT_TRUE(has(ended.out, part)) << part << "\nin: " << ended.out;
  }
  EXPECT_EQ(evaluator.asked(), (std::vector<std::string>{"precision@10 of ", "precision@10 of variant:a\\:\x1b[2Jb",
                                                         "mrr@10 of ", "mrr@10 of variant:a\\:\x1b[2Jb"}));
}

TEST_F(Top, shows_the_metrics_asked_for) {
  start();
  const Ended ended = run("top --once -m mrr@10 " + server->url());
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_FALSE(has(ended.out, "precision@10"));
  EXPECT_TRUE(has(ended.out, "mrr@10"));
}

TEST_F(Top, says_what_cannot_be_asked) {
  start("0123456789abcdef");
  scratch().put("token", "0123456789abcdef\n");
  scratch().put("wrong", "fedcba9876543210\n");
  const std::string url = server->url();
  const auto refused = [&](const std::string& arguments, int code, const std::vector<std::string>& parts) {
    const Ended ended = run("top --once " + arguments);
    EXPECT_EQ(ended.code, code) << arguments << "\n" << ended.err;
    EXPECT_EQ(ended.out, "");
    expect_clean_messages(ended.err);
    expect_says(ended, parts);
  };
  EXPECT_EQ(run("top --once --token-file token " + url).code, 0);
  refused(url, 2, {"requires a token", "--token-file"});
  refused("--token-file wrong " + url, 2, {"does not take this token"});
  refused("--token-file nowhere " + url, 2, {"nowhere"});
  refused("--token-file token -m mrr@1 " + url, 2, {"no metric mrr@1", "mrr@10"});
  refused("--token-file token -w hour " + url, 2, {"no window hour", "minute"});
  refused("--token-file token --horizon 1h " + url, 2, {"no horizon 1h", "30m"});
  refused("--token-file token " + url + "/elsewhere", 1, {"404", "There is no \\x1b[31m here"});
  refused("--every 1ms " + url, 2, {"--every", "2s"});
  refused("ftp://127.0.0.1", 2, {"http://127.0.0.1:8080"});
  server->stop();
  refused(url, 1, {url, "cannot be reached"});
}

// What every way out has to leave behind.
struct WayOut {
  const char* name;
  char key;    // pressed,
  int signal;  // or else sent
  int code;
};
class TopInTerminal : public Top, public testing::WithParamInterface<WayOut> {};

TEST_P(TopInTerminal, takes_the_screen_and_gives_it_back) {
  start();
  Terminal terminal;
  Call made = call("top --every 250ms " + server->url());
  made.input = made.output = terminal.path();
  made.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  Program program(made);
  const std::string shown = terminal.read_until("q quits");
  EXPECT_TRUE(has(shown, "\x1b[?1049h")) << shown;
  EXPECT_TRUE(has(shown, "0.25 (0.24 to 0.26)")) << shown;
  EXPECT_FALSE(has(shown, "\x1b[1m")) << "a look although NO_COLOR is set";
  EXPECT_FALSE(terminal.has_echo());
  if (GetParam().key != 0) terminal.press(GetParam().key);
  if (GetParam().signal != 0) program.send(GetParam().signal);
  EXPECT_TRUE(terminal.read_until("\x1b[?1049l").ends_with("\x1b[?25h\x1b[?1049l"));
  EXPECT_EQ(program.wait().code, GetParam().code);
  EXPECT_TRUE(terminal.has_echo());
}

const WayOut ways_out[] = {{"q", 'q', 0, 0},
                           {"interrupt", 0, SIGINT, 130},
                           {"termination", 0, SIGTERM, 130},
                           {"hangup", 0, SIGHUP, 1000 + SIGHUP},
                           {"abort", 0, SIGABRT, 1000 + SIGABRT}};
INSTANTIATE_TEST_SUITE_P(WaysOut, TopInTerminal, testing::ValuesIn(ways_out),
                         [](const auto& chosen) { return chosen.param.name; });

TEST_F(Top, follows_the_size_of_the_terminal_and_tells_when_nobody_answers) {
  start();
  Terminal terminal;
  Call made = call("top --every 250ms " + server->url());
  made.input = made.output = terminal.path();
  made.environment = {{"TERM", "xterm"}};
  Program program(made);
  EXPECT_TRUE(has(terminal.read_until("q quits"), "\x1b[1m"));
  terminal.resize(20, 3);
  program.send(SIGWINCH);
  EXPECT_TRUE(has(terminal.read_until("more lines"), "more lines"));
  terminal.resize(200, 30);
  program.send(SIGWINCH);
  server->stop();
  // Not why: the program has inherited the socket that listened, so nobody refuses it; nobody answers either.
  EXPECT_TRUE(has(terminal.read_until("for since then"), "for since then"));
  terminal.press('q');
  EXPECT_EQ(program.wait().code, 0);
}

}  // namespace
}  // namespace recmeter::test
