// StampedLog: what the stamped lines of a log say together: of whose time each event was judged, and what reading alone tells
// of the log. [S11.7].
//
// `recmeter stamp` reads partitions of a log, whole, and writes a line for each event that takes part in the join, in any
// order, and last one for what else it has read:
//
//   SLOT <tab> TIME <tab> BASE64     of an event: its slot, its time in ms, and its place and bytes (event_code.h)
//   - <tab> 0 <tab> BASE64           the summary: format, configuration, number of lines of each slot, what is known of the
//   log
//
// Lines of any number of stamps, in any order, are one log; its partitions have the order of (place, name),
// in each stamp too.
// A part needs the lines of its slots, and every summary. Thread safety: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/part.h"
#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"

namespace recmeter {

using SlotCounts = std::array<std::uint64_t, slot_count>;

struct StampedPartition {
  std::string name;
  std::uint64_t place = 0;  // among all of the log, from 1; 0: not known
};

class StampedLog {
 public:
  // `header`: that of the partial to be made. Of its one part the lines are counted.
  explicit StampedLog(const PartialHeader& header);

  // The next line. Its time where it is an event of the part, nothing where it is of another, or a summary. Errors, here and
  // below: input_corrupt, a damaged line, or lines missing or there twice; config_invalid, a stamp of another configuration,
  // or a partition that is there twice.
  [[nodiscard]] Result<std::optional<EventTime>> read(std::string_view line);
  // All lines were read. Then:
  [[nodiscard]] Result<void> finish();
  // Of the whole log; the part's counts are missing.
  [[nodiscard]] const PartSummary& summary() const { return summary_; }

  // An event's line, read; its code stands in [first_byte, end_byte) of `bytes`, to which it is appended.
  struct StampedEvent {
    EventTime ts;
    std::uint32_t partition = 0;
    std::uint64_t place = 0;
    std::size_t first_byte = 0;
    std::size_t end_byte = 0;
  };
  [[nodiscard]] Result<StampedEvent> event(std::string_view line, std::string& bytes) const;
  // What is said of a line that is damaged.
  [[nodiscard]] static tl::unexpected<Error> damaged();

 private:
  // A stamp of one partition, or of several.
  struct Stamp {
    PartSummary summary;
    std::vector<std::uint64_t> places;  // of its partitions
  };
  [[nodiscard]] Result<void> read_summary(std::string_view bytes);
  [[nodiscard]] static PartSummary joined(const std::vector<Stamp>& stamps);

  std::string version_;
  std::string config_hash_;
  std::string configuration_;
  Part part_;
  SlotCounts promised_{};
  SlotCounts found_{};
  std::vector<Stamp> stamps_;
  std::set<std::string> stamped_;  // names of partitions
  PartSummary summary_;
  std::unordered_map<std::uint64_t, std::uint32_t> partition_of_;  // by the hash of its name
};

}  // namespace recmeter
