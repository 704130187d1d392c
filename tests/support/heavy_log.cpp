#include "support/heavy_log.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/batch_decoder.h"
#include "support/dice.h"
#include "support/random_spec.h"

namespace recmeter::support {
namespace {

constexpr std::int64_t log_begin_ms = 1'699'999'200'000;  // 2023-11-14T22:00:00Z

struct Shown {
  std::int64_t ts = 0;
  std::string user;
  std::string list;
  std::vector<std::string> items;
};

// Rows are kept twice, to be compared: without a bound some specifications took gigabytes.
constexpr std::size_t values_kept = 400'000;

// Values of metrics that one list of its own window and segment makes.
std::size_t values_of_a_list(const EvaluatorSpec& spec) {
  std::size_t windows = 0;
  for (const WindowSpec& window : spec.windows) {
    windows += static_cast<std::size_t>(window.is_whole() ? 1 : window.size.ms / window.slide.ms);
  }
  return windows * (1 + spec.segments.size()) * spec.join.horizons.size() * spec.metrics.requests.size() *
         spec.metrics.cutoffs.size();
}

class HeavyTraffic {
 public:
  HeavyTraffic(Dice& dice, const EvaluatorSpec& spec) : dice_(dice), spec_(spec) {
    tick_ms_ = dice_.pick<std::int64_t>({1, 10, 250, 1000});
    span_ms_ = dice_.pick<std::int64_t>({3'000, 20'000, 90'000, 400'000});
    // Bursts with silences between them, some far longer than anything is remembered.
    for (std::size_t count = dice_.percent(50) ? 1 : 2 + dice_.below(4); count > 0; --count) {
      bursts_.push_back(bursts_.empty() ? 0 : bursts_.back() + span_ms_ + silence());
    }
    const std::size_t items = dice_.pick<std::size_t>({3, 12, 200});
    for (std::size_t i = 0; i < items; ++i) items_.push_back("i" + std::to_string(i));
    const std::size_t pages = dice_.pick<std::size_t>({2, 40, 1000});
    for (std::size_t i = 0; i < pages; ++i) pages_.push_back("l" + std::to_string(i));
    const std::size_t values = dice_.pick<std::size_t>({2, 9, 60});
    for (std::size_t i = 0; i < values; ++i) values_.push_back("V" + std::to_string(i * 7 % values));
    heavy_share_ = dice_.pick<std::size_t>({20, 80, 100});
    light_users_ = dice_.pick<std::size_t>({2, 400});
  }

  std::vector<LogLine> lines() {
    const std::size_t kept = std::max<std::size_t>(24, values_kept / values_of_a_list(spec_));
    const std::size_t visits = std::min(dice_.pick<std::size_t>({120, 300, 700}), kept);
    const std::size_t lists_share = dice_.pick<std::size_t>({15, 45, 80});
    for (std::size_t i = 0; i < visits; ++i) {
      if (shown_.empty() || dice_.percent(lists_share)) {
        dice_.percent(25) ? rows() : whole_list();
      } else {
        feedback();
      }
      if (dice_.percent(5)) out_.push_back(dice_.pick(out_));
    }
    return std::move(out_);
  }

 private:
  std::int64_t silence() { return dice_.pick<std::int64_t>({0, 1'000, 100'000, 2'000'000, 30'000'000}); }
  std::int64_t time() { return log_begin_ms + dice_.pick(bursts_) + dice_.between(0, span_ms_) / tick_ms_ * tick_ms_; }
  std::string user() {
    if (dice_.percent(heavy_share_)) return dice_.percent(90) ? "heavy" : "0";
    return "u" + std::to_string(dice_.below(light_users_));
  }

  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  static std::string member(const std::string& key, const std::string& text) { return ",\"" + key + "\":" + quoted(text); }
  void write(std::int64_t ts, const std::string& type, const std::string& members) {
    out_.push_back({ts, "{\"type\":" + quoted(type) + ",\"ts\":" + std::to_string(ts) + members + "}"});
  }

  std::string points() { return dice_.pick<std::string>({"1", "2", "3", "4.5", "5"}); }

  std::string segments() {
    std::string members;
    for (const char* key : {"s", "v"}) {
      if (dice_.percent(85))
        members += std::string(members.empty() ? "" : ",") + quoted(key) + ":" + quoted(dice_.pick(values_));
    }
    return ",\"segments\":{" + members + "}";
  }

  void whole_list() {
    Shown shown{time(), user(), dice_.pick(pages_), {}};
    std::string items;
    std::string scores;
    for (std::size_t length = dice_.below(9); length > 0; --length) {
      shown.items.push_back(dice_.pick(items_));
      items += (items.empty() ? "" : ",") + quoted(shown.items.back());
      scores += (scores.empty() ? "" : ",") + points();
    }
    write(shown.ts, "impression",
          member("user_id", shown.user) + member("list_id", shown.list) + ",\"items\":[" + items + "]" +
              (dice_.percent(60) ? ",\"scores\":[" + scores + "]" : "") + segments());
    shown_.push_back(std::move(shown));
  }

