// The byte form of cells, in which partial results travel between processes and machines.
//
// It is canonical: equal cells have equal bytes, whatever the order in which they were added to and merged, and what
// from_bytes() accepts is what to_bytes() of the result writes. So the merge of two cells' bytes (read, merge, write) is the
// bytes of the merged cell. Items are numbers that whoever keeps cells has given them (item_numbers.h). Numbers are those of
// base/byte_code.h; a count stands before what it counts.
//
//   both      version, kind
//   PaneSums  bits of the user groups with lists; the lists of each
//             bits of the groups with columns; if any, bits of the columns that are not zero everywhere, then those by group
//             actions; of each, credited and repeated feedback. Unmatured lists
//             users in the order of their keys; of each its key, group, lists, lists with items, columns
//   with buckets, which is a kind of its own: the same, then how many buckets have lists; of each, from the lowest, its
//             number, as the difference to the one before, and lists
//   with open lists, another kind: the same with buckets, be there none; then how many lists are open, when the first was
//             shown, and of each other how much later than the one before
//   Exposure  bands of sets; of each, numbers of items, ascending, as differences
//             bands of counts; of each, numbers and lists
//             sample: threshold; lists by level, group, items; of each these, with number + 1 by rank, 0 for no item
//
// A sum is the number of its trailing zero bits + 1 and what is left of it, without the 1 bit it then ends with; 0 is 0. A
// sample keeps the level of a list and not its hash, for no merge asks for more.
//
// Thread safety: any thread. Bytes may come from anywhere: a reader's memory is at most some hundred times the bytes
// (CellShape bounds what is allocated besides them). But sums that were made up may overflow when they are merged: what
// travels carries a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "recmeter/window/exposure.h"
#include "recmeter/window/pane_sums.h"

namespace recmeter {

// What cells of one configuration have in common.
struct CellShape {
  std::size_t columns = 0;         // of a plan
  std::size_t user_columns = 0;    // of a user
  std::size_t actions = 0;         // that are joined
  std::size_t buckets = 0;         // of latencies and weights; 0: no metric asks for them
  std::size_t cutoffs = 0;         // of exposure
  std::size_t cutoff_max = 0;      // the largest of them
  std::size_t compared_lists = 0;  // in a sample, at most
};

[[nodiscard]] std::string to_bytes(const PaneSums& sums);
// `number_of`: of its items, by id.
[[nodiscard]] std::string to_bytes(const Exposure& exposure, std::span<const std::uint32_t> number_of);
// Nothing, where the bytes are not those of a cell of this shape and version.
[[nodiscard]] std::optional<PaneSums> sums_from_bytes(std::string_view bytes, const CellShape& shape);
// Its items are the numbers, which lie below `items`.
[[nodiscard]] std::optional<Exposure> exposure_from_bytes(std::string_view bytes, const CellShape& shape, std::size_t items);

}  // namespace recmeter
