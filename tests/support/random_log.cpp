#include "support/random_log.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "support/batch_decoder.h"
#include "support/dice.h"
#include "support/random_candidates.h"
#include "support/record_writer.h"

namespace recmeter::support {
namespace {

constexpr std::int64_t log_begin_ms = 1'699'999'200'000;  // 2023-11-14T22:00:00Z

void set_path(FieldTable& table, Field field, std::vector<std::string> path) {
  table.paths[static_cast<std::size_t>(field)] = std::move(path);
}

FieldTable random_fields(Dice& dice) {
  FieldTable table = native_fields();
  if (dice.percent(50)) return table;
  if (dice.percent(50)) set_path(table, Field::user_id, {"user", "id"});
  if (dice.percent(50)) set_path(table, Field::list_id, {"user", "page", "list"});
  if (dice.percent(30)) set_path(table, Field::item_id, {"product.sku"});
  if (dice.percent(30)) set_path(table, Field::ts, {"meta", "time"});
  if (dice.percent(30)) set_path(table, Field::type, {"event_name"});
  if (dice.percent(30)) set_path(table, Field::segments, {"meta", "segments"});
  if (dice.percent(30)) table.entry_item_id = {"product", "id"};
  if (dice.percent(30)) table.entry_value = {"price"};
  if (dice.percent(50)) table.types = {{"product_click", "click"}, {"list_view", "impression"}, {"buy", "purchase"}};
  table.time.unit = dice.pick<TimeUnit>(
      {TimeUnit::seconds, TimeUnit::milliseconds, TimeUnit::microseconds, TimeUnit::nanoseconds, TimeUnit::rfc3339});
  if (dice.percent(50)) table.position_base = 0;
  return table;
}

// The people, items and lists of one log, and what they do.
class Traffic {
 public:
  Traffic(Dice& dice, const EvaluatorSpec& spec, std::int64_t span_ms, std::int64_t tick_ms)
      : dice_(dice), spec_(spec), span_ms_(span_ms), tick_ms_(tick_ms) {
    const std::string umlaut = "\xC3\xBC";
    users_ = {"0", "anonymous", "7", umlaut + "1", "a\"b"};
    // Intervals need lists in 20 user groups; most logs have too few users for that, and more collisions.
    const std::size_t people = dice.percent(25) ? 90 : 9;
    for (std::size_t i = 0; i < people; ++i) users_.push_back("u" + std::to_string(i));
    items_ = {"3", "\xE2\x82\xAC", "\xF0\x9F\x98\x80x", "tab\t"};
    for (std::size_t i = 0; i < 11; ++i) items_.push_back("i" + std::to_string(i));
    const std::size_t pages = 3 + dice.below(60);
    for (std::size_t i = 0; i < pages; ++i) lists_.push_back((i % 7 == 0 ? "" : "l") + std::to_string(i));
  }

  // One visit: a list, whole or in rows, or feedback, and what repeats it.
  void act(std::vector<Draft>& out) {
    const std::size_t first = out.size();
    const std::size_t what = dice_.below(100);
    if (what < 40) {
      out.push_back(whole_list());
      while (dice_.percent(25)) out.push_back(piece(out[first + dice_.below(out.size() - first)]));
    } else if (what < 55) {
      rows(out);
      if (dice_.percent(25)) out.push_back(piece(out[first + dice_.below(out.size() - first)]));
    } else {
      out.push_back(feedback());
    }
    if (dice_.percent(12)) out.push_back(again(out[first + dice_.below(out.size() - first)]));
    if (dice_.percent(4)) out.push_back(again(dice_.pick(out)));
  }

  [[nodiscard]] std::int64_t time() { return in_span(dice_.between(0, span_ms_)); }

 private:
  std::int64_t in_span(std::int64_t offset) {
    return log_begin_ms + std::clamp<std::int64_t>(offset, 0, span_ms_) / tick_ms_ * tick_ms_;
  }

  BatchEvent impression() {
    BatchEvent event;
    event.ts = time();
    event.user_id = dice_.pick(users_);
    if (spec_.join.key.by == JoinKey::By::list && dice_.percent(20)) event.user_id.clear();
    event.list_id = dice_.pick(lists_);
    const std::vector<std::string> values{"A", "B", "C", "(none)", "(other)", "\\x", "7", "true", "1.50e1", "null", ""};
    if (dice_.percent(60)) event.latency = latency();
    for (const char* key : {"s", "v", "w"}) {
      if (dice_.percent(70))
        event.segments.emplace_back(key, dice_.percent(60) ? values[dice_.below(2)] : dice_.pick(values));
    }
    return event;
  }

