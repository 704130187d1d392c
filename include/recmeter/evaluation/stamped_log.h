// StampedLog: what the stamped lines of a log say together: of whose time each event was judged, and what reading alone tells
// of the log. [S11.7].
//
// `recmeter stamp` reads partitions of a log, whole, and writes lines of the events that take part in the join, in any order,
// and last one for what else it has read:
//
//   SLOT <tab> TIME <tab> BASE64     of events of one partition whose keys have this slot: the time of the first in ms; then
//                                    the hash of the partition's name, and their bytes by time, those of one time in the
//                                    order of their places (event_code.h)
//   - <tab> 0 <tab> BASE64           the summary: hash of all that follows, format, configuration, hash of the ends, of each
//                                    slot how many lines and the sum of their hashes, what is known of the log, and, of a
//                                    stamp by --partitions, how many partitions there are in all, and which these are
//
// Many events share a line, for a line has costs of its own here and in the engine that sorts it. Lines of any number of
// stamps, in any order, are one log; its partitions have the order of (place, name), in each stamp too. A part needs the
// lines of its slots, and every summary. Whether files were left out altogether nobody can tell, but of partitions of one
// log (stamp --partitions) all have to be there. Thread safety: none.
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

// The lines of a slot: how many, and the sum of the hashes of what they hold. None can be missing, or there twice, unnoticed.
struct SlotLine {
  std::uint64_t lines = 0;
  std::uint64_t sum = 0;

  void add(std::string_view bytes);
  friend bool operator==(const SlotLine&, const SlotLine&) = default;
};
using SlotLines = std::array<SlotLine, slot_count>;

struct StampedPartition {
  std::string name;
  std::uint64_t place = 0;  // among all of the log, from 1; 0: not known
};
// What one stamp reads, in the order of the replay.
struct StampedShare {
  std::vector<StampedPartition> partitions;
  std::uint64_t of = 0;  // partitions of the log; 0: not known, nor are their places
};

class StampedLog {
 public:
  // `header`: that of the partial to be made. Of its one part the lines are counted.
  explicit StampedLog(const PartialHeader& header);

  // The next line. Whether it is of events of the part: then `record` becomes what it holds, its time first. Errors, here and
  // below: input_corrupt, a damaged line, or lines missing or there twice; config_invalid, a stamp of another configuration
  // or log, a partition that is there twice, or one that is missing.
  [[nodiscard]] Result<bool> read(std::string_view line, std::string& record);
  // When the first of a record's events was.
  [[nodiscard]] static EventTime time_of(std::string_view record);
  // All lines were read. Then:
  [[nodiscard]] Result<void> finish();
  // Of the whole log; the part's counts are missing.
  [[nodiscard]] const PartSummary& summary() const { return summary_; }

  // Of a record: its partition, and the bytes of its events.
  struct Events {
    std::uint32_t partition = 0;
    std::string_view code;
  };
  [[nodiscard]] Result<Events> events(std::string_view record) const;
  // Whether it looks like a stamped line.
  [[nodiscard]] static bool is_stamped(std::string_view line);
  // What is said of a line that is damaged.
  [[nodiscard]] static tl::unexpected<Error> damaged();

 private:
  // Of a stamp, beside what it says of its partitions.
  struct Origin {
    std::optional<std::uint64_t> ends;
    std::uint64_t of = 0;
  };
  [[nodiscard]] Result<void> read_summary(std::string_view bytes);
  [[nodiscard]] Result<void> check_one_log(const Origin& origin);
  [[nodiscard]] Result<void> check_no_partition_is_missing() const;

  const PartialHeader header_;
  const Part part_;
  SlotLines promised_{};
  SlotLines found_{};
  std::vector<PartSummary> stamps_;  // each of one partition, or of several
  std::optional<Origin> origin_;     // of them all
  std::set<std::string> stamped_;    // names of partitions
  PartSummary summary_;
  std::unordered_map<std::uint64_t, std::uint32_t> partition_of_;  // by the hash of its name
};

}  // namespace recmeter
