// Whether two descriptors are of one file, whatever it is called.
#pragma once

#include <sys/stat.h>

namespace recmeter::file {

[[nodiscard]] inline bool is_same_file(int a, int b) {
  struct stat of_a{};
  struct stat of_b{};
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

}  // namespace recmeter::file
