// The share of co-partitioned topics that one of several runs reads: of every topic the partitions whose number leaves I when
// divided by N. [S11.8].
#pragma once

#include <cstdint>
#include <string>

#include "app/run/replay_inputs.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/part.h"

namespace recmeter {

// Leaves these of all partitions in `inputs`. `part`: which, and of how many. Errors: config_invalid, where a file is read,
// topics have unlike numbers of partitions, or fewer than there are parts.
[[nodiscard]] Result<PartitionShare> keep_share(ReplayInputs& inputs, Part part);

// What is said where a file is to be shared so.
[[nodiscard]] tl::unexpected<Error> share_of_file(const std::string& path);

// Of what --ends names, equal where it names the same.
[[nodiscard]] std::uint64_t hash_of(const PinnedEnds& ends);

}  // namespace recmeter
