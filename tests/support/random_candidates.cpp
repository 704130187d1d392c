#include "support/random_candidates.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/dice.h"
#include "support/record_writer.h"

namespace recmeter::support {
namespace {

constexpr std::uint64_t own_dice = 0x9E37'79B9'7F4A'7C15;  // those of log and spec fall as without lanes

class Recommenders {
 public:
  Recommenders(const EvaluatorSpec& spec, std::span<const BatchEvent> events, Dice& dice) : spec_(spec), dice_(dice) {
    for (const BatchEvent& event : events) {
      last_ts_ = std::max(last_ts_, event.ts);
      if (event.kind != BatchEvent::Kind::feedback) lists_.push_back(event);
      for (const std::string& item : event.items) items_.push_back(item);
    }
  }

  [[nodiscard]] std::vector<BatchEvent> all() {
    std::vector<BatchEvent> result;
    for (const BatchEvent& list : lists_) {
      for (std::size_t r = 0; r < spec_.lanes.names.size(); ++r) {
        if (!dice_.percent(70)) continue;
        result.push_back(beside(list, r));
        if (dice_.percent(10)) result.push_back(again(result.back()));
      }
    }
    return result;
  }

 private:
  BatchEvent beside(const BatchEvent& list, std::size_t recommender) {
    BatchEvent event;
    event.kind = BatchEvent::Kind::candidate;
    event.recommender = recommender;
    event.ts = list.ts;
    event.user_id = dice_.percent(4) ? dice_.pick(lists_).user_id : list.user_id;
    const bool needs_id = owner_of(event, spec_.join.key).empty();
    if (needs_id || dice_.percent(65)) event.list_id = dice_.percent(4) ? dice_.pick(lists_).list_id : list.list_id;
    const std::int64_t assemble = spec_.join.assemble.ms;
    if (dice_.percent(45)) event.ts += dice_.pick<std::int64_t>({-1, 1, assemble - 1, assemble, dice_.between(0, assemble)});
    if (dice_.percent(5)) event.ts += dice_.between(-20000, 20000);
    event.ts = std::min(event.ts, last_ts_);
    fill(event, list);
    for (const char* key : {"s", "v", "w"}) {
      if (dice_.percent(50)) event.segments.emplace_back(key, dice_.percent(50) ? "A" : "C");
    }
    return event;
  }

  // Mostly items of the list beside it.
  void fill(BatchEvent& event, const BatchEvent& list) {
    const std::size_t length = dice_.percent(8) ? 0 : 1 + dice_.below(6);
    for (std::size_t i = 0; i < length && !items_.empty(); ++i) {
      const bool is_beside = !list.items.empty() && dice_.percent(55);
      event.items.push_back(dice_.percent(4) ? "new" : dice_.pick(is_beside ? list.items : items_));
    }
    if (dice_.percent(50)) return;
    for (std::size_t i = 0; i < event.items.size(); ++i)
      event.scores.push_back(static_cast<double>(dice_.between(-2, 10)) / 2);
  }

  BatchEvent again(BatchEvent event) {
    if (dice_.percent(30)) return event;
    fill(event, event);
    if (dice_.percent(50)) event.ts = std::min(event.ts + dice_.pick<std::int64_t>({0, 1}), last_ts_);
    return event;
  }

  const EvaluatorSpec& spec_;
  Dice& dice_;
  std::vector<BatchEvent> lists_;
  std::vector<std::string> items_;
  std::int64_t last_ts_ = 0;
};

}  // namespace

EvaluatorSpec with_lanes(EvaluatorSpec spec, std::uint64_t seed) {
  Dice dice(seed ^ own_dice);
  LaneSpec& lanes = spec.lanes;
  lanes.names = {"B", "a\"b"};
  if (dice.percent(30)) lanes.names = {"C", "B", "D"};
  lanes.logged = dice.percent(40) ? LaneSpec::Logged::shadow : LaneSpec::Logged::as_logged;
  lanes.credit = dice.pick<Credit>({Credit::every_touch, Credit::every_touch, Credit::last_touch, Credit::first_touch});
  lanes.pairs = dice.percent(35);
  lanes.unjudged = dice.percent(35) ? LaneSpec::Unjudged::drop : LaneSpec::Unjudged::irrelevant;
  // Money is refused where credit is given several times.
  std::erase_if(spec.metrics.requests, [&](const MetricRequest& request) {
    const bool is_of_value = request.name.starts_with("income") || request.name == "reward";
    return lanes.credit == Credit::every_touch && (is_of_value || request.options.grade == Grade::value);
  });
  spec.metrics.requests.push_back({"judged_share", std::nullopt, {}});
  spec.metrics.requests.push_back({"overlap", std::nullopt, {}});
  return spec;
}

void add_candidates(RandomLog& log, const EvaluatorSpec& spec, std::span<const BatchEvent> events, std::uint64_t seed) {
  Dice dice(seed ^ own_dice);
  for (BatchEvent& event : Recommenders(spec, events, dice).all()) {
    const std::size_t p = dice.below(log.inputs.size());
    const FieldTable& fields = log.inputs[p].fields;
    if (fields.time.unit == TimeUnit::seconds) event.ts = event.ts / 1000 * 1000;
    EvaluatorSpec names = spec;
    if (dice.percent(4)) names.lanes.names.assign(names.lanes.names.size(), "nobody asked");
    RecordWriter writer(names, fields, dice);
    const Draft draft{event, false, {}};
    const std::int64_t ts = event.ts;
    const bool is_invalid = dice.percent(5);
    const auto reason = native_json_reasons[dice.below(native_json_reasons.size())];
    log.lines[p].push_back({ts, is_invalid ? writer.invalid_line(draft, reason) : writer.line(draft)});
  }
}

}  // namespace recmeter::support
