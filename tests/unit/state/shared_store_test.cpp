#include "recmeter/memory/shared_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace recmeter::memory {
namespace {

// Each batch changes two keys together; whoever reads sees both changes or none.
TEST(SharedStore, shows_whole_batches_to_readers_beside_the_writer) {
  SharedStore store;
  std::atomic<bool> is_over = false;
  std::atomic<int> halves = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      while (!is_over) {
        std::vector<std::string> values;
        const auto done = store.scan("a", "c", [&](std::string_view, std::string_view value) {
          values.emplace_back(value);
          return true;
        });
        if (!done || (values.size() != 0 && (values.size() != 2 || values[0] != values[1]))) ++halves;
      }
    });
  }
  for (int i = 0; i < 20'000; ++i) {
    StateBatch batch;
    batch.put("a", std::to_string(i));
    batch.put("b", std::to_string(i));
    ASSERT_TRUE(store.write(batch, StateStore::Durability::process));
  }
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(halves, 0);
}

}  // namespace
}  // namespace recmeter::memory
