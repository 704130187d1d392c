#include "recmeter/evaluation/partial_reader.h"

#include <utility>

#include "evaluation/pane_bytes.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/evaluation/item_numbers.h"
#include "recmeter/evaluation/lane_rows.h"
#include "recmeter/evaluation/look_bytes.h"

namespace recmeter {

namespace {

std::string parts_text(const PartialHeader& header) {
  std::string text = header.parts.size() == 1 ? "part " : "parts ";
  for (const std::uint32_t part : header.parts) text += (part == *header.parts.begin() ? "" : ", ") + std::to_string(part);
  return text + "/" + std::to_string(header.count);
}

tl::unexpected<Error> damaged(const std::string& name) {
  return failure(Errc::state_unusable, "a partial is damaged; make it again with replay --part: " + name);
}

PartialFrame kind_of(std::string_view payload) {
  return static_cast<PartialFrame>(ByteReader(payload).number());
}

}  // namespace

Result<PartialReader> PartialReader::open(std::string name, std::string_view bytes) {
  PartialReader reader;
  reader.name_ = std::move(name);
  bool is_whole = false;
  for (std::uint64_t number = 0; !bytes.empty(); ++number) {
    ByteReader head(bytes);
    const std::uint64_t size = head.fixed();
    const std::uint64_t checksum = head.fixed();
    if (is_whole) return damaged(reader.name_);
    if (head.has_failed() || size > head.left()) break;
    const std::string_view payload = bytes.substr(frame_head_bytes, size);
    bytes.remove_prefix(frame_head_bytes + size);
    if (frame_checksum(payload, number) != checksum) return damaged(reader.name_);
    if (number == 0) {
      auto header = header_from_bytes(payload);
      if (!header) return failure(Errc::state_unusable, "not a partial that this version of recmeter reads: " + reader.name_);
      reader.header_ = std::move(*header);
    } else if (kind_of(payload) == PartialFrame::pane || kind_of(payload) == PartialFrame::lane_pane) {
      reader.panes_.push_back(payload);
    } else {
      if (kind_of(payload) != PartialFrame::summary || !reader.read_summary(payload)) return damaged(reader.name_);
      is_whole = true;
    }
  }
  if (is_whole) return reader;
  if (reader.header_.parts.empty()) {
    return failure(Errc::state_unusable, "not a partial; give files that replay --part has written: " + reader.name_);
  }
  return failure(Errc::state_unusable, parts_text(reader.header_) + " is not complete; run it again: " + reader.name_);
}

bool PartialReader::read_summary(std::string_view payload) {
  ByteReader from(payload);
  static_cast<void>(from.number());  // the kind
  log_bytes_ = from.text();
  if (!log_from_bytes(log_bytes_, summary_)) return false;
  summary_.counts = read_counts(from, summary_.log.partitions.size());
  shown_.push_back(read_span(from));
  if (header_.ends && !read_share(from, header_, summary_)) return false;
  if (!read_lane_counts(from, summary_.counts)) return false;
  for (std::size_t lane = 0; lane < summary_.counts.lanes.size(); ++lane) shown_.push_back(read_span(from));
  return from.is_done();
}

std::optional<EventTime> PartialReader::next() const {
  if (next_ == panes_.size()) return std::nullopt;
  ByteReader from(panes_[next_]);
  static_cast<void>(from.number());  // the kind
  return EventTime{from.signed_number()};
}

Result<void> PartialReader::check_lanes(const EvaluatorPlan& plan) const {
  return shown_.size() == evaluations_of(plan) ? Result<void>{} : damaged(name_);
}

Result<std::vector<ShardOutput>> PartialReader::take(const EvaluatorPlan& plan) {
  std::vector<ShardOutput> lanes(evaluations_of(plan));
  items_.resize(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const EvaluatorPlan& of_lane = plan_of(plan, lane);
    ShardOutput& output = lanes[lane];
    output.exposure.resize(of_lane.grids.grids().size());
    output.sums.resize(of_lane.grids.grids().size());
    for (auto& horizons : output.sums) horizons.resize(of_lane.spec->join.horizons.size());
    output.looks.resize(of_lane.experiments.size());
  }
  const auto sealed = next();
  while (next() == sealed && sealed) {
    if (!read_pane(panes_[next_], plan, lanes)) return damaged(name_);
    ++next_;
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (sealed == plus_infinity) lanes[lane].whole = shown_[lane];
    for (const Interner::Id id : items_[lane].take_new()) {
      lanes[lane].new_items.push_back({id, std::string(items_[lane].text(id))});
    }
  }
  return lanes;
}

bool PartialReader::read_pane(std::string_view payload, const EvaluatorPlan& plan, std::vector<ShardOutput>& lanes) {
  ByteReader from(payload);
  const bool is_of_lane = static_cast<PartialFrame>(from.number()) == PartialFrame::lane_pane;
  static_cast<void>(from.signed_number());  // sealed
  const std::uint64_t lane = is_of_lane ? from.number() : 0;
  if (lane >= lanes.size() || is_of_lane != (lane > 0)) return false;
  return read_pane(from, plan_of(plan, lane), items_[lane], lanes[lane]);
}

bool PartialReader::read_pane(ByteReader& from, const EvaluatorPlan& plan, Interner& items, ShardOutput& output) {
  const CellShape shape = cell_shape(plan);
  const std::uint64_t grid = from.number();
  const std::uint64_t horizon = from.number();
  const EventTime start{from.signed_number()};
  if (grid >= output.sums.size() && grid - output.sums.size() < output.looks.size() && horizon == 0) {
    const PlannedExperiment& experiment = plan.experiments[grid - output.sums.size()];
    auto look = start.ms < 1 || start.ms > experiment.last_look() ? std::nullopt : read_look(from, start.ms, experiment);
    if (!look || !from.is_done()) return false;
    output.looks[grid - output.sums.size()].push_back(std::move(*look));
    return true;
  }
  if (from.has_failed() || grid >= output.sums.size() || horizon > plan.spec->join.horizons.size()) return false;
  if (horizon == 0) {
    if (!read_new_items(from, plan.spec->limits.id_bytes, items)) return false;
    return read_cells(from, plan, output.exposure[grid][start],
                      [&](std::string_view bytes) { return exposure_from_bytes(bytes, shape, items.size()); });
  }
  return read_cells(from, plan, output.sums[grid][horizon - 1][start],
                    [&](std::string_view bytes) { return sums_from_bytes(bytes, shape); });
}

}  // namespace recmeter
