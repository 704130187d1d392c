// How much a test does that could do any amount: one answer for all of them.
//
//   usually               the number the test names
//   under a sanitizer     a twentieth of it (at least four): the sanitizers look at what the code does, not at what it
//   computes RECMETER_LONG=1       as many as the test names for a long run, about ten minutes of two cores for all tests
//   together RECMETER_SEEDS=n      n of them RECMETER_SEED=n       seed n alone, as a failure prints it
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#ifdef __has_feature
#define RECMETER_HAS_FEATURE(name) __has_feature(name)
#else
#define RECMETER_HAS_FEATURE(name) 0
#endif

namespace recmeter::support {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || RECMETER_HAS_FEATURE(address_sanitizer) || \
    RECMETER_HAS_FEATURE(thread_sanitizer)
inline constexpr bool under_sanitizer = true;
#else
inline constexpr bool under_sanitizer = false;
#endif

inline bool at_length() {
  return std::getenv("RECMETER_LONG") != nullptr;
}

inline std::uint64_t effort(std::uint64_t usual, std::uint64_t many) {
  if (at_length()) return many;
  return under_sanitizer ? std::max(usual / 20, std::min<std::uint64_t>(usual, 4)) : usual;
}

inline std::uint64_t effort(std::uint64_t usual) {
  return effort(usual, usual);
}

// For what is enumerated instead of drawn: look at every n-th. Prime to the sizes of what is enumerated here (factorials,
// powers of two), so that every event comes to stand in every place all the same.
inline std::uint64_t every_nth() {
  return under_sanitizer && !at_length() ? 11 : 1;
}

inline std::optional<std::uint64_t> number_from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return {};
  return std::strtoull(value, nullptr, 10);
}

// Calls check(seed) for the seeds 1, 2, ..., until the test has failed.
template <class Check>
void for_each_seed(std::uint64_t usual, std::uint64_t many, Check&& check) {
  if (const auto seed = number_from_environment("RECMETER_SEED")) return check(*seed);
  const std::uint64_t seeds = number_from_environment("RECMETER_SEEDS").value_or(effort(usual, many));
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) check(seed);
}

}  // namespace recmeter::support
