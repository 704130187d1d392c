// A file without a name, for what need not outlive the program: it is gone when the program is, however that ends.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace recmeter::file {

// Its descriptor, to read and write; -1: `errno` says why there is none.
inline int make_nameless_file(const std::string& directory) {
  std::string path = directory + "/recmeter-XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) unlink(path.c_str());
  return descriptor;
}

}  // namespace recmeter::file
