// Cost: what one input of a fuzz target may take. It aborts the target where the input takes more processor time, or more
// memory at once, so that a few bytes that cost too much are a find as a crash is.
//
// Processor time is that of the process. Memory is what is allocated beyond what was at the beginning, by the sanitizer's
// account; without one, by how much the process has grown. Bounds are for code under sanitizers, which are ten times slower.
#pragma once

#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>

extern "C" {
// Of the sanitizers' interface; absent where there is none.
__attribute__((weak)) std::size_t __sanitizer_get_current_allocated_bytes();
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                                    void (*)(const volatile void*));
}

namespace recmeter::fuzz {

struct CostBounds {
  double seconds = 2;
  std::size_t bytes = std::size_t{64} << 20;
};

class Cost {
 public:
  explicit Cost(const char* target, CostBounds bounds = {}) : target_(target), bounds_(bounds) {
    static const bool is_watched = watch();
    is_watched_ = is_watched;
    peak() = 0;
    begun_bytes_ = bytes_now();
    begun_ = seconds_now();
  }
  Cost(const Cost&) = delete;
  Cost& operator=(const Cost&) = delete;
  ~Cost() {
    const double seconds = seconds_now() - begun_;
    const std::size_t most = is_watched_ ? peak().load() : bytes_now();
    const std::size_t bytes = most > begun_bytes_ ? most - begun_bytes_ : 0;
    if (seconds <= bounds_.seconds && bytes <= bounds_.bytes) return;
    std::fprintf(stderr, "%s: an input took %.2f s and %zu bytes, and may take %.2f s and %zu bytes\n", target_, seconds,
                 bytes, bounds_.seconds, bounds_.bytes);
    std::abort();
  }

 private:
  static std::atomic<std::size_t>& peak() {
    static std::atomic<std::size_t> most{0};
    return most;
  }
  static void allocated(const volatile void* /*at*/, std::size_t /*size*/) {
    const std::size_t now = __sanitizer_get_current_allocated_bytes();
    if (now > peak()) peak() = now;
  }
  static void freed(const volatile void* /*at*/) {}
  static bool watch() {
    return __sanitizer_install_malloc_and_free_hooks != nullptr && __sanitizer_get_current_allocated_bytes != nullptr &&
           __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
  }
  [[nodiscard]] std::size_t bytes_now() const {
    if (is_watched_) return __sanitizer_get_current_allocated_bytes();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<std::size_t>(used.ru_maxrss) * 1024;
  }
  static double seconds_now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }

  const char* target_;
  CostBounds bounds_;
  bool is_watched_ = false;
  std::size_t begun_bytes_ = 0;
  double begun_ = 0;
};

}  // namespace recmeter::fuzz