  Draft whole_list() {
    Draft draft{impression(), false, {}};
    BatchEvent& event = draft.event;
    event.kind = BatchEvent::Kind::list;
    const std::size_t length = dice_.percent(15) ? 0 : 1 + dice_.below(dice_.percent(10) ? 10 : 5);
    for (std::size_t i = 0; i < length; ++i) event.items.push_back(dice_.pick(items_));
    const bool scored = dice_.percent(50);
    const bool weighed = dice_.percent(20);
    for (std::size_t i = 0; i < length; ++i) {
      if (scored) event.scores.push_back(score());
      if (weighed) event.propensities.push_back(static_cast<double>(dice_.between(1, 8)) / 8);
    }
    for (std::size_t i = 0; is_drafted(event) && i < length; ++i) event.teams.push_back(team(event, i));
    seen_.push_back(event);
    return draft;
  }

  // Another piece of the same screen, whole or a row: what comes next, all so far and more, the same in another order, or
  // another choice; about when the list is assembled, or forgotten.
  Draft piece(Draft draft) {
    BatchEvent& event = draft.event;
    const std::vector<std::string> before = event.items;
    event = dice_.percent(90) ? event : impression();
    event.kind = dice_.percent(75) ? BatchEvent::Kind::list : BatchEvent::Kind::row;
    const std::int64_t assemble = spec_.join.assemble.ms;
    const std::int64_t same = spec_.join.same_list.ms;
    const std::int64_t delay =
        dice_.percent(70) ? dice_.pick<std::int64_t>({0, 0, 1, tick_ms_, assemble - 1, assemble, dice_.between(0, assemble)})
                          : dice_.pick<std::int64_t>({assemble + 1, same / 2, same - 1, same, same + 1, 2 * same});
    event.ts = in_span(event.ts - log_begin_ms + delay);
    event.items = dice_.percent(60) ? before : std::vector<std::string>();
    if (dice_.percent(20)) dice_.shuffle(event.items);
    for (std::size_t more = dice_.below(4); more > 0; --more) event.items.push_back(dice_.pick(items_));
    if (event.kind == BatchEvent::Kind::row) {
      event.items = {event.items.empty() ? dice_.pick(items_) : event.items.back()};
      event.position = static_cast<std::uint32_t>(dice_.between(1, 7));
    } else {
      event.position = 0;
      event.items.resize(std::min(event.items.size(), spec_.limits.list_items));
    }
    if (spec_.join.key.by == JoinKey::By::list && dice_.percent(30)) event.user_id = dice_.pick(users_);
    event.scores.clear();
    event.propensities.clear();
    event.teams.clear();
    const bool is_scored = dice_.percent(50);
    for (std::size_t i = 0; is_scored && i < event.items.size(); ++i) event.scores.push_back(score());
    for (std::size_t i = 0; event.kind == BatchEvent::Kind::list && is_drafted(event) && i < event.items.size(); ++i) {
      event.teams.push_back(team(event, i));
    }
    seen_.push_back(event);
    return draft;
  }

