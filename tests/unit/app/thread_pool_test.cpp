#include "app/run/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>

namespace recmeter {
namespace {

class Pool : public testing::TestWithParam<std::size_t> {};

TEST_P(Pool, runs_every_task_once_and_shows_what_it_wrote) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 100U, 1U, 1000U}) {
    std::vector<int> runs(count, 0);  // plain: what tasks wrote is visible after run()
    std::vector<std::function<void()>> tasks;
    for (int& run : runs) tasks.emplace_back([&run] { ++run; });
    pool.run(tasks);
    EXPECT_EQ(runs, std::vector<int>(count, 1)) << count;
  }
}

TEST_P(Pool, survives_many_short_runs_after_one_another) {
  ThreadPool pool(GetParam());
  std::vector<std::uint64_t> sums(5, 0);
  std::vector<std::function<void()>> tasks;
  std::uint64_t total = 0;
  for (std::uint64_t& sum : sums) tasks.emplace_back([&sum] { ++sum; });
  for (int round = 0; round < 2000; ++round) {
    pool.run(tasks);
    const std::uint64_t now = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
    ASSERT_EQ(now, total + sums.size());
    total = now;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Pool, testing::Values(1, 2, 3, 8), testing::PrintToStringParamName());

TEST(ThreadPool, a_single_thread_is_the_callers) {
  ThreadPool pool(1);
  std::thread::id ran;
  const std::vector<std::function<void()>> tasks(3, [&ran] { ran = std::this_thread::get_id(); });
  pool.run(tasks);
  EXPECT_EQ(ran, std::this_thread::get_id());
}

TEST(ThreadPool, tasks_run_at_the_same_time) {
  ThreadPool pool(3);
  std::atomic<int> arrived{0};
  const std::function<void()> meet = [&arrived] {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();  // ends only when all three run
  };
  pool.run(std::vector<std::function<void()>>(3, meet));
  EXPECT_EQ(arrived, 3);
}

TEST(ThreadPool, ends_without_ever_having_run) {
  const ThreadPool pool(4);
  EXPECT_EQ(pool.threads(), 4U);
}

}  // namespace
}  // namespace recmeter
