#include "recmeter/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace recmeter {

void check_failed(const char* claim, const char* why, const char* file, int line) noexcept {
  std::fprintf(stderr, "recmeter: internal error: %s (%s) at %s:%d\n", why, claim, file, line);
  std::abort();
}

}  // namespace recmeter
