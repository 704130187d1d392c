// Measured: what one input costs. A fuzz target that has one of these fails where time or memory go beyond what was promised,
// as it does where it crashes. Memory is what operator new gives, of all threads; of the libraries that the target uses too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recmeter::test {

class Measured {
 public:
  // Processor time of this thread, in all builds: sanitizers take ten times as long.
  Measured(std::int64_t ms_max, std::size_t bytes_max);
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;
  // Ends the program where it was more.
  ~Measured();

 private:
  std::int64_t ms_max_;
  std::size_t bytes_max_;
  std::int64_t begin_ns_;
  std::size_t begin_bytes_;
};

}  // namespace recmeter::test
