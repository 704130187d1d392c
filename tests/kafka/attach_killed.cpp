// recmeter attach, ended by SIGKILL at a named point: recmeter_attach_killed CONFIG THREADS POINT BYTES PASS
//
// Once the file of rows has BYTES bytes, the PASS-th time at POINT is its last. It is the program's own run_attach(), with
// its fail points (recmeter/base/fail_point.h) and two that lie within a write:
//   inside_checkpoint   a part of a batch stands in RocksDB's log
//   inside_publish      a part of a row stands in the file
// for which write() of the C library is replaced. Says `reached POINT` on standard error when it ends itself.
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "app/attach/live_run.h"
#include "app/console/messages.h"
#include "app/run/interruption.h"
#include "recmeter/base/fail_point.h"

namespace {

std::string_view point;
std::uint64_t rows_bytes = 0;                // of the file of rows, until passes count
std::atomic<bool> passes_count = false;      // rows are published from one thread, RocksDB has its own
std::atomic<std::uint64_t> passes_left = 0;  // until it ends, 1: the next one; commits have a thread of their own, too

ssize_t write_all_the_way(int file, std::string_view bytes) {
  return syscall(SYS_write, file, bytes.data(), bytes.size());
}

[[noreturn]] void end_here() {
  const std::string said = "reached " + std::string(point) + "\n";
  static_cast<void>(write_all_the_way(STDERR_FILENO, said));
  static_cast<void>(kill(getpid(), SIGKILL));
  while (true) pause();
}

bool is_time(std::string_view passed) {
  return passed == point && passes_count && --passes_left == 0;
}

bool is_of(int file, std::string_view part, std::string_view end) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = readlink(link.c_str(), path.data(), path.size());
  const std::string_view name(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return name.find(part) != std::string_view::npos && name.ends_with(end);
}

void pass(std::string_view passed) {
  if (is_time(passed)) end_here();
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  if (point == "inside_checkpoint" && passes_count && is_of(file, "/db/", ".log") && is_time(point)) {
    static_cast<void>(syscall(SYS_write, file, bytes, size / 2));
    end_here();
  }
  if (is_of(file, "", ".jsonl")) {
    if (point == "inside_publish" && is_time(point)) {
      static_cast<void>(syscall(SYS_write, file, bytes, size / 2));
      end_here();
    }
    passes_count = passes_count || static_cast<std::uint64_t>(lseek(file, 0, SEEK_END)) + size >= rows_bytes;
  }
  return syscall(SYS_write, file, bytes, size);
}

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: recmeter_attach_killed CONFIG THREADS POINT BYTES PASS\n", stderr);
    return 2;
  }
  point = argv[3];
  rows_bytes = number(argv[4]);
  passes_left = number(argv[5]);
  recmeter::start_messages(recmeter::MessageForm::text);
  const recmeter::AttachCommand command{.config = argv[1], .threads = static_cast<unsigned>(number(argv[2])), .report = {}};
  const recmeter::FailPointListener listener(pass);
  recmeter::watch_for_interruption(true);
  return static_cast<int>(recmeter::run_attach(command, recmeter::interruption()));
}
