// The sections of the configuration, each read by one function into its part of Config. [I3].
//
// Each takes the root, asks it for its sections and reports what is wrong within them; what concerns several sections is
// check_contradictions().
#pragma once

#include <cstddef>
#include <string_view>

#include "config/config.h"
#include "config/faults.h"
#include "config/load_config.h"
#include "config/section.h"

namespace recmeter::config {

// Order matters where a later one uses an earlier one's result: limits, time, join, then the rest, metrics after windows and
// the catalogue.
void read_limits(Section& root, Config& config);
void read_join(Section& root, Config& config);
void read_inputs(Section& root, Config& config);
void read_windows(Section& root, Config& config);
void read_segments(Section& root, Config& config);
// Before the catalogue, which is divided as it says.
void read_attribution(Section& root, Config& config);
void check_item_group(const Config& config, Faults& faults);
void read_catalog(Section& root, Config& config, const CatalogReader& read_catalog_file);
void read_metrics(Section& root, Config& config);
void read_lanes(Section& root, Config& config);
void read_experiments(Section& root, Config& config);
void read_kafka(Section& root, Config& config);
void read_dead_letter(Section& root, Config& config);
void read_state(Section& root, Config& config);
void read_publish(Section& root, Config& config);
void read_recommenders(Section& root, Config& config);

// All of them, and what is wrong together. `document`: a mapping or null.
[[nodiscard]] Config read_config(const Node& document, const ConfigContext& context, Faults& faults);

// How long an id may be; any length, where what is written of it could not be read.
[[nodiscard]] std::size_t id_bytes_max(const Config& config, const Faults& faults);

// What is right in each section and wrong together; `check_live` may be empty.
void check_contradictions(const Config& config, const LiveCheck& check_live, Faults& faults);

// Of a segment's key, and of a value.
inline constexpr std::size_t segment_bytes_max = 1024;
// Of evaluators, windows, topics and hosts.
inline constexpr std::string_view name_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
// Names of evaluators and windows: letters, digits, `.`, `_` and `-`; they become parts of topics and file names.
[[nodiscard]] std::optional<std::string> read_name(ValueReader& reader, const Value& value);
// A Kafka topic's name.
[[nodiscard]] std::optional<std::string> read_topic(ValueReader& reader, const Value& value);

}  // namespace recmeter::config
