#include "fuzz/measured.h"

#include <malloc.h>
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> bytes_now{0};
std::atomic<std::size_t> bytes_peak{0};

std::int64_t thread_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t size) {
  void* const bytes = std::malloc(size == 0 ? 1 : size);
  if (bytes == nullptr) std::abort();
  const std::size_t now = bytes_now.fetch_add(malloc_usable_size(bytes)) + malloc_usable_size(bytes);
  for (std::size_t peak = bytes_peak; now > peak && !bytes_peak.compare_exchange_weak(peak, now);) {
  }
  return bytes;
}

void operator delete(void* bytes) noexcept {
  if (bytes == nullptr) return;
  bytes_now -= malloc_usable_size(bytes);
  std::free(bytes);
}

void operator delete(void* bytes, std::size_t /*size*/) noexcept {
  operator delete(bytes);
}

namespace recmeter::test {

Measured::Measured(std::int64_t ms_max, std::size_t bytes_max)
    : ms_max_(ms_max), bytes_max_(bytes_max), begin_ns_(thread_ns()), begin_bytes_(bytes_now) {
  bytes_peak = begin_bytes_;
}

Measured::~Measured() {
  const std::int64_t ms = (thread_ns() - begin_ns_) / 1'000'000;
  const std::size_t bytes = bytes_peak - begin_bytes_;
  if (ms <= ms_max_ && bytes <= bytes_max_) return;
  std::fprintf(stderr, "an input took %lld ms of %lld and %zu bytes of %zu\n", static_cast<long long>(ms),
               static_cast<long long>(ms_max_), bytes, bytes_max_);
  std::abort();
}

}  // namespace recmeter::test
