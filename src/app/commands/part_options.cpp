#include "app/commands/part_options.h"

#include <algorithm>
#include <string_view>

#include "app/console/version.h"
#include "recmeter/base/read_number.h"

namespace recmeter {

void add_part(const AddOption& add, PartOptions& options) {
  add("--part", options.part, "I/N", "Evaluate part I of N, from 0, of the log's users alone, for recmeter merge");
  add("--partitions", options.partitions, "I/N",
      "Likewise, but of topics the partitions alone whose number leaves I when divided by N; needs --ends");
  add("--partials", options.partials, "FILE", "Where the sums of the part go, in place of rows");
}

Result<Part> part_of(const std::string& option, const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size() - 1);
  const auto index = read_number<std::uint32_t>(std::string_view(text).substr(0, slash));
  const auto count = read_number<std::uint32_t>(std::string_view(text).substr(slash + 1));
  if (index && count && *index < *count && *count <= parts_max) return Part{.index = *index, .count = *count};
  return failure(Errc::config_invalid, option + ": " + text + " is not a part; write 0/4 to 3/4 for four of them, at most " +
                                           std::to_string(parts_max));
}

Result<Part> part_from(const PartOptions& options) {
  if (!options.part.empty() && !options.partitions.empty()) {
    return failure(Errc::config_invalid, "--part cuts by users, --partitions by partitions of topics; give one of them");
  }
  const std::string option = option_of(options);
  if (text_of(options).empty() || options.partials.empty()) {
    return failure(Errc::config_invalid, option + " and --partials go together: " + option + " 0/4 --partials p0.rmp");
  }
  return part_of(option, text_of(options));
}

Result<void> check_can_be_parted(const EvaluatorPlan& plan) {
  for (const PlannedMetric& metric : plan.metrics.metrics()) {
    if (!metric.definition->needs.has(ListPart::popularity)) continue;
    return failure(Errc::config_invalid,
                   "`" + std::string(metric.definition->name) +
                       "` needs what all users did, which no part knows; remove it, or evaluate the log as a whole");
  }
  return {};
}

PartialHeader partial_header(const Config& config, Part part, const Merger::Range& range) {
  return {.count = part.count,
          .parts = {part.index},
          .range = range,
          .version = std::string(build_facts().version),
          .config_hash = config.spec.config_hash,
          .configuration = config.parted_text};
}

}  // namespace recmeter
