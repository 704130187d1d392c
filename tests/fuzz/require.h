// require: what a fuzz target claims of every input. One for which it does not hold ends the program, as a crash does.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace recmeter::test {

inline void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace recmeter::test
