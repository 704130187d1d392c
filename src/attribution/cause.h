// The cause by one segment key. [S16.7], [S16.8].
#pragma once

#include <optional>
#include <span>

#include "recmeter/attribution/attribution.h"

namespace recmeter {

// Empty: less than two segments have their groups on both sides.
[[nodiscard]] std::optional<Unevenness> unevenness_of(std::span<const SegmentRows> segments, const AttributionRule& rule);

// The cause by a key with exact parts. `whole`: of all lists; its interval leaves 0 out.
[[nodiscard]] std::optional<Cause> cause_of(const KeyParts& key, const FactsPair& whole, double difference,
                                            const AttributionRule& rule);

}  // namespace recmeter
