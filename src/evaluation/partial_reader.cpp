#include "recmeter/evaluation/partial_reader.h"

#include <tuple>
#include <utility>

#include "evaluation/pane_bytes.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/evaluation/item_numbers.h"
#include "recmeter/evaluation/lane_rows.h"
#include "recmeter/evaluation/look_bytes.h"

namespace recmeter {

namespace {

tl::unexpected<Error> damaged(const std::string& name) {
  return failure(Errc::state_unusable, "a partial is damaged; make it again with replay --part: " + name);
}

// Whether each feedback that was decided has one.
bool has_outcomes(const PartSummary& summary) {
  std::uint64_t feedback = 0;
  for (const PartitionReport& partition : summary.log.partitions) feedback += partition.events.feedback;
  for (const EventCounts& decided : summary.counts.decided) feedback += decided.feedback;
  return feedback == summary.counts.outcomes.events();
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
  return failure(Errc::state_unusable,
                 parts_text(reader.header_.parts, reader.header_.count) + " is not complete; run it again: " + reader.name_);
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
  return from.is_done() && has_outcomes(summary_);
}

std::optional<EventTime> PartialReader::next() const {
  if (next_ == panes_.size()) return std::nullopt;
  ByteReader from(panes_[next_]);
  static_cast<void>(from.number());  // the kind
  return EventTime{from.signed_number()};
}

Result<void> PartialReader::check_lanes(const EvaluatorPlan& plan) const {
  const bool is_of_plan = shown_.size() == evaluations_of(plan) && summary_.counts.by_action.size() == plan.actions.size();
  return is_of_plan ? Result<void>{} : damaged(name_);
}

Result<std::vector<ShardOutput>> PartialReader::take(const EvaluatorPlan& plan) {
  std::vector<ShardOutput> lanes(evaluations_of(plan));
  lanes_.resize(lanes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const EvaluatorPlan& of_lane = plan_of(plan, lane);
    make_room(lanes[lane], of_lane);
    lanes[lane].looks.resize(of_lane.experiments.size());
  }
  const auto sealed = next();
  while (next() == sealed && sealed) {
    if (!read_pane(panes_[next_], plan, lanes)) return damaged(name_);
    ++next_;
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (sealed == plus_infinity) lanes[lane].whole = shown_[lane];
    Interner& items = lanes_[lane].items;
    for (const Interner::Id id : items.take_new()) lanes[lane].new_items.push_back({id, std::string(items.text(id))});
  }
  return lanes;
}

bool PartialReader::read_pane(std::string_view payload, const EvaluatorPlan& plan, std::vector<ShardOutput>& lanes) {
  ByteReader from(payload);
  const bool is_of_lane = static_cast<PartialFrame>(from.number()) == PartialFrame::lane_pane;
  KeptPane::Key key;
  key.sealed = {from.signed_number()};
  const std::uint64_t lane = is_of_lane ? from.number() : 0;
  key.grid = from.number();
  key.horizon = from.number();
  key.start = {from.signed_number()};
  const std::pair order(lane, key);
  if (from.has_failed() || lane >= lanes.size() || is_of_lane != (lane > 0)) return false;
  const bool is_next = !last_ || std::tie(last_->second.sealed, *last_) < std::tie(key.sealed, order);
  last_ = order;
  const EvaluatorPlan& of_lane = plan_of(plan, lane);
  const std::size_t grids = of_lane.grids.grids().size();
  if (!is_next) return false;
  return key.grid < grids ? read_cells_of(from, of_lane, key, lane, lanes[lane])
                          : read_look_of(from, of_lane, key, key.grid - grids, lanes[lane]);
}

bool PartialReader::read_look_of(ByteReader& from, const EvaluatorPlan& plan, const KeptPane::Key& key,
                                 std::size_t experiment, ShardOutput& output) {
  if (experiment >= plan.experiments.size() || key.horizon > 0) return false;
  const PlannedExperiment& of = plan.experiments[experiment];
  const std::int64_t number = key.start.ms;
  if (number < 1 || number > of.last_look() || of.complete_at(number) != key.sealed) return false;
  auto look = read_look(from, number, of);
  if (!look || !from.is_done()) return false;
  output.looks[experiment].push_back(std::move(*look));
  return true;
}

// What was shown in a pane stands before what came of it.
bool PartialReader::read_cells_of(ByteReader& from, const EvaluatorPlan& plan, const KeptPane::Key& key, std::size_t lane,
                                  ShardOutput& output) {
  if (!is_pane_of(plan, key) || (key.sealed == plus_infinity && !shown_[lane])) return false;
  const CellShape shape = cell_shape(plan);
  Lane& of = lanes_[lane];
  const std::pair pane(key.grid, key.start);
  if (key.horizon == 0) {
    if (!read_new_items(from, plan.spec->limits.id_bytes, of.items)) return false;
    SegmentPanes<Exposure>& shown = output.exposure[key.grid][key.start];
    const auto read = [&](std::string_view bytes) { return exposure_from_bytes(bytes, shape, of.items.size()); };
    if (!read_cells(from, plan, shown, read)) return false;
    of.shown[pane] = keys_of(shown);
    return true;
  }
  SegmentPanes<PaneSums>& sums = output.sums[key.grid][key.horizon - 1][key.start];
  if (!read_cells(from, plan, sums, [&](std::string_view bytes) { return sums_from_bytes(bytes, shape); })) return false;
  if (!plan.wants_exposure()) return true;
  const auto shown = of.shown.find(pane);
  if (shown == of.shown.end() || shown->second != keys_of(sums)) return false;
  const JoinRule& join = plan.spec->join;
  const bool is_last = key.sealed < plus_infinity && join.horizons[key.horizon - 1] == join.longest_horizon();
  if (is_last) of.shown.erase(shown);
  return true;
}

}  // namespace recmeter
