// Sums that a run keeps of its rows to say why a metric changed, and those that it should keep.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "recmeter/live/kept_sums.h"
#include "recmeter/memory/memory_store.h"

namespace recmeter::simulation {

inline std::map<std::string, std::string> sums_in(const StateStore& store) {
  std::map<std::string, std::string> sums;
  EXPECT_TRUE(store.scan("m", "n", [&](std::string_view key, std::string_view value) {
    sums.emplace(key, value);
    return true;
  }));
  return sums;
}

// Sums of the rows of a replay that are final at `w`, as a run would keep them that is never killed.
inline std::map<std::string, std::string> sums_of(const std::vector<Row>& rows, EventTime w, Duration final_after,
                                                  Duration keep) {
  KeptSums sums(keep);
  for (const Row& row : rows) {
    if (row.end + row.horizon + final_after <= w) sums.note(row);
  }
  StateBatch batch;
  sums.save(batch, w);
  memory::MemoryStore store;
  EXPECT_TRUE(store.write(batch, StateStore::Durability::process));
  return sums_in(store);
}

}  // namespace recmeter::simulation
