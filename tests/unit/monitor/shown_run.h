// ShownRun: rows and a status as a run would give them, for tests of what is shown of it.
#pragma once

#include <memory>
#include <string>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/published_schema.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/memory/memory_store.h"

namespace recmeter::test {

inline constexpr std::int64_t zero_ms = 1'700'006'400'000;  // 2023-11-15T00:00:00Z
inline constexpr std::int64_t minute_ms = 60'000;
inline constexpr Duration keep_for{7 * 24 * 60 * minute_ms};

// Windows `minute` and `hour`, horizons 30m and 1m, segments by variant and by variant and surface, precision and mrr at
// 1, 3.
[[nodiscard]] Config shown_config();

// Row `n` minutes after zero. The value rises with n; `variant` "": the whole.
[[nodiscard]] Row minute_row(std::int64_t n, const std::string& variant, Stage stage = Stage::final, double matured = 1);

// A look, from 1, at the experiment ranker-7 of variants A and B: the hour before its end.
[[nodiscard]] ExperimentRow look_row(std::int64_t look, double difference);

class ShownRun {
 public:
  ShownRun();

  void show(const Row& row);
  // The state holds every row shown so far.
  void keep();
  void stands(const RunStatus& status);
  [[nodiscard]] static RunStatus status_at(EventTime watermark);

  const PublishedSchema schema;
  LiveSnapshotKeeper snapshot;
  memory::MemoryStore store;

 private:
  RowArchive archive_{keep_for, Duration{60 * minute_ms}};
};

}  // namespace recmeter::test
