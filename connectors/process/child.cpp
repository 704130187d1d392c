#include "process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace recmeter::process {

namespace {

// The end that a child has, and ours.
struct Pipe {
  Descriptor reader;
  Descriptor writer;
};

bool make(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe = {Descriptor(ends[0]), Descriptor(ends[1])};
  return true;
}

void make_non_blocking(const Descriptor& end) {
  ::fcntl(end.number(), F_SETFL, ::fcntl(end.number(), F_GETFL) | O_NONBLOCK);
}

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& command) {
  Pipe in;
  Pipe out;
  Pipe errors;
  if (!make(in) || !make(out) || !make(errors)) {
    return failure(Errc::input_missing, fmt::format("no pipe to {} can be made: {}", command[0], std::strerror(errno)));
  }
  posix_spawn_file_actions_t ends;
  posix_spawn_file_actions_init(&ends);
  posix_spawn_file_actions_adddup2(&ends, in.reader.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&ends, out.writer.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&ends, errors.writer.number(), STDERR_FILENO);
  posix_spawnattr_t ways;
  posix_spawnattr_init(&ways);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&ways, &usual);
  posix_spawnattr_setpgroup(&ways, 0);
  posix_spawnattr_setflags(&ways, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  Child child;
  const int fault = ::posix_spawnp(&child.id_.number, arguments[0], &ends, &ways, arguments.data(), environ);
  posix_spawnattr_destroy(&ways);
  posix_spawn_file_actions_destroy(&ends);
  if (fault != 0) {
    child.id_.number = 0;
    return failure(Errc::input_missing, fmt::format("{} cannot be started: {}", command[0], std::strerror(fault)));
  }
  child.input = std::move(in.writer);
  child.output = std::move(out.reader);
  child.errors = std::move(errors.reader);
  for (const Descriptor* end : {&child.input, &child.output, &child.errors}) make_non_blocking(*end);
  return child;
}

std::string Child::ended(std::chrono::milliseconds patience) {
  // Readable once it has ended.
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, id_.number, 0)));
  pollfd end{.fd = process.number(), .events = POLLIN, .revents = 0};
  ::poll(&end, 1, static_cast<int>(patience.count()));
  siginfo_t how{};
  const bool is_known =
      ::waitid(P_PID, static_cast<id_t>(id_.number), &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid == id_.number;
  if (!is_known) return {};
  return fmt::format("{} {}", how.si_code == CLD_EXITED ? "exit code" : "signal", how.si_status);
}

void Child::end(std::chrono::milliseconds patience) {
  if (id_.number == 0) return;
  input.close();
  static_cast<void>(ended(patience));
  // Before it is waited for, so that the number is still its own; what it started may outlive it.
  ::kill(-id_.number, SIGKILL);
  ::waitpid(id_.number, nullptr, 0);
  id_.number = 0;
}

}  // namespace recmeter::process
