// MetricDefinition: all there is to say about one metric. A new one is a file in src/metric/ that defines one of these and a
// line in src/metric/registry.cpp; the laws of tests/laws run over the registry without being asked.
//
// Values, immutable, with static storage; any thread. `evaluate` is a pure function of its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// What a value is averaged over or counted from.
enum class Family : std::uint8_t {
  list_mean,   // a value per list, averaged; SEMANTICS §5, §6
  list_share,  // 0 or 1 per list, whatever was done with it; SEMANTICS §8
  exposure,    // a fact of the items shown; SEMANTICS §8
};
enum class Scope : std::uint8_t { list, user };
// The condition under which a list says something; SEMANTICS §5, "Evidence".
enum class Evidence : std::uint8_t { none, relevant_in_list, relevant_of_user };
inline constexpr std::size_t evidence_kinds = 2;  // without `none`

// What was shown in the top k of a window's lists.
struct ExposureFacts {
  std::uint64_t distinct = 0;             // items
  std::uint64_t distinct_in_catalog = 0;  // those of them in the catalogue; equal to `distinct` when it is a mere size
  std::uint64_t catalog_size = 0;         // 0: none configured
};

struct MetricDefinition {
  std::string_view name;
  Family family = Family::list_mean;
  Scope scope = Scope::list;
  Evidence evidence = Evidence::none;
  bool has_cutoff = true;
  bool needs_catalog = false;
  bool zero_without_hits = true;  // every list without hits has the value 0: most lists need no evaluation
  double low = 0;                 // range of the value, for the interval's scale
  double high = 1;
  // Which of MetricOptions change its definition.
  bool takes_gain = false;
  bool takes_ap_denominator = false;
  bool takes_beta = false;
  std::string_view formula;
  std::string_view source;
  // list_mean and list_share: the value of one list, in [low, high]. k: the cutoff, 0 when has_cutoff is false.
  double (*evaluate)(const ScoredList& list, std::uint32_t k, const MetricOptions& options) = nullptr;
  // exposure: the value, null when undefined.
  std::optional<double> (*measure)(const ExposureFacts& facts) = nullptr;
};

}  // namespace recmeter
