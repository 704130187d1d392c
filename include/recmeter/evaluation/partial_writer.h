// PartialWriter: what the shards of a part seal becomes a partial (partial_header.h). Thread safety: none. Memory: the ids of
// the items shown, the panes of one call, and where there are lanes the bytes of one step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "recmeter/evaluation/item_numbers.h"
#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"

namespace recmeter {

class PartialWriter : public SealedSink {
 public:
  // `plan` outlives the writer; `write` takes the bytes, in order.
  PartialWriter(const EvaluatorPlan& plan, std::function<Result<void>(std::string_view)> write);

  // First of all, once. Errors, here and below: those of `write`.
  [[nodiscard]] Result<void> begin(const PartialHeader& header);
  [[nodiscard]] Result<void> take(std::vector<ShardOutput>&& outputs, std::size_t lane) override;
  [[nodiscard]] Result<void> step_done() override;
  [[nodiscard]] Result<void> end(const PartSummary& summary) override;

 private:
  // One of these, by its key; looks are of grids behind the last, and start with their number.
  struct Pane {
    SegmentPanes<Exposure> exposure;
    SegmentPanes<PaneSums> sums;
    std::optional<LookSums> look;
  };
  struct Frame {
    EventTime sealed;
    std::size_t lane;
    std::string payload;
  };
  // What the panes of a lane have in common.
  struct Lane {
    std::vector<std::vector<Interner::Id>> number_of;  // per shard and its number
    std::optional<TimeSpan> shown;                     // of the lists of the whole window
    ItemNumbers items;
  };
  void learn(Lane& lane, std::size_t shard, const std::vector<ShardOutput::NewItem>& items);
  void add(std::size_t lane, std::size_t shard, ShardOutput&& output, std::map<KeptPane::Key, Pane>& panes);
  [[nodiscard]] std::string pane_bytes(std::size_t lane, const KeptPane::Key& key, const Pane& pane);
  [[nodiscard]] Result<void> write_frame(std::string_view payload);

  const EvaluatorPlan& plan_;
  std::function<Result<void>(std::string_view)> write_;
  std::uint64_t frames_ = 0;
  bool has_share_ = false;      // the parts are cut by partitions
  Interner items_;              // of all panes
  std::vector<Lane> lanes_;     // one where there are none
  std::vector<Frame> waiting_;  // of this step, where there are lanes
};

}  // namespace recmeter
