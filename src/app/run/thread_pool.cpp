#include "app/run/thread_pool.h"

#include <algorithm>
#include <system_error>

#include "recmeter/base/check.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

ThreadPool::ThreadPool(std::size_t threads) {
  RECMETER_CHECK(threads >= 1, "the caller's thread is one of them");
  try {
    for (std::size_t t = 1; t < threads; ++t) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // the system allows no more: those that started do all the work
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::span<const std::function<void()>> tasks) {
  if (workers_.empty() || tasks.size() < 2) {
    for (const auto& task : tasks) task();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    tasks_ = tasks;
    next_ = 0;
    ++generation_;
    open_ = true;
  }
  wake_.notify_all();
  take_tasks();
  // Every task is taken: who wakes only now is not waited for.
  std::unique_lock lock(mutex_);
  open_ = false;
  done_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadPool::take_tasks() {
  for (std::size_t i = next_++; i < tasks_.size(); i = next_++) tasks_[i]();
}

void ThreadPool::work() {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || (open_ && generation_ != seen); });
      if (ending_) return;
      seen = generation_;
      ++busy_;
    }
    take_tasks();
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ > 0) continue;
    }
    done_.notify_one();
  }
}

std::size_t thread_count(unsigned asked) {
  const std::size_t threads = asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
  return std::min(threads, slot_count);
}

}  // namespace recmeter
