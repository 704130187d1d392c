// PartialHeader: what stands first in a partial, and the form of all of it. [S11]. A partial is the sums of one part of a
// log, or of several, as bytes: PartialWriter makes it, PartialReader checks and reads it, merge_partials.h makes the rows.
//
// A file is a sequence of frames: 8 bytes length, 8 bytes XXH3-64 of the payload with the frame's number as seed, the
// payload. Numbers are those of base/byte_code.h. The first frame is the header, the last one the summary, all between are
// panes:
//
//   header    "recmeter partial", format, which parts of how many, 0 or 1 and the hash of the ends, range of windows,
//   version,
//             `config` of the rows, configuration
//   pane      time it is sealed at, grid, 0 for exposure or horizon + 1, start; of exposure, items that no pane before has
//             had, which get the next numbers; of each combination, the cells: their number, of each its values and bytes
//             (recmeter/window/cell_bytes.h), and the cell of `(other)`, if there is one
//   lane      as a pane, of another lane than what was shown: its number stands behind the time. Its items have numbers of
//             their own
//   look      as a pane of the grid behind the last, by number of experiment; start is the number of the look (look_bytes.h)
//   summary   of the log, or of its partitions that the parts have; then, of the parts, counts by partition, outcomes, lists,
//             and the times of the lists shown; of parts by partitions their places, and the keys (key_sample.h); how many
//             other lanes, and if there are, their counts, candidates and policies by partition, and the times of their lists
//
// Panes stand in the order of (sealed, lane, grid, horizon, start), so that files are merged beside each other, a pane at a
// time. The bytes are canonical: they do not depend on threads, blocks and rounds, and partials merged to partials are those
// of the union, whatever the order.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "recmeter/evaluation/merger.h"

namespace recmeter {

// Whose sums they are. All but `parts` is equal in partials that belong together.
struct PartialHeader {
  std::uint32_t count = 1;        // of all parts
  std::set<std::uint32_t> parts;  // below count; not empty
  // Of parts that have partitions of a log, and not some of the users of all of it: a hash of where these partitions end.
  std::optional<std::uint64_t> ends = {};
  Merger::Range range;
  std::string version;        // of recmeter
  std::string config_hash;    // of the rows
  std::string configuration;  // what decides results, as YAML
};

}  // namespace recmeter
