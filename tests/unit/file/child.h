// A body run in a process of its own, for what cannot be undone in this one.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace recmeter::test {

// What `body` returns; 1000 and the signal if it was killed.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// The same without the rights of root, who may do everything.
template <class Body>
int as_nobody(Body body) {
  constexpr uid_t nobody = 65534;
  return in_child([&body] { return ::geteuid() == 0 && ::setuid(nobody) != 0 ? 200 : body(); });
}

}  // namespace recmeter::test
