#include "integration/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "recmeter/base/check.h"

namespace recmeter::test {

namespace {

constexpr unsigned patience_s = 60;
constexpr uid_t nobody = 65534;

// In the child; never returns.
[[noreturn]] void become(const Call& call, int program, int in, int out, int err) {
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : call.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (::chdir(call.directory.c_str()) != 0) ::_exit(201);
  if (call.as_nobody && ::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(Program::no_such_rights);
  std::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> words;
  std::string name = "recmeter";
  words.push_back(name.data());
  std::vector<std::string> arguments = call.arguments;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  ::alarm(patience_s);
  ::fexecve(program, words.data(), environ);  // by descriptor: nobody may not be able to reach the path
  ::_exit(202);
}

int out_for(const Call& call) {
  if (!call.output.empty()) return ::open(call.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (!call.deaf_output) return ::memfd_create("out", MFD_CLOEXEC);
  int ends[2];
  RECMETER_CHECK(::pipe2(ends, O_CLOEXEC) == 0, "no pipe");
  ::close(ends[0]);
  return ends[1];
}

}  // namespace

Program::Program(const Call& call) : out_(out_for(call)) {
  int ends[2];
  RECMETER_CHECK(out_ >= 0 && ::pipe2(ends, O_CLOEXEC) == 0, "no standard streams for the program");
  const std::string in_path = call.input.starts_with('/') ? call.input : call.directory + "/" + call.input;
  const int in = ::open(in_path.c_str(), O_RDWR | O_CLOEXEC);  // of a FIFO: without waiting for a writer
  const int program = ::open(RECMETER_PROGRAM, O_RDONLY | O_CLOEXEC);
  RECMETER_CHECK(in >= 0 && program >= 0, "no program, or no input for it");
  child_ = ::fork();
  if (child_ == 0) become(call, program, in, out_, ends[1]);
  ::close(in);
  ::close(program);
  ::close(ends[1]);
  err_ = ends[0];
}

Program::~Program() {
  if (!has_ended_) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
  }
  ::close(err_);
  ::close(out_);
}

void Program::send(int signal) const {
  ::kill(child_, signal);
}

void Program::halt() {
  send(SIGSTOP);
  int status = 0;
  RECMETER_CHECK(::waitpid(child_, &status, WUNTRACED) == child_ && WIFSTOPPED(status), "the program runs, and stops");
}

void Program::send_until_ended(int signal) {
  constexpr int between_ms = 10;
  while (true) {
    send(signal);
    if (!read_err(between_ms)) break;
  }
}

// False at its end, which is the program's.
bool Program::read_err(int ms) {
  pollfd waiting{err_, POLLIN, 0};
  if (::poll(&waiting, 1, ms) <= 0) return true;
  char bytes[4096];
  const ssize_t got = ::read(err_, bytes, sizeof bytes);
  if (got > 0) said_.append(bytes, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

bool Program::says(std::string_view text, int ms) {
  const auto begin = std::chrono::steady_clock::now();
  while (said_.find(text) == std::string::npos) {
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
    if (passed >= ms || !read_err(ms - static_cast<int>(passed))) break;
  }
  return said_.find(text) != std::string::npos;
}

Ended Program::wait() {
  while (read_err(-1)) {
  }
  ::waitpid(child_, &status_, 0);
  has_ended_ = true;
  Ended ended{WIFEXITED(status_) ? WEXITSTATUS(status_) : 1000 + WTERMSIG(status_), {}, said_};
  const off_t size = ::lseek(out_, 0, SEEK_END);
  if (size > 0) {
    ended.out.resize(static_cast<std::size_t>(size));
    const ssize_t got = ::pread(out_, ended.out.data(), ended.out.size(), 0);
    ended.out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  return ended;
}

Ended run(const Call& call) {
  return Program(call).wait();
}

Feeder::Feeder(const std::string& fifo) : descriptor_(-1) {
  std::signal(SIGPIPE, SIG_IGN);
  descriptor_ = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  RECMETER_CHECK(descriptor_ >= 0, "the FIFO cannot be opened");
}

bool Feeder::feed(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void Feeder::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace recmeter::test
