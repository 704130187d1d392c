// KnownMetric: what the configuration needs to know of a metric to check a request for it. The list comes from the metric
// registry, through the caller; the configuration has none of its own.
#pragma once

#include <string_view>

namespace recmeter {

struct KnownMetric {
  std::string_view name;
  std::string_view definition{};  // one line for `recmeter validate`; may be empty
  bool user_scope = false;        // counts what the user did outside the list: needs join.key user
  bool needs_catalog = false;
  bool needs_attributes = false;      // of the catalogue's items
  bool has_cutoff = true;             // precision@10; false: empty_list_share
  bool takes_gain = false;            // MetricOptions::gain changes its definition
  bool takes_ap_denominator = false;  // MetricOptions::ap_denominator does
  bool takes_beta = false;            // MetricOptions::beta does
};

}  // namespace recmeter
