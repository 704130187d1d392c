// RECMETER_CHECK: a claim about the program itself. Always on; a false one ends the process, because a wrong metric is
// worse than a missing one. Never for input, files or configuration: those are errors (base/error.h).
#pragma once

namespace recmeter {

[[noreturn]] void check_failed(const char* claim, const char* why, const char* file, int line) noexcept;

}  // namespace recmeter

#define RECMETER_CHECK(claim, why) \
  ((claim) ? static_cast<void>(0) : ::recmeter::check_failed(#claim, why, __FILE__, __LINE__))
