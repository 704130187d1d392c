// ThreadPool: the Executor of the program: a fixed number of threads, of which the caller's is one.
//
// Thread safety: run() is called from one thread at a time. Threads sleep between runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "recmeter/port/executor.h"

namespace recmeter {

class ThreadPool : public Executor {
 public:
  // Fewer where the system allows no more; threads() tells. Requires: threads >= 1.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void run(std::span<const std::function<void()>> tasks) override;
  [[nodiscard]] std::size_t threads() const override { return workers_.size() + 1; }

 private:
  void work();
  void take_tasks();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::span<const std::function<void()>> tasks_;  // of the current run; changed while nobody takes any
  std::atomic<std::size_t> next_{0};
  std::uint64_t generation_ = 0;  // of runs; guarded by mutex_, as the three below
  bool open_ = false;             // whether workers may still join the run
  std::size_t busy_ = 0;          // workers that take part in the run
  bool ending_ = false;
  std::vector<std::thread> workers_;
};

// The threads of a run for which `asked` were asked; 0: one a core. At most one a slot: more would have nothing to do.
[[nodiscard]] std::size_t thread_count(unsigned asked);

}  // namespace recmeter
