// StampWriter: the events of a replay that joins nothing become stamped lines (stamped_log.h). Thread safety: none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/evaluation/stamped_log.h"

namespace recmeter {

class StampWriter : public SealedSink {
 public:
  // `header`: of the configuration; its parts do not matter. `partitions`: in the order of the replay. `write` takes whole
  // lines.
  StampWriter(const PartialHeader& header, const std::vector<StampedPartition>& partitions,
              std::function<Result<void>(std::string_view)> write);

  // ReplayOptions::accepted. Errors, here and below: those of `write`.
  [[nodiscard]] Result<void> accept(const std::vector<std::vector<RoutedBatch>>& routed);
  // Nothing has been joined.
  [[nodiscard]] Result<void> take(std::vector<ShardOutput>&& /*outputs*/) override { return {}; }
  // The last line.
  [[nodiscard]] Result<void> end(const PartSummary& summary) override;

 private:
  std::string version_;
  std::string config_hash_;
  std::string configuration_;
  std::vector<std::uint64_t> hash_of_;   // by partition
  std::vector<std::uint64_t> place_of_;  // likewise
  std::function<Result<void>(std::string_view)> write_;
  SlotCounts lines_{};
};

}  // namespace recmeter
