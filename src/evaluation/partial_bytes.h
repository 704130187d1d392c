// The parts of a partial as bytes (partial_header.h). Readers return nothing where the bytes are not what
// the writer writes, or not of this format. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/window/cell_bytes.h"

namespace recmeter {

enum class PartialFrame : std::uint8_t { header, pane, summary, lane_pane };

inline constexpr std::size_t frame_head_bytes = 16;  // length and checksum

// "part 1/4", "parts 1/4, 3/4": as --part names them.
[[nodiscard]] std::string parts_text(const std::set<std::uint32_t>& parts, std::uint32_t count);

[[nodiscard]] std::uint64_t frame_checksum(std::string_view payload, std::uint64_t number);

[[nodiscard]] CellShape cell_shape(const EvaluatorPlan& plan);

[[nodiscard]] std::string to_bytes(const PartialHeader& header);
[[nodiscard]] std::optional<PartialHeader> header_from_bytes(std::string_view bytes);

// What all parts of a log have in common.
[[nodiscard]] std::string log_to_bytes(const PartSummary& summary);
[[nodiscard]] bool log_from_bytes(std::string_view bytes, PartSummary& summary);
// Without what is of lanes.
void write_counts(ByteWriter& to, const EvaluationCounts& counts);
[[nodiscard]] EvaluationCounts read_counts(ByteReader& from, std::size_t partitions);
void write_lane_counts(ByteWriter& to, const EvaluationCounts& counts);
// To counts without them. False where there are more than lanes can be.
[[nodiscard]] bool read_lane_counts(ByteReader& from, EvaluationCounts& counts);
void write_span(ByteWriter& to, const std::optional<TimeSpan>& span);
[[nodiscard]] std::optional<TimeSpan> read_span(ByteReader& from);
// Of parts by partitions, what else there is. `summary`: of the log, read before.
void write_share(ByteWriter& to, const PartSummary& summary);
[[nodiscard]] bool read_share(ByteReader& from, const PartialHeader& header, PartSummary& summary);

}  // namespace recmeter