  // Around the boundary of a pane as often as not, and sometimes longer than `assemble`.
  void rows() {
    Shown shown{time(), user(), dice_.pick(pages_), {}};
    if (dice_.percent(50)) {
      const std::int64_t slide = spec_.windows.front().slide.ms;
      shown.ts = std::max(log_begin_ms, shown.ts / slide * slide + spec_.windows.front().offset.ms - dice_.between(0, 3));
    }
    for (std::int64_t count = dice_.between(1, 6); count > 0; --count) {
      const std::int64_t ts = shown.ts + dice_.between(0, spec_.join.assemble.ms + 2);
      shown.items.push_back(dice_.pick(items_));
      write(ts, "impression",
            member("user_id", shown.user) + member("list_id", shown.list) + member("item_id", shown.items.back()) +
                ",\"position\":" + std::to_string(dice_.between(1, 7)) + (dice_.percent(60) ? ",\"score\":" + points() : "") +
                segments());
    }
    shown_.push_back(std::move(shown));
  }

  void feedback() {
    const Shown& shown = dice_.pick(shown_);
    const Action& action = dice_.pick(spec_.join.actions);
    const std::string user = dice_.percent(95) ? shown.user : this->user();
    std::string item = dice_.pick(items_);
    if (!shown.items.empty() && dice_.percent(70)) item = dice_.pick(shown.items);
    const std::int64_t horizon = action.horizon.value_or(dice_.pick(spec_.join.horizons)).ms;
    const std::int64_t skew = spec_.join.skew.ms;
    std::int64_t delay = dice_.between(0, std::min<std::int64_t>(horizon, span_ms_));
    if (dice_.percent(25)) delay = dice_.pick<std::int64_t>({0, -skew, -skew - 1, horizon - 1, horizon, horizon + skew});
    const std::int64_t ts = std::max(log_begin_ms, shown.ts + delay);
    write(ts, action.name,
          member("user_id", user) + member("item_id", item) + (dice_.percent(40) ? member("list_id", shown.list) : "") +
              (dice_.percent(50) ? ",\"value\":" + points() : ""));
  }

  Dice& dice_;
  const EvaluatorSpec& spec_;
  std::int64_t tick_ms_;
  std::int64_t span_ms_;
  std::vector<std::int64_t> bursts_;
  std::vector<std::string> items_;
  std::vector<std::string> pages_;
  std::vector<std::string> values_;
  std::size_t heavy_share_;
  std::size_t light_users_;
  std::vector<Shown> shown_;
  std::vector<LogLine> out_;
};

}  // namespace

EvaluatorSpec heavy_spec(std::uint64_t seed) {
  EvaluatorSpec spec = random_spec(seed);
  Dice dice(seed + 1'000'000'007);
  spec.time.max_step = Duration{0};
  if (dice.percent(60)) {
    spec.join.same_list = dice.pick<Duration>({{1}, {20}, {300}, {2000}});
    spec.join.assemble = std::min(spec.join.assemble, spec.join.same_list);
  }
  if (dice.percent(30)) spec.join.horizons = {dice.pick<Duration>({{600'000}, {1'800'000}, {7'200'000}})};
  if (dice.percent(4)) {  // as many as there may be
    spec.join.horizons.clear();
    for (std::size_t i = 1; i <= horizons_max; ++i)
      spec.join.horizons.push_back(Duration{static_cast<std::int64_t>(i) * 700});
    dice.shuffle(spec.join.horizons);
    spec.join.assemble = std::min(spec.join.assemble, Duration{700});
    spec.metrics.requests.resize(std::min<std::size_t>(spec.metrics.requests.size(), 8));
    spec.metrics.cutoffs.resize(1);
  }
  for (Action& action : spec.join.actions) {
    if (action.horizon) action.horizon = std::min(*action.horizon, spec.join.longest_horizon());
  }
  if (dice.percent(30)) {
    spec.windows.front().slide = Duration{dice.between(1, 20) * 50};
    spec.windows.front().size = Duration{spec.windows.front().slide.ms * dice.between(1, 12)};
    spec.windows.front().offset = Duration{0};
    std::erase_if(spec.metrics.requests, needs_tumbling_windows);
    if (spec.metrics.requests.empty()) spec.metrics.requests.push_back({"precision", std::nullopt, {}});
  }
  spec.limits.list_items = 20;
  return spec;
}

RandomLog heavy_log(std::uint64_t seed, const EvaluatorSpec& spec) {
  Dice dice(seed);
  RandomLog one;
  one.lines.push_back(HeavyTraffic(dice, spec).lines());
  const std::int64_t lateness = std::max(spec.join.skew.ms, dice.pick<std::int64_t>({0, 1, 700, 20'000}));
  one.inputs.push_back({"", "", native_fields(), Duration{lateness}});
  return split_otherwise(one, seed, 1 + dice.below(3));
}

}  // namespace recmeter::support
