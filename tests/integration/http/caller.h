// Caller: a client of a test, on a plain socket, so that it can also do what no client should.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace recmeter::test {

struct Answer {
  int status = 0;
  std::map<std::string, std::string> fields;  // names in small letters; the last of a name
  std::string head;
  std::string body;
};

class Caller {
 public:
  // `receive_buffer`: bytes the system may keep for it; 0: as it likes.
  explicit Caller(std::uint16_t port, int receive_buffer = 0);
  Caller(Caller&& other) noexcept;
  Caller& operator=(Caller&&) = delete;
  ~Caller();

  // False where the server does not take it.
  bool send(std::string_view text) const;
  // A GET of `target` with further header lines, each ended by CR LF.
  bool get(std::string_view target, std::string_view fields = {}) const;

  // The next answer, with the body its head promises; status 0 if there is none within the patience of a test.
  Answer answer(bool is_to_head = false);
  // What comes until `mark` has come, the mark included; everything so far if it does not come.
  std::string read_until(std::string_view mark);
  // Everything until the server closes; nothing if it does not.
  std::optional<std::string> read_to_end();
  // Whether the server closes without another byte.
  bool is_closed() { return read_to_end() == ""; }

 private:
  // More bytes into in_; false at the end or when patience is.
  bool fill();

  int socket_ = -1;
  bool is_ended_ = false;
  std::string in_;
};

// Of a clock that only runs forward.
[[nodiscard]] std::int64_t now_ms();
// Whether a test that has waited since then gives up.
[[nodiscard]] bool is_patience_over(std::int64_t since_ms);
// Waits a moment, for others to get on.
void let_others_run();

// Asks until it is so; false if it never is.
template <class Condition>
bool eventually(Condition&& condition) {
  const std::int64_t begin = now_ms();
  while (!condition()) {
    if (is_patience_over(begin)) return false;
    let_others_run();
  }
  return true;
}

// Descriptors this process has open.
[[nodiscard]] std::size_t open_descriptors();

}  // namespace recmeter::test
