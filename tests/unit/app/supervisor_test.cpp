// What systemd is told, on a socket of the test's own.
#include "app/attach/supervisor.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "unit/file/scratch.h"

namespace recmeter {
namespace {

using namespace std::chrono_literals;

class Listener {
 public:
  explicit Listener(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    descriptor_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), size), 0) << std::strerror(errno);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(descriptor_); }

  // Datagrams are there when they have been sent.
  [[nodiscard]] std::vector<std::string> heard() const {
    std::vector<std::string> messages;
    std::array<char, 4096> bytes{};
    for (ssize_t size = 0; (size = ::recv(descriptor_, bytes.data(), bytes.size(), 0)) >= 0;) {
      messages.emplace_back(bytes.data(), static_cast<std::size_t>(size));
    }
    return messages;
  }

 private:
  int descriptor_ = -1;
};

TEST(Supervisor, is_told_once_of_each_change) {
  const test::Scratch scratch;
  const Listener listener(scratch.path("notify"));
  Supervisor supervisor(scratch.path("notify"), std::nullopt);
  for (int i = 0; i < 3; ++i) {
    supervisor.ready();
    supervisor.alive();
  }
  supervisor.status("nothing more is read\nfor a while");
  supervisor.stopping();
  supervisor.stopping();
  EXPECT_EQ(listener.heard(), (std::vector<std::string>{"READY=1\nSTATUS=evaluating", "STATUS=nothing more is read",
                                                        "STOPPING=1\nSTATUS=finishing what was read"}));
}

TEST(Supervisor, listens_on_an_abstract_socket_too) {
  const std::string name = "@recmeter-test-" + std::to_string(::getpid());
  const Listener listener(name);
  Supervisor(name, std::nullopt).ready();
  EXPECT_EQ(listener.heard().size(), 1U);
}

TEST(Supervisor, hears_that_the_program_is_alive_no_oftener_than_twice_in_its_time) {
  const test::Scratch scratch;
  const Listener listener(scratch.path("notify"));
  Supervisor seldom(scratch.path("notify"), 1h);
  for (int i = 0; i < 100; ++i) seldom.alive();
  EXPECT_EQ(listener.heard(), (std::vector<std::string>{"WATCHDOG=1"}));
  Supervisor often(scratch.path("notify"), 2us);
  const auto end = std::chrono::steady_clock::now() + 1ms;
  while (std::chrono::steady_clock::now() < end) often.alive();
  EXPECT_GT(listener.heard().size(), 1U);
}

TEST(Supervisor, may_be_nobody_or_gone) {
  Supervisor("", 1us).ready();
  Supervisor("/no/such/socket", 1us).ready();
  Supervisor(std::string(200, 'x'), 1us).ready();
}

TEST(Supervisor, is_whom_the_environment_names) {
  const test::Scratch scratch;
  const Listener listener(scratch.path("notify"));
  ::setenv("NOTIFY_SOCKET", scratch.path("notify").c_str(), 1);
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  Supervisor ours = Supervisor::of_environment();
  ours.alive();
  EXPECT_EQ(listener.heard(), (std::vector<std::string>{"WATCHDOG=1"}));
  ::setenv("WATCHDOG_PID", "1", 1);
  Supervisor another = Supervisor::of_environment();
  another.alive();
  another.ready();
  EXPECT_EQ(listener.heard(), (std::vector<std::string>{"READY=1\nSTATUS=evaluating"}));
  for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  Supervisor nobody = Supervisor::of_environment();
  nobody.alive();
  nobody.ready();
  EXPECT_TRUE(listener.heard().empty());
}

}  // namespace
}  // namespace recmeter
