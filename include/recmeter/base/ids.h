// Ids that ports hand over: which of a run's partitions, horizons and lists is meant. Each is a type of its own, so
// that none is taken for another or for a count.
#pragma once

#include <cstddef>
#include <cstdint>

namespace recmeter {

enum class PartitionIndex : std::uint32_t {};  // place among the partitions of a run
enum class HorizonIndex : std::uint32_t {};    // place among join.horizons
enum class ListNumber : std::uint64_t {};      // of a joiner, in the order in which lists open

// To look it up by.
template <class Id>
[[nodiscard]] constexpr std::size_t index_of(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace recmeter
