// TrafficGenerator: the whole traffic of a TrafficSpec, list by list in event time, written through a sink.
//
// Each list is a pure function of (seed, its number): its user, items, clicks and delays. Each disturbance is drawn from a
// stream of its own beside it. So one spec gives one log on every machine, and memory holds only what is still to be
// written: about rate * (longest delays + disorder + lateness), whatever the number of lists.
// Thread safety: none; one use.
#pragma once

#include <array>
#include <cstdint>

#include "app/generate/click_model.h"
#include "app/generate/daily_rhythm.h"
#include "app/generate/item_popularity.h"
#include "app/generate/json_line.h"
#include "app/generate/log_assembler.h"
#include "app/generate/random_stream.h"
#include "app/generate/shown_list.h"
#include "app/generate/truth.h"

namespace recmeter::generate {

class TrafficGenerator {
 public:
  // Requires: check_spec(spec).
  TrafficGenerator(const TrafficSpec& spec, Split split, RecordSink& sink);
  TrafficGenerator(const TrafficGenerator&) = delete;  // log_ refers to its neighbours
  TrafficGenerator& operator=(const TrafficGenerator&) = delete;

  // Writes everything. An error is the sink's.
  [[nodiscard]] Result<Truth> run();

 private:
  // What became of a list on its way to the evaluator.
  struct Arrival {
    bool any = false;  // the list is known there
    std::array<bool, longest_list> rank_known{};
    bool hit = false;
    std::array<double, longest_list> grades{};  // as credited within the horizon
  };

  [[nodiscard]] ShownList draw_list(std::uint64_t number, RandomStream& random);
  void draw_viewer(ShownList& list, RandomStream& random) const;
  void draw_items(ShownList& list, RandomStream& random) const;
  [[nodiscard]] Duration draw_delay(const LogNormalDelay& delay, RandomStream& random) const;
  void add_impression(const ShownList& list, Arrival& arrival, RandomStream& disturbance);
  void add_actions(const ShownList& list, Arrival& arrival, RandomStream& random, RandomStream& disturbance);
  void add_click(const ShownList& list, std::size_t rank, Arrival& arrival, RandomStream& random, RandomStream& disturbance);
  void add_organic(const ShownList& list, RandomStream& random, RandomStream& disturbance);
  void add_marks(const ShownList& list);
  // Adds the action and counts it; whether the evaluator accepts it.
  bool add_action(const UserAction& action, RandomStream& disturbance);
  void count_outcome(const UserAction& action, bool accepted, bool credited, bool item_missing);
  void count_list(const ShownList& list, const Arrival& arrival);
  [[nodiscard]] RecordRole draw_role(EventTime ts, RandomStream& disturbance) const;
  // Sends line_ on its way; whether the evaluator accepts it.
  bool send(EventTime ts, RecordRole role, bool action, RandomStream& disturbance);
  void add_malformed(EventTime ts, bool action, RandomStream& disturbance);
  [[nodiscard]] EventTime claimed(EventTime ts, RecordRole role) const noexcept;

  const TrafficSpec spec_;
  const Split split_;
  const ClickModel model_;
  const ItemPopularity popularity_;  // within a group
  DailyRhythm rhythm_;
  const EventTime last_list_;
  const bool disturbed_;  // whether any record may be
  const LineForm form_;
  Truth truth_;
  LogAssembler log_;
  JsonLine line_;
};

}  // namespace recmeter::generate