  // Half of all lists are drafted by teams. Told from what is there, so that the dice fall as without teams.
  static std::size_t sum_of(const std::string& text) {
    std::size_t sum = 7;
    for (const char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
    return sum;
  }
  static bool is_drafted(const BatchEvent& event) { return sum_of(event.list_id) % 2 == 0; }
  static std::string team(const BatchEvent& event, std::size_t rank) {
    constexpr std::array<std::string_view, 5> teams{"A", "B", "A", "B", ""};
    const std::size_t place = sum_of(event.list_id + event.user_id) / 2 + rank * (1 + sum_of(event.list_id) / 3 % 3);
    return std::string(teams[place % teams.size()]);
  }

  void rows(std::vector<Draft>& out) {
    const BatchEvent base = impression();
    const std::int64_t spread = std::max<std::int64_t>(spec_.join.assemble.ms * 5 / 4, tick_ms_);
    for (std::int64_t count = dice_.between(1, 5); count > 0; --count) {
      Draft draft{base, false, {}};
      BatchEvent& event = draft.event;
      event.kind = BatchEvent::Kind::row;
      event.ts = in_span(base.ts - log_begin_ms + dice_.between(0, spread));
      event.items = {dice_.pick(items_)};
      event.position = static_cast<std::uint32_t>(dice_.between(1, 6));
      if (dice_.percent(50)) event.scores = {score()};
      if (dice_.percent(30)) event.latency = latency();
      if (std::string of = is_drafted(event) ? team(event, event.position) : ""; !of.empty()) event.teams = {of};
      if (dice_.percent(20)) event.segments.clear();
      out.push_back(draft);
      seen_.push_back(event);
    }
  }

  // Mostly about a list that was shown, mostly by who saw it, mostly about what it held.
  Draft feedback() {
    Draft draft;
    BatchEvent& event = draft.event;
    event.kind = BatchEvent::Kind::feedback;
    event.action = dice_.below(spec_.join.actions.size());
    event.ts = time();
    event.user_id = dice_.pick(users_);
    event.items = {dice_.pick(items_)};
    if (!seen_.empty() && dice_.percent(85)) about(dice_.pick(seen_), event);
    if (dice_.percent(5)) event.list_id = dice_.pick(lists_);
    const bool rates = spec_.join.actions[event.action].name == "rating";
    if (dice_.percent(rates ? 85 : 50)) event.value = score();
    if (dice_.percent(15)) event.event_id = "e" + std::to_string(dice_.below(4));
    if (spec_.join.actions[event.action].once && sum_of(event.user_id + event.items.front()) % 4 > 0) {
      event.event_id = "order" + std::to_string(sum_of(event.items.front()) % 3);
    }
    if (spec_.join.key.by == JoinKey::By::list && dice_.percent(20)) event.user_id.clear();
    if (spec_.join.actions[event.action].on_list) {
      if (dice_.percent(90)) event.items = {""};  // else it is not read
      if (event.list_id.empty()) event.list_id = seen_.empty() ? dice_.pick(lists_) : dice_.pick(seen_).list_id;
      return draft;
    }
    if (dice_.percent(15)) make_basket(draft);
    return draft;
  }

  void about(const BatchEvent& list, BatchEvent& event) {
    event.user_id = list.user_id;
    if (event.user_id.empty()) event.user_id = dice_.pick(users_);
    if (!list.items.empty() && dice_.percent(85)) event.items = {dice_.pick(list.items)};
    const std::int64_t horizon = dice_.pick(spec_.join.horizons).ms;
    const std::int64_t skew = spec_.join.skew.ms;
    std::int64_t delay = dice_.between(0, std::min<std::int64_t>(horizon, 60000));
    // The edges of the interval, and just beyond them.
    if (dice_.percent(20)) delay = dice_.pick<std::int64_t>({0, -skew, -skew - 1, horizon, horizon - 1, horizon - tick_ms_});
    if (dice_.percent(8)) delay = -dice_.between(0, 5000);
    event.ts = in_span(list.ts - log_begin_ms + delay);
    if (dice_.percent(45)) event.list_id = list.list_id;
  }

  void make_basket(Draft& draft) {
    draft.basket = true;
    for (std::size_t more = dice_.below(4); more > 0; --more) draft.event.items.push_back(dice_.pick(items_));
    if (sum_of(draft.event.user_id) % 2 == 0) draft.event.items.back() = draft.event.items.front();
    for (std::size_t i = 0; i < draft.event.items.size(); ++i) {
      draft.entry_values.push_back(dice_.percent(30) ? std::optional(score()) : std::nullopt);
    }
  }

  // An exact duplicate, or one that differs in what does not matter, or only in its time.
  Draft again(Draft draft) {
    BatchEvent& event = draft.event;
    if (dice_.percent(40)) return draft;
    if (event.kind == BatchEvent::Kind::feedback) {
      event.value = dice_.percent(70) ? std::optional(score()) : std::nullopt;
    } else {
      for (double& value : event.scores) value = score();
      if (dice_.percent(20)) event.latency = latency();
      if (dice_.percent(30)) event.segments.clear();
    }
    if (dice_.percent(50)) {
      const bool is_once = event.kind == BatchEvent::Kind::feedback && spec_.join.actions[event.action].once;
      const std::int64_t span = std::ranges::max(spec_.join.horizons).ms + spec_.join.skew.ms;
      const std::int64_t same = is_once ? span : spec_.join.same_list.ms;
      event.ts = in_span(event.ts - log_begin_ms + dice_.pick<std::int64_t>({0, 1, tick_ms_, same - 1, same, same + 1}));
    }
    return draft;
  }

  // Mostly a few, many of each; and the ends of what may be.
  double latency() {
    if (dice_.percent(5)) return dice_.pick<double>({0, 0.5, 1, 1.01, 86399999, 86400000, 1e8});
    return dice_.percent(50) ? dice_.pick<double>({12, 12.5, 40, 480}) : static_cast<double>(dice_.between(1, 3000)) / 8;
  }

  // Scores and ratings: mostly on a scale, seldom at the ends of what may be.
  double score() {
    if (dice_.percent(3)) return dice_.pick<double>({1e8, -1e8, -1e-7, 0});
    return dice_.pick<double>({1, 2, 3, 4, 5, 0.5, 2.25, -1});
  }

  Dice& dice_;
  const EvaluatorSpec& spec_;
  std::int64_t span_ms_;
  std::int64_t tick_ms_;
  std::vector<std::string> users_;
  std::vector<std::string> items_;
  std::vector<std::string> lists_;
  std::vector<BatchEvent> seen_;
};

// Most lists are shown with known probabilities, as where other policies are judged. Copies have those of the first.
void add_propensities(std::vector<Draft>& drafts, std::uint64_t seed) {
  for (Draft& draft : drafts) {
    BatchEvent& event = draft.event;
    const bool is_row = event.kind == BatchEvent::Kind::row;
    if (event.kind == BatchEvent::Kind::feedback) continue;
    Dice dice(seed + static_cast<std::uint64_t>(event.ts) * 31 + event.items.size() * 7 + event.position);
    event.propensities.clear();
    if (!dice.percent(is_row ? 95 : 85)) continue;
    for (std::size_t i = 0; i < event.items.size(); ++i) {
      event.propensities.push_back(dice.percent(2) ? dice.pick<double>({1e-9, 1e-3})
                                                   : dice.pick<double>({0.125, 0.25, 0.5, 0.5, 1, 0.3, 0.7}));
    }
  }
}

// What a line of the table's unit can say: whole seconds in seconds.
void fit_unit(const FieldTable& table, Draft& draft) {
  if (table.time.unit == TimeUnit::seconds) draft.event.ts = draft.event.ts / 1000 * 1000;
}

LogLine written(RecordWriter& writer, const FieldTable& fields, Draft draft, Dice& dice) {
  fit_unit(fields, draft);
  const std::int64_t ts = draft.event.ts;
  if (dice.percent(3)) return {ts, writer.ignored_line(ts)};
  if (dice.percent(5)) {
    const auto reason = native_json_reasons[dice.below(native_json_reasons.size())];
    return {ts, writer.invalid_line(draft, reason)};
  }
  return {ts, writer.line(draft)};
}

// The order of arrival: by time plus a delay of at most `lateness`. What arrived before an event is then at most `lateness`
// newer, so the event is not late.
void arrive(std::vector<LogLine>& lines, std::int64_t lateness, std::int64_t beyond, Dice& dice) {
  std::vector<std::pair<std::int64_t, LogLine>> arrivals;
  for (LogLine& line : lines) {
    const std::int64_t delay = dice.percent(30) ? dice.between(0, lateness) : 0;
    const std::int64_t further = beyond > 0 && dice.percent(5) ? dice.between(0, beyond) : 0;
    arrivals.emplace_back(line.ts + delay + further, std::move(line));
  }
  dice.shuffle(arrivals);
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  lines.clear();
  for (auto& [at, line] : arrivals) lines.push_back(std::move(line));
}

std::string file_bytes(const std::vector<LogLine>& lines, Dice& dice) {
  std::string bytes = dice.percent(10) ? "\xEF\xBB\xBF" : "";
  const std::string_view end = dice.percent(20) ? "\r\n" : "\n";
  for (const LogLine& line : lines) {
    bytes += line.text;
    bytes += end;
    if (dice.percent(2)) bytes += end;
  }
  if (!lines.empty() && dice.percent(20)) bytes.resize(bytes.size() - 1);
  return bytes;
}

void finish(RandomLog& log, Dice& dice) {
  for (std::size_t p = 0; p < log.inputs.size(); ++p) {
    log.inputs[p].name = "part-" + std::to_string(p);
    log.inputs[p].bytes = file_bytes(log.lines[p], dice);
  }
}

RandomLog make_log(std::uint64_t seed, const EvaluatorSpec& spec, bool orderly) {
  Dice dice(seed);
  std::int64_t span = dice.between(20, 600) * 1000;
  const std::int64_t step = spec.time.max_step.ms;
  // Within one step of the smallest time nothing is ever held.
  if (orderly && step > 0) span = std::min(span, step - 1);
  const std::int64_t tick = dice.pick<std::int64_t>({1, 100, 1000, 5000});
  std::vector<Draft> drafts;
  Traffic traffic(dice, spec, span, tick);
  const std::size_t visits = dice.percent(10) ? dice.below(10) : 20 + dice.below(200);
  for (std::size_t i = 0; i < visits; ++i) traffic.act(drafts);
  if (spec.off_policy) add_propensities(drafts, seed);

  RandomLog log;
  for (std::int64_t count = dice.between(1, 4); count > 0; --count) {
    const bool follow = orderly && !log.inputs.empty();
    BatchInput& input = log.inputs.emplace_back();
    input.fields = follow ? log.inputs.front().fields : random_fields(dice);
    const std::int64_t lateness = std::max(spec.join.skew.ms, dice.pick<std::int64_t>({0, 1000, 10000, 60000}));
    input.allowed_lateness = follow ? log.inputs.front().allowed_lateness : Duration{lateness};
  }
  log.lines.resize(log.inputs.size());
  // Wrong clocks: minutes to hours ahead, and once in a while in another century. Without the future rule one of them makes
  // everything after it late, so there they are rare.
  const std::size_t wrong_clocks = orderly || dice.percent(step > 0 ? 40 : 90) ? 0 : 4;
  for (Draft& draft : drafts) {
    const std::size_t p = dice.below(log.inputs.size());
    if (dice.percent(wrong_clocks)) {
      draft.event.ts += dice.pick<std::int64_t>({30001, 120000, 3600001, 7200000, 86400000, 5522688000000});
    }
    RecordWriter writer(spec, log.inputs[p].fields, dice);
    log.lines[p].push_back(written(writer, log.inputs[p].fields, draft, dice));
  }
  if (spec.lanes.is_wanted()) {
    std::vector<BatchEvent> events;
    for (const Draft& draft : drafts) events.push_back(draft.event);
    // A list with a candidate for its policy has no predictions.
    if (!spec.off_policy || seed % 3 != 0) add_candidates(log, spec, events, seed);
    if (spec.off_policy) add_policies(log, spec, events, seed);
  }
  for (std::size_t p = 0; p < log.inputs.size(); ++p) {
    std::vector<LogLine>& lines = log.lines[p];
    // A wrong clock does not delay a record: what lies outside the log arrives anywhere in it.
    std::vector<LogLine> strayed;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(strayed),
                 [&](const LogLine& line) { return line.ts > log_begin_ms + span; });
    std::erase_if(lines, [&](const LogLine& line) { return line.ts > log_begin_ms + span; });
    arrive(lines, log.inputs[p].allowed_lateness.ms, orderly ? 0 : 2 * log.inputs[p].allowed_lateness.ms + 20000, dice);
    for (LogLine& line : strayed) {
      lines.insert(lines.begin() + dice.between(0, static_cast<std::int64_t>(lines.size())), std::move(line));
    }
  }
  finish(log, dice);
  for (BatchInput& input : log.inputs) input.is_cut_at_start = !orderly && dice.percent(15);
  return log;
}

}  // namespace

RandomLog random_log(std::uint64_t seed, const EvaluatorSpec& spec) {
  return make_log(seed, spec, false);
}

RandomLog orderly_log(std::uint64_t seed, const EvaluatorSpec& spec) {
  return make_log(seed, spec, true);
}

RandomLog shuffled_within_lateness(const RandomLog& log, std::uint64_t seed) {
  Dice dice(seed);
  RandomLog result = log;
  for (std::size_t p = 0; p < result.inputs.size(); ++p) {
    arrive(result.lines[p], result.inputs[p].allowed_lateness.ms, 0, dice);
  }
  finish(result, dice);
  return result;
}

RandomLog split_otherwise(const RandomLog& log, std::uint64_t seed, std::size_t partitions) {
  Dice dice(seed);
  RandomLog result;
  result.inputs.assign(partitions, {"", "", log.inputs.front().fields, log.inputs.front().allowed_lateness});
  result.lines.resize(partitions);
  for (const std::vector<LogLine>& lines : log.lines) {
    for (const LogLine& line : lines) result.lines[dice.below(partitions)].push_back(line);
  }
  for (std::vector<LogLine>& lines : result.lines) arrive(lines, log.inputs.front().allowed_lateness.ms, 0, dice);
  finish(result, dice);
  return result;
}

}  // namespace recmeter::support
