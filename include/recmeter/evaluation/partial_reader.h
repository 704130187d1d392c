// PartialReader: a partial (partial_header.h), checked as a whole and read a pane at a time. Thread safety: none.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/kept_pane.h"
#include "recmeter/evaluation/partial_header.h"
#include "recmeter/evaluation/sealed_sink.h"

namespace recmeter {

class PartialReader {
 public:
  // Looks through all frames. `name`: for messages; `bytes` outlive the reader. Errors: state_unusable where they are no
  // partials, damaged, cut short, or of another format.
  [[nodiscard]] static Result<PartialReader> open(std::string name, std::string_view bytes);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const PartialHeader& header() const { return header_; }
  // Its counts are those of the parts.
  [[nodiscard]] const PartSummary& summary() const { return summary_; }
  // What all parts of a log have in common of the summary, as bytes.
  [[nodiscard]] std::string_view log_bytes() const { return log_bytes_; }

  // When the next pane is sealed: plus_infinity, the panes of the whole window, or of a log that has ended; nothing: no more.
  [[nodiscard]] std::optional<EventTime> next() const;
  // The panes sealed then, as a shard of each lane would hand them over; one where there are none. Requires: next(), and
  // check_lanes() found nothing. Errors: state_unusable.
  [[nodiscard]] Result<std::vector<ShardOutput>> take(const EvaluatorPlan& plan);
  // Errors: state_unusable, where it has other lanes than the plan.
  [[nodiscard]] Result<void> check_lanes(const EvaluatorPlan& plan) const;

 private:
  PartialReader() = default;
  [[nodiscard]] bool read_pane(std::string_view payload, const EvaluatorPlan& plan, std::vector<ShardOutput>& lanes);
  [[nodiscard]] static bool read_look_of(ByteReader& from, const EvaluatorPlan& plan, const KeptPane::Key& key,
                                         std::size_t experiment, ShardOutput& output);
  [[nodiscard]] bool read_cells_of(ByteReader& from, const EvaluatorPlan& plan, const KeptPane::Key& key, std::size_t lane,
                                   ShardOutput& output);
  [[nodiscard]] bool read_summary(std::string_view payload);

  std::string name_;
  PartialHeader header_;
  PartSummary summary_;
  std::string_view log_bytes_;
  std::vector<std::string_view> panes_;  // payloads
  std::size_t next_ = 0;
  std::optional<std::pair<std::uint64_t, KeptPane::Key>> last_;  // pane that was read, and its lane
  std::vector<std::optional<TimeSpan>> shown_;                   // per lane, here and below
  struct Lane {
    Interner items;
    // By grid and start of panes whose sums are still to come: of each combination the values of its cells.
    std::map<std::pair<std::size_t, EventTime>, std::vector<std::vector<SegmentValues>>> shown;
  };
  std::vector<Lane> lanes_;
};

}  // namespace recmeter
