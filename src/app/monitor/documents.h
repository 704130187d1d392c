// Documents: what the API answers about rows, as JSON. web/API.md has the shapes.
//
// Rows come from the kept results and, where those do not have them yet, from the snapshot. Pure but for reading the store.
// Errors: state_unusable, storage_failed.
#pragma once

#include <optional>
#include <string>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/published_schema.h"
#include "app/monitor/row_request.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// Where rows are.
struct RowPlaces {
  const PublishedSchema& schema;
  const LiveSnapshot& snapshot;
  const StateStore* kept = nullptr;  // null: only the snapshot has any
};

struct SeriesRequest {
  const WindowSpec* window = nullptr;
  std::string metric;
  Duration horizon;
  SegmentPairs segment;
  TimeRange range;
  int tenth = 0;  // 0: as windows stand now
};
[[nodiscard]] Result<std::string> series_document(const RowPlaces& places, const SeriesRequest& request);

struct CompareRequest {
  const WindowSpec* window = nullptr;
  std::string metric;
  Duration horizon;
  SegmentPairs a;
  SegmentPairs b;
  TimeRange range;
};
[[nodiscard]] Result<std::string> compare_document(const RowPlaces& places, const CompareRequest& request);

struct RowsRequest {
  const WindowSpec* window = nullptr;
  Duration horizon;
  SegmentPairs segment;
  TimeRange range;
  std::string stage;   // "": any
  std::string metric;  // "": all
  std::size_t limit = 100;
  std::optional<EventTime> after;  // windows that start later
};
[[nodiscard]] Result<std::string> rows_document(const RowPlaces& places, const RowsRequest& request);

}  // namespace recmeter
