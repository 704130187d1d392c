// The real program as a process of its own: started, fed, interrupted, and what it left.
//
// A program that runs for longer than its patience is ended by SIGALRM (code 1014), so that no test hangs.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter::test {

struct Call {
  std::vector<std::string> arguments;
  std::string directory = ".";
  std::string input = "/dev/null";  // what standard input reads
  std::string output;               // where standard output goes; "": captured
  std::vector<std::pair<std::string, std::string>> environment;
  bool as_nobody = false;    // without the rights of root
  bool deaf_output = false;  // standard output is a pipe that nobody reads any more
};

struct Ended {
  int code;  // 1000 and the signal if it was killed
  std::string out;
  std::string err;
};

class Program {
 public:
  // What a process that cannot become nobody ends with.
  static constexpr int no_such_rights = 200;

  explicit Program(const Call& call);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void send(int signal) const;
  // From when this returns it does nothing, until it is sent SIGCONT.
  void halt();
  // Again and again, until it has ended.
  void send_until_ended(int signal);
  // Reads standard error until it holds `text` or `ms` have passed; whether it does.
  bool says(std::string_view text, int ms);
  // Standard error as far as it has been read.
  [[nodiscard]] const std::string& said() const { return said_; }
  Ended wait();

 private:
  bool read_err(int ms);

  pid_t child_ = -1;
  int err_ = -1;
  int out_ = -1;
  bool has_ended_ = false;
  int status_ = 0;
  std::string said_;
};

Ended run(const Call& call);

// The writing end of a FIFO that a program reads; waits until it does.
class Feeder {
 public:
  explicit Feeder(const std::string& fifo);
  ~Feeder() { close(); }
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;

  // False when the reader has gone.
  bool feed(std::string_view bytes) const;
  void close();

 private:
  int descriptor_;
};

[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

}  // namespace recmeter::test
