#include "scenario/scenario.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "support/batch_decoder.h"
#include "support/batch_event.h"

namespace recmeter::scenario {
namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char at) {
  Words parts;
  std::string part;
  std::istringstream stream(text);
  while (std::getline(stream, part, at)) parts.push_back(part);
  return parts;
}

std::string quoted(const std::string& text) {
  std::string out;
  support::append_quoted(out, text);
  return out;
}

class Reader {
 public:
  std::pair<Scenario, std::string> read(std::string_view text) {
    scenario_.spec.name = "scenario";
    scenario_.spec.config_hash = "0000000000000000";
    scenario_.spec.join.horizons = {Duration{600'000}};
    scenario_.spec.time.max_step = Duration{0};
    std::istringstream lines{std::string(text)};
    std::string line;
    while (error_.empty() && std::getline(lines, line)) {
      ++line_;
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos || line[begin] == '#') continue;
      read_line(line.substr(begin));
    }
    finish();
    return {std::move(scenario_), error_};
  }

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = "line " + std::to_string(line_) + ": " + what;
  }

  std::int64_t integer(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) fail("'" + text + "' is no integer");
    return value;
  }

  double real(const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) fail("'" + text + "' is no number");
    return value;
  }

  // 90s, 1h30m, -5s
  Duration duration(const std::string& text) {
    const std::map<std::string, std::int64_t> units{
        {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
    const bool negative = !text.empty() && text.front() == '-';
    Duration sum;
    for (std::size_t at = negative ? 1 : 0; at < text.size() && error_.empty();) {
      const std::size_t unit = std::min(text.find_first_not_of("0123456789", at), text.size());
      const std::size_t next = std::min(text.find_first_of("0123456789", unit), text.size());
      const auto found = units.find(text.substr(unit, next - unit));
      if (found == units.end()) {
        fail("'" + text + "' is no duration");
        return {};
      }
      sum = sum + Duration{integer(text.substr(at, unit - at)) * found->second};
      at = next;
    }
    return negative ? Duration{0} - sum : sum;
  }

  std::vector<Duration> durations(const std::string& text) {
    std::vector<Duration> out;
    for (const std::string& part : split(text, ',')) out.push_back(duration(part));
    return out;
  }

  // The words from `first` on that look like key=value; others are an error.
  std::vector<std::pair<std::string, std::string>> settings(const Words& words, std::size_t first) {
    std::vector<std::pair<std::string, std::string>> out;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::size_t at = words[i].find('=');
      if (at == std::string::npos) {
        fail("'" + words[i] + "' is no key=value");
        return out;
      }
      out.emplace_back(words[i].substr(0, at), words[i].substr(at + 1));
    }
    return out;
  }

  void read_line(const std::string& line) {
    Words words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) {
      if (word == "#") break;  // a comment at the end
      words.push_back(word);
    }
    const std::string& what = words[0];
    if (what == "outcomes") return read_outcomes(words);
    if (words.size() < 2) return fail("'" + what + "' says nothing");
    if (what == "join") return read_join(words);
    if (what == "action") return read_action(words);
    if (what == "time") return read_time(words);
    if (what == "window") return read_window(words);
    if (what == "segment") return read_segment(words);
    if (what == "limits") return read_limits(words);
    if (what == "catalog") return read_catalog(words);
    if (what == "metric") return read_metric(words);
    if (what == "cutoffs") return read_cutoffs(words);
    if (what == "layout") return read_layout(words);
    if (what == "partition") return read_partition(words);
    if (what == "at") return read_event(words, line);
    if (what == "repeat") return read_repeated(words, line);
    if (what == "fates") return read_fates(words);
    if (what == "lists") return scenario_.lists.emplace(static_cast<std::uint64_t>(integer(words[1]))), void();
    if (what == "row") return read_row(words);
    fail("'" + what + "' is not known");
  }

  void read_join(const Words& words) {
    JoinRule& join = scenario_.spec.join;
    for (const auto& [key, value] : settings(words, 1)) {
      if (key == "credit") {
        join.credit = value == "first_touch"   ? Credit::first_touch
                      : value == "every_touch" ? Credit::every_touch
                                               : Credit::last_touch;
        if (value != "last_touch" && join.credit == Credit::last_touch) fail("no credit rule '" + value + "'");
      } else if (key == "key") {
        join.key.by = value == "list" ? JoinKey::By::list : JoinKey::By::user;
      } else if (key == "not_users") {
        for (const std::string& user : split(value, ',')) join.key.not_users.insert(user);
      } else if (key == "horizons") {
        join.horizons = durations(value);
      } else if (key == "skew") {
        join.skew = duration(value);
      } else if (key == "same_list") {
        join.same_list = duration(value);
      } else if (key == "assemble") {
        join.assemble = duration(value);
      } else if (key == "whole_lists") {
        join.whole_lists = value == "own" ? WholeLists::own : WholeLists::go_on;
      } else {
        fail("no setting '" + key + "'");
      }
    }
  }

  void read_action(const Words& words) {
    std::vector<Action>& actions = scenario_.spec.join.actions;
    Action action{.name = words[1], .gain = 1, .after = {}, .horizon = {}};
    for (const auto& [key, value] : settings(words, 2)) {
      if (key == "gain") {
        action.gain = real(value);
      } else if (key == "from") {
        action.is_from_mean = value == "user_mean";
        if (!action.is_from_mean) action.from = real(value);
      } else if (key == "horizon") {
        action.horizon = duration(value);
      } else if (key == "once") {
        action.once = value == "event_id";
        if (!action.once) return fail("nothing counts once by '" + value + "'");
      } else if (key == "on") {
        action.on_list = value == "list";
        action.gain = 0;
        if (!action.on_list) return fail("nothing is done on '" + value + "'");
      } else if (key == "after" || key == "undoes") {
        action.undoes = key == "undoes";
        if (action.undoes) action.gain = 0;
        const std::string& name = value;
        const auto before = std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.name == name; });
        if (before == actions.end()) return fail("'" + value + "' has to come first");
        action.after = static_cast<std::size_t>(before - actions.begin());
      } else {
        fail("no setting '" + key + "'");
      }
    }
    actions.push_back(action);
  }

  void read_time(const Words& words) {
    for (const auto& [key, value] : settings(words, 1)) {
      if (key == "max_step") {
        scenario_.spec.time.max_step = duration(value);
      } else if (key == "lateness") {
        lateness_ = duration(value);
      } else {
        fail("no setting '" + key + "'");
      }
    }
  }

  void read_window(const Words& words) {
    WindowSpec window{.name = words[1]};
    std::optional<Duration> slide;
    for (const auto& [key, value] : settings(words, 2)) {
      if (key == "size") window.size = duration(value);
      if (key == "slide") slide = duration(value);
      if (key == "offset") window.offset = duration(value);
    }
    window.slide = slide.value_or(window.size);
    scenario_.spec.windows.push_back(window);
  }

  // segment variant surface keep=A/home,B/web
  void read_segment(const Words& words) {
    SegmentSpec segment;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i].rfind("keep=", 0) != 0) {
        segment.keys.push_back(words[i]);
        continue;
      }
      for (const std::string& tuple : split(words[i].substr(5), ',')) segment.keep.push_back(split(tuple, '/'));
    }
    scenario_.spec.segments.push_back(segment);
  }

  void read_limits(const Words& words) {
    Limits& limits = scenario_.spec.limits;
    for (const auto& [key, value] : settings(words, 1)) {
      const auto number = static_cast<std::size_t>(integer(value));
      if (key == "segment_values") {
        limits.segment_values = number;
      } else if (key == "distinct_items") {
        limits.distinct_items = number;
      } else if (key == "list_items") {
        limits.list_items = number;
      } else {
        fail("no limit '" + key + "'");
      }
    }
  }

  void read_catalog(const Words& words) {
    Catalog& catalog = scenario_.spec.catalog.emplace();
    if (words[1].find_first_not_of("0123456789") == std::string::npos) {
      catalog.size = static_cast<std::uint64_t>(integer(words[1]));
      return;
    }
    for (const std::string& item : split(words[1], ',')) catalog.items.insert(item);
    catalog.size = catalog.items.size();
  }

  void read_metric(const Words& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const Words parts = split(words[i], ':');
      MetricRequest& request = scenario_.spec.metrics.requests.emplace_back();
      request.name = parts[0].substr(0, parts[0].find('/'));
      if (request.name != parts[0] && !parts[0].ends_with("/user_relevant")) fail("lists are chosen by user_relevant alone");
      if (request.name != parts[0]) request.options.over = Over::user_relevant;
      if (parts.size() == 1) continue;
      request.options.action = parts[1];
      request.as = request.name + "_" + parts[1];
      if (parts.size() == 2) continue;
      if (parts[2] == "value") {
        request.options.grade = Grade::value;
      } else {
        request.options.cap = real(parts[2]);
      }
      *request.as += "_" + parts[2];
    }
  }

  void read_cutoffs(const Words& words) {
    scenario_.spec.metrics.cutoffs.clear();
    for (const std::string& k : split(words[1], ',')) {
      scenario_.spec.metrics.cutoffs.push_back(static_cast<std::uint32_t>(integer(k)));
    }
  }

  void read_layout(const Words& words) {
    scenario_.fixed_layout = words[1] == "fixed";
    if (!scenario_.fixed_layout) fail("a layout is fixed or not mentioned");
  }

  void read_partition(const Words& words) {
    Duration lateness = lateness_;
    for (const auto& [key, value] : settings(words, 2)) {
      if (key == "lateness") lateness = duration(value);
    }
    scenario_.log.inputs.push_back({words[1], "", support::native_fields(), lateness});
    scenario_.log.lines.emplace_back();
  }

  static std::string member(const std::string& key, const std::string& value) {
    return value.empty() || value == "-" ? "" : "," + quoted(key) + ":" + quoted(value);
  }

  static std::string array(const std::string& items) {
    std::string out;
    for (const std::string& item : items == "-" ? Words{} : split(items, ',')) out += (out.empty() ? "" : ",") + quoted(item);
    return "[" + out + "]";
  }

  void read_event(const Words& words, const std::string& line) {
    if (words.size() < 3) return fail("an event needs a time and a kind");
    if (scenario_.log.inputs.empty()) read_partition({"partition", "log"});
    const std::int64_t ts = base_ms + duration(words[1]).ms;
    const std::string& kind = words[2];
    std::string json =
        "{\"type\":" + quoted(kind == "list" || kind == "row" ? "impression" : kind) + ",\"ts\":" + std::to_string(ts);
    if (kind == "raw") {
      json = line.substr(line.find('{'));
    } else if (kind == "list" || kind == "row") {
      json += impression(words) + "}";
    } else if (kind == "tick") {
      json += "}";  // of a type nobody configured: ignored, but time moves on
    } else {
      json += feedback(words) + "}";
    }
    scenario_.log.lines.back().push_back({ts, json});
  }

  // repeat 64 1s at 0s list L{n} u{n} a
  void read_repeated(const Words& words, const std::string& line) {
    if (words.size() < 6 || words[3] != "at") return fail("repeat COUNT STEP at TIME ...");
    const std::int64_t step = duration(words[2]).ms;
    const std::int64_t first = duration(words[4]).ms;
    for (std::int64_t n = 1; n <= integer(words[1]); ++n) {
      Words once(words.begin() + 3, words.end());
      once[1] = std::to_string(first + (n - 1) * step) + "ms";
      for (std::string& word : once) {
        for (std::size_t at = word.find("{n}"); at != std::string::npos; at = word.find("{n}"))
          word.replace(at, 3, std::to_string(n));
      }
      read_event(once, line);
    }
  }

  // at 0s list L1 u1 a,b,c variant=A    at 0s row L1 u1 2:b variant=A
  std::string impression(const Words& words) {
    if (words.size() < 6) {
      fail("an impression needs list id, user id and items");
      return "";
    }
    std::string json = member("list_id", words[3]) + member("user_id", words[4]);
    const std::size_t colon = words[5].find(':');
    if (words[2] == "list") {
      json += ",\"items\":" + array(words[5]);
    } else if (colon == std::string::npos) {
      fail("a row shows RANK:ITEM");
    } else {
      json += ",\"position\":" + words[5].substr(0, colon) + member("item_id", words[5].substr(colon + 1));
    }
    std::string segments;
    for (const auto& [key, value] : settings(words, 6))
      segments += (segments.empty() ? "" : ",") + quoted(key) + ":" + quoted(value);
    return json + (segments.empty() ? "" : ",\"segments\":{" + segments + "}");
  }

  // at 1s click u1 a list=L1 id=e1 value=3    at 1s click u1 a,b
  std::string feedback(const Words& words) {
    if (words.size() < 5) {
      fail("feedback needs user id and item");
      return "";
    }
    std::string json = member("user_id", words[3]);
    const bool is_basket = words[4].find(',') != std::string::npos;
    if (words[4] != "-") json += is_basket ? ",\"items\":" + array(words[4]) : member("item_id", words[4]);
    for (const auto& [key, value] : settings(words, 5)) {
      if (key == "list") {
        json += member("list_id", value);
      } else if (key == "id") {
        json += member("event_id", value);
      } else if (key == "value") {
        json += ",\"value\":" + value;
      } else {
        fail("no field '" + key + "'");
      }
    }
    return json;
  }

  void read_fates(const Words& words) {
    EventCounts& fates = scenario_.fates;
    std::map<std::string, std::uint64_t*> counts{{"invalid", &fates.invalid},
                                                 {"ignored", &fates.ignored},
                                                 {"future", &fates.future},
                                                 {"late", &fates.late},
                                                 {"duplicate", &fates.duplicates.front()}};
    std::set<std::string> reasons;
    for (std::size_t i = 0; i < duplicate_reason_count; ++i) {
      const std::string name(to_string(static_cast<DuplicateReason>(i)));
      reasons.insert(name);
      counts.emplace(name, &fates.duplicates[i]);
    }
    for (const auto& [key, value] : settings(words, 1)) {
      const auto found = counts.find(key);
      if (found == counts.end()) return fail("no fate '" + key + "'");
      scenario_.names_reasons = scenario_.names_reasons || reasons.contains(key);
      *found->second = static_cast<std::uint64_t>(integer(value));
    }
  }

  void read_outcomes(const Words& words) {
    FeedbackCounts& feedback = scenario_.outcomes.emplace();
    const std::map<std::string, std::uint64_t*> counts{{"credited", &feedback.credited},
                                                       {"repeated", &feedback.repeated},
                                                       {"organic", &feedback.organic},
                                                       {"not_in_list", &feedback.not_in_list},
                                                       {"unmatched", &feedback.unmatched},
                                                       {"returned_late", &feedback.returned_late},
                                                       {"without_value", &feedback.without_value}};
    for (const auto& [key, value] : settings(words, 1)) {
      const auto found = counts.find(key);
      if (found == counts.end()) return fail("no outcome '" + key + "'");
      *found->second = static_cast<std::uint64_t>(integer(value));
    }
  }

  // row final hour 0s {variant=A} lists=2 click=1/0 precision@1=0.5
  void read_row(const Words& words) {
    if (words.size() < 4) return fail("a row needs stage, window and start");
    ExpectedRow row{.line = line_,
                    .stage = words[1],
                    .window = words[2],
                    .start_ms = base_ms + duration(words[3]).ms,
                    .horizon = {},
                    .segment = "{}",
                    .values = {}};
    std::size_t at = 4;
    if (at < words.size() && words[at].front() == '{') row.segment = words[at++];
    row.values = settings(words, at);
    const auto horizon =
        std::find_if(row.values.begin(), row.values.end(), [](const auto& value) { return value.first == "h"; });
    if (horizon != row.values.end()) {
      row.horizon = duration(horizon->second);
      row.values.erase(horizon);
    }
    scenario_.rows.push_back(std::move(row));
  }

  void finish() {
    EvaluatorSpec& spec = scenario_.spec;
    if (spec.join.actions.empty()) {
      spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}},
                           {.name = "purchase", .gain = 3, .after = {}, .horizon = {}}};
    }
    if (spec.windows.empty()) spec.windows.push_back({.name = "hour", .size = {3'600'000}, .slide = {3'600'000}});
    if (spec.metrics.requests.empty()) spec.metrics.requests.push_back({"precision", {}, {}});
    if (scenario_.log.inputs.empty()) fail("no event");
    for (std::size_t p = 0; p < scenario_.log.inputs.size(); ++p) {
      for (const support::LogLine& line : scenario_.log.lines[p]) scenario_.log.inputs[p].bytes += line.text + "\n";
    }
  }

  Scenario scenario_;
  std::string error_;
  std::size_t line_ = 0;
  Duration lateness_{60'000};
};

}  // namespace

std::pair<Scenario, std::string> parse_scenario(std::string_view text) {
  return Reader().read(text);
}

}  // namespace recmeter::scenario
