// KeptSums: what a live run keeps of final rows so that it can say why a metric changed: of each mean over lists its value,
// its sums by user group and what was shown and hit, for `keep` after the row became final. [S16.12].
//
// Keys of the store: 'm', end + horizon, metric, window, horizon, segment, start. So what is over is dropped by range, and a
// question of one metric passes over the others. Thread safety: a KeptSums is of one thread; read() only reads the store and
// may run beside it where the store's scan() may.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/row.h"

namespace recmeter {

class KeptSums {
 public:
  // `keep` 0: nothing is kept, and what is there goes.
  explicit KeptSums(Duration keep) : keep_(keep) {}

  // Final rows that have sums; others are passed over. The same again changes nothing.
  void note(const Row& row);
  // Bytes of all noted since the last save().
  [[nodiscard]] std::size_t noted_bytes() const { return noted_bytes_; }
  // Puts it into `batch` and drops what is over at watermark `w`.
  void save(StateBatch& batch, EventTime w);

  // Each row that is kept and has the metric, with that one alone. Those that became final up to `keep` before the
  // newest of all, in this order, whatever has been dropped. `visit`: whether to go on. Errors: those of the store;
  // state_unusable: damaged.
  using Visit = std::function<bool(Row&& row)>;
  [[nodiscard]] static Result<void> read(const StateStore& store, std::string_view metric, Duration keep, const Visit& visit);

 private:
  Duration keep_;
  std::vector<std::pair<std::string, std::string>> noted_;
  std::size_t noted_bytes_ = 0;
  EventTime dropped_to_ = minus_infinity;
};

}  // namespace recmeter
