#include "recmeter/evaluation/partial_writer.h"

#include <algorithm>
#include <utility>

#include "evaluation/pane_bytes.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/base/check.h"
#include "recmeter/evaluation/lane_rows.h"
#include "recmeter/evaluation/look_bytes.h"

namespace recmeter {

PartialWriter::PartialWriter(const EvaluatorPlan& plan, std::function<Result<void>(std::string_view)> write)
    : plan_(plan), write_(std::move(write)), lanes_(evaluations_of(plan)) {}

Result<void> PartialWriter::begin(const PartialHeader& header) {
  has_share_ = header.ends.has_value();
  return write_frame(to_bytes(header));
}

Result<void> PartialWriter::take(std::vector<ShardOutput>&& outputs, std::size_t lane) {
  std::map<KeptPane::Key, Pane> panes;
  for (std::size_t shard = 0; shard < outputs.size(); ++shard) {
    learn(lanes_[lane], shard, outputs[shard].new_items);
    add(lane, shard, std::move(outputs[shard]), panes);
  }
  for (const auto& [key, pane] : panes) {
    std::string payload = pane_bytes(lane, key, pane);
    if (lanes_.size() > 1) {
      waiting_.push_back({key.sealed, lane, std::move(payload)});
    } else if (auto written = write_frame(payload); !written) {
      return written;
    }
  }
  return {};
}

// Each lane's panes come in this order already.
Result<void> PartialWriter::step_done() {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Frame& a, const Frame& b) { return std::tie(a.sealed, a.lane) < std::tie(b.sealed, b.lane); });
  for (const Frame& frame : std::exchange(waiting_, {})) {
    if (auto written = write_frame(frame.payload); !written) return written;
  }
  return {};
}

void PartialWriter::learn(Lane& lane, std::size_t shard, const std::vector<ShardOutput::NewItem>& items) {
  if (shard >= lane.number_of.size()) lane.number_of.resize(shard + 1);
  auto& number_of = lane.number_of[shard];
  for (const ShardOutput::NewItem& item : items) {
    if (item.id >= number_of.size()) number_of.resize(item.id + 1, Interner::none);
    number_of[item.id] = items_.intern(item.text, EventTime{0});
  }
  static_cast<void>(items_.take_new());
}

void PartialWriter::add(std::size_t lane, std::size_t shard, ShardOutput&& output, std::map<KeptPane::Key, Pane>& panes) {
  std::optional<TimeSpan>& shown = lanes_[lane].shown;
  if (output.whole) {
    if (!shown) shown = output.whole;
    shown = TimeSpan{std::min(shown->from, output.whole->from), std::max(shown->to, output.whole->to)};
  }
  const EvaluatorPlan& plan = plan_of(plan_, lane);
  const auto grids = plan.grids.grids();
  const JoinRule& join = plan.spec->join;
  for (std::size_t e = 0; e < output.looks.size(); ++e) {
    for (LookSums& look : output.looks[e]) {
      const EventTime sealed = plan.experiments[e].complete_at(look.number());
      std::optional<LookSums>& known = panes[{sealed, grids.size() + e, 0, EventTime{look.number()}}].look;
      known ? void(*known += look) : void(known.emplace(std::move(look)));
    }
  }
  const std::vector<Interner::Id>& number_of = lanes_[lane].number_of[shard];
  for (std::size_t g = 0; g < output.sums.size(); ++g) {
    for (auto& [start, pane] : output.exposure[g]) {
      if (!plan.wants_exposure()) continue;
      merge_pane(panes[{plan.sealed_at(g, 0, start), g, 0, start}].exposure, std::move(pane), plan.bounds,
                 [&](Exposure& cell) { cell = cell.translated(number_of); });
    }
    for (std::size_t h = 0; h < join.horizons.size(); ++h) {
      for (auto& [start, pane] : output.sums[g][h]) {
        merge_pane(panes[{plan.sealed_at(g, h + 1, start), g, h + 1, start}].sums, std::move(pane), plan.bounds,
                   [](PaneSums&) {});
      }
    }
  }
}

std::string PartialWriter::pane_bytes(std::size_t lane, const KeptPane::Key& key, const Pane& pane) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(lane == 0 ? PartialFrame::pane : PartialFrame::lane_pane));
  to.add_signed(key.sealed.ms);
  if (lane > 0) to.add(lane);
  to.add(key.grid);
  to.add(key.horizon);
  to.add_signed(key.start.ms);
  if (pane.look) {
    write_look(to, *pane.look);
  } else if (key.horizon == 0) {
    ItemNumbers& numbers = lanes_[lane].items;
    numbers.write_new(to, pane.exposure, items_);
    write_cells(to, pane.exposure, [&](const Exposure& cell) { return to_bytes(cell, numbers.by_id()); });
  } else {
    write_cells(to, pane.sums, [](const PaneSums& cell) { return to_bytes(cell); });
  }
  return to.take();
}

Result<void> PartialWriter::end(const PartSummary& summary) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(PartialFrame::summary));
  to.add_text(log_to_bytes(summary));
  write_counts(to, summary.counts);
  write_span(to, lanes_.front().shown);
  if (has_share_) write_share(to, summary);
  RECMETER_CHECK(summary.counts.lanes.size() + 1 == lanes_.size(), "each lane has its counts");
  write_lane_counts(to, summary.counts);
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) write_span(to, lanes_[lane].shown);
  return write_frame(to.bytes());
}

Result<void> PartialWriter::write_frame(std::string_view payload) {
  ByteWriter head;
  head.add_fixed(payload.size());
  head.add_fixed(frame_checksum(payload, frames_++));
  if (auto written = write_(head.bytes()); !written) return written;
  return write_(payload);
}

}  // namespace recmeter
