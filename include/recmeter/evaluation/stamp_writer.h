// StampWriter: the events of a replay that joins nothing become stamped lines (stamped_log.h). Thread safety: none. Memory:
// what waits to fill lines, 1 to 64 MiB by the number of partitions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/evaluation/stamped_log.h"

namespace recmeter {

class StampWriter : public SealedSink {
 public:
  // `header`: of the configuration and the ends; its parts do not matter. `write` takes whole lines. `waiting_bytes_max`: of
  // events that wait; 0: by the number of partitions.
  StampWriter(PartialHeader header, StampedShare share, std::function<Result<void>(std::string_view)> write,
              std::size_t waiting_bytes_max = 0);

  // ReplayOptions::accepted. Errors, here and below: those of `write`.
  [[nodiscard]] Result<void> accept(const std::vector<std::vector<RoutedBatch>>& routed);
  // Nothing has been joined.
  [[nodiscard]] Result<void> take(std::vector<ShardOutput>&& /*outputs*/, std::size_t /*lane*/) override { return {}; }
  // The last line.
  [[nodiscard]] Result<void> end(const PartSummary& summary) override;

 private:
  // Events of a partition and slot on their way to a line.
  struct Lot {
    struct Mark {
      EventTime ts;
      std::size_t begin;  // in `code`
    };
    ByteWriter code;
    std::vector<Mark> marks;  // of each event
    bool is_in_order = true;

    void add(const EventBatch& batch, const Event& event);
    // By time; events of one time in the order of their places.
    void sort();
    void clear();
  };
  [[nodiscard]] Result<void> write_lots();

  const PartialHeader header_;
  const StampedShare share_;
  std::function<Result<void>(std::string_view)> write_;
  std::size_t waiting_bytes_max_;
  std::vector<std::array<Lot, slot_count>> lots_;  // by partition
  std::size_t waiting_bytes_ = 0;
  std::string lines_;  // of one write
  SlotLines written_{};
};

}  // namespace recmeter
