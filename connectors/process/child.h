// Child: a program that was started, with pipes to and from it, and its end. Thread safety: none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "process/descriptor.h"
#include "recmeter/base/result.h"

namespace recmeter::process {

class Child {
 public:
  Child() = default;
  // Errors: input_missing.
  [[nodiscard]] static Result<Child> start(const std::vector<std::string>& command);
  Child(Child&& other) noexcept = default;
  Child& operator=(Child&&) = delete;
  ~Child() { end({}); }

  // How it ended, "exit code 3" or "signal 9", where it does within `patience`; "": it runs. Requires: end() was not called.
  [[nodiscard]] std::string ended(std::chrono::milliseconds patience);
  // Gives it that long to end by itself, then kills its group.
  void end(std::chrono::milliseconds patience);

  Descriptor input;  // non-blocking, all three
  Descriptor output;
  Descriptor errors;

 private:
  // The process, to be waited for once; not copied when a Child moves.
  class Id {
   public:
    Id() = default;
    Id(Id&& other) noexcept : number(std::exchange(other.number, 0)) {}
    pid_t number = 0;  // 0: none
  };
  Id id_;
};

}  // namespace recmeter::process
