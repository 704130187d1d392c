#include "support/record_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace recmeter::support {
namespace {

std::string number_text(double number) {
  std::string out;
  append_shortest(out, number);
  return out;
}

template <class T, class Write>
std::string array_text(const std::vector<T>& values, Write write) {
  std::string out = "[";
  for (const T& value : values) out += (out.size() > 1 ? "," : "") + write(value);
  return out + "]";
}

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

// Of a day in November 2023, where the random logs play: day 1 is 19662 days after the epoch.
std::string november_time(std::int64_t ts) {
  const std::int64_t ms = ts % 1000, second = ts / 1000 % 60, minute = ts / 60000 % 60, hour = ts / 3600000 % 24;
  const std::int64_t day = ts / 86400000 - 19662 + 1;
  std::string out =
      "2023-11-" + two_digits(day) + "T" + two_digits(hour) + ":" + two_digits(minute) + ":" + two_digits(second);
  if (ms == 0) return out;
  const std::string digits = std::to_string(1000 + ms).substr(1);
  return out + "." + digits;
}

}  // namespace

void JsonDraft::set(const std::vector<std::string>& path, std::string text) {
  JsonDraft* at = this;
  for (const std::string& key : path) {
    const auto found = std::find_if(at->members.begin(), at->members.end(), [&](const auto& m) { return m.key == key; });
    at = found == at->members.end() ? &at->members.emplace_back(JsonDraftMember{key, {}}).value : &found->value;
  }
  at->raw = std::move(text);
}

void JsonDraft::erase(const std::vector<std::string>& path) {
  JsonDraft* at = this;
  for (std::size_t depth = 0; depth + 1 < path.size(); ++depth) {
    for (auto& [key, member] : at->members) {
      if (key == path[depth]) {
        at = &member;
        break;
      }
    }
  }
  std::erase_if(at->members, [&](const auto& member) { return member.key == path.back(); });
}

void JsonDraft::repeat(const std::vector<std::string>& path) {
  for (const auto& member : members) {
    if (member.key != path.front()) continue;
    const auto copy = member;
    members.push_back(copy);
    return;
  }
}

std::string JsonDraft::text() const {
  if (!raw.empty()) return raw;
  std::string out = "{";
  for (const auto& [key, member] : members) {
    if (out.size() > 1) out += ',';
    append_quoted(out, key);
    out += ':' + member.text();
  }
  return out + "}";
}

std::string RecordWriter::quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\' || (byte < 0x80 && dice_.percent(5))) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(byte));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string RecordWriter::id_text(const std::string& id) {
  const bool digits = id.find_first_not_of("0123456789") == std::string::npos && (id.size() == 1 || id.front() != '0');
  if (!digits || dice_.percent(50)) return quoted(id);
  return id == "0" && dice_.percent(50) ? "-0" : id;
}

std::string RecordWriter::type_word(const std::string& type) {
  for (const auto& [word, ours] : fields_.types) {
    if (ours == type && dice_.percent(80)) return word;
  }
  return type;
}

std::string RecordWriter::time_text(std::int64_t ts) {
  switch (fields_.time.unit) {
    case TimeUnit::seconds: return std::to_string(ts / 1000);
    case TimeUnit::milliseconds: return std::to_string(ts);
    case TimeUnit::microseconds: return std::to_string(ts * 1000 + dice_.between(0, 999));
    case TimeUnit::nanoseconds: return std::to_string(ts * 1000000 + dice_.between(0, 999999));
    default: break;
  }
  if (ts / 86400000 >= 19662 + 30) return "\"2199-01-01T00:00:00Z\"";
  if (dice_.percent(60)) return "\"" + november_time(ts) + "Z\"";
  if (dice_.percent(50)) return "\"" + november_time(ts + 5400000) + "+01:30\"";
  return "\"" + november_time(ts - 3600000) + "-01:00\"";
}

void RecordWriter::write_impression(JsonDraft& out, const BatchEvent& event) {
  if (event.kind == BatchEvent::Kind::row) {
    out.set(path(Field::item_id), id_text(event.items.front()));
    out.set(path(Field::position), std::to_string(event.position + fields_.position_base - 1));
    if (!event.scores.empty()) out.set(path(Field::score), number_text(event.scores.front()));
    if (!event.propensities.empty()) out.set(path(Field::propensity), number_text(event.propensities.front()));
    if (!event.teams.empty()) out.set(path(Field::team), quoted(event.teams.front()));
  } else {
    out.set(path(Field::items), array_text(event.items, [this](const std::string& item) { return id_text(item); }));
    if (!event.scores.empty()) out.set(path(Field::scores), array_text(event.scores, number_text));
    if (!event.propensities.empty()) out.set(path(Field::propensities), array_text(event.propensities, number_text));
    const auto team_text = [this](const std::string& team) { return team.empty() ? "null" : quoted(team); };
    if (!event.teams.empty()) out.set(path(Field::teams), array_text(event.teams, team_text));
  }
  if (event.latency) out.set(path(Field::latency_ms), number_text(*event.latency));
  if (event.segments.empty()) return;
  std::string segments = "{";
  for (const auto& [key, value] : event.segments) {
    segments += (segments.size() > 1 ? "," : "") + quoted(key) + ":";
    const bool bare = value == "7" || value == "true" || value == "1.50e1";
    segments += value == "null" ? "null" : bare && dice_.percent(50) ? value : quoted(value);
  }
  out.set(path(Field::segments), segments + "}");
}

void RecordWriter::write_policy(JsonDraft& out, const BatchEvent& event) {
  out.set(path(Field::propensities), array_text(event.propensities, number_text));
  if (event.predicted.empty()) return;
  out.set(path(Field::predicted), array_text(event.predicted, number_text));
  out.set(path(Field::expected), array_text(event.expected, number_text));
}

void RecordWriter::write_basket(JsonDraft& out, const Draft& draft) {
  std::string entries = "[";
  for (std::size_t i = 0; i < draft.event.items.size(); ++i) {
    if (i > 0) entries += ',';
    const std::string id = id_text(draft.event.items[i]);
    if (!draft.entry_values[i] && dice_.percent(60)) {
      entries += id;
      continue;
    }
    JsonDraft entry;
    entry.set(fields_.entry_item_id, id);
    if (draft.entry_values[i]) entry.set(fields_.entry_value, number_text(*draft.entry_values[i]));
    entries += entry.text();
  }
  out.set(path(Field::items), entries + "]");
}

JsonDraft RecordWriter::record(const Draft& draft) {
  const BatchEvent& event = draft.event;
  const bool feedback = event.kind == BatchEvent::Kind::feedback;
  JsonDraft out;
  out.set(path(Field::type), quoted(type_word(std::string(type_of(event, spec_.join.actions)))));
  if (is_of_lane(event)) out.set(path(Field::recommender), quoted(spec_.lanes.names[event.recommender]));
  out.set(path(Field::ts), time_text(event.ts));
  if (!event.user_id.empty()) out.set(path(Field::user_id), id_text(event.user_id));
  if (!event.list_id.empty()) out.set(path(Field::list_id), id_text(event.list_id));
  if (event.kind == BatchEvent::Kind::policy) {
    write_policy(out, event);
  } else if (!feedback) {
    write_impression(out, event);
  } else {
    if (draft.basket) {
      write_basket(out, draft);
    } else if (!event.items.front().empty()) {
      out.set(path(Field::item_id), id_text(event.items.front()));
    }
    if (event.value) out.set(path(Field::value), number_text(*event.value));
    if (!event.event_id.empty()) out.set(path(Field::event_id), id_text(event.event_id));
  }
  if (dice_.percent(5)) out.set({"unknown"}, "{\"deep\":[1e999,null,{}]}");
  if (dice_.percent(3)) out.members.push_back({"unknown", JsonDraft{"1", {}}});
  if (dice_.percent(5)) dice_.shuffle(out.members);
  return out;
}

std::string RecordWriter::ignored_line(std::int64_t ts) {
  JsonDraft out;
  out.set(path(Field::type), quoted(dice_.percent(50) ? "page_view" : "tick"));
  if (dice_.percent(80)) {
    out.set(path(Field::ts), time_text(ts));
  } else if (dice_.percent(50)) {
    out.set(path(Field::ts), dice_.percent(50) ? "1" : "[]");
  }
  if (dice_.percent(50)) out.set(path(Field::user_id), "[null]");
  return out.text();
}

std::string RecordWriter::damaged_text(std::string text) {
  switch (dice_.below(5)) {
    case 0: text.resize(text.size() - 1 - dice_.below(text.size() - 1)); break;
    case 1: text += "}"; break;
    case 2: text.insert(1, "\"x\":\"\\ud800\","); break;
    case 3: text.insert(1, "\"x\":\"\xC3\","); break;
    default: text.insert(1, "\"x\":[01],");
  }
  return text;
}

// Of a policy, what it alone has; the rest is as of other records.
bool RecordWriter::damage_policy(JsonDraft& out, InvalidReason reason) {
  const std::vector<std::string>& prediction = path(dice_.percent(50) ? Field::predicted : Field::expected);
  switch (reason) {
    case InvalidReason::missing_field:
      if (dice_.percent(50)) return false;
      out.set(dice_.percent(50) ? prediction : path(Field::propensities), "null");
      return true;
    case InvalidReason::wrong_type: out.set(path(Field::propensities), dice_.percent(50) ? "[null]" : "0.5"); return true;
    case InvalidReason::too_many_items:
      out.set(path(Field::propensities), array_text(std::vector<double>(spec_.limits.list_items + 1, 0.5), number_text));
      return true;
    case InvalidReason::length_mismatch: out.set(prediction, "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"); return true;
    case InvalidReason::number_out_of_range: out.set(prediction, dice_.percent(50) ? "[1e999]" : "[-1.1e8]"); return true;
    case InvalidReason::bad_propensity:
      out.set(path(Field::propensities), dice_.percent(50) ? "[-0.1]" : "[1.5]");
      return true;
    default: return false;
  }
}

void RecordWriter::damage(JsonDraft& out, const Draft& draft, InvalidReason reason) {
  const bool feedback = draft.event.kind == BatchEvent::Kind::feedback;
  if (draft.event.kind == BatchEvent::Kind::policy && damage_policy(out, reason)) return;
  const std::vector<Field> required{Field::ts, feedback ? Field::item_id : Field::list_id};
  const std::vector<std::string>& id = path(dice_.percent(50) ? Field::user_id : Field::list_id);
  switch (reason) {
    case InvalidReason::no_type:
      if (dice_.percent(50)) return out.repeat(path(Field::type));
      return out.set(path(Field::type), dice_.percent(50) ? "\"\"" : "7");
    case InvalidReason::missing_field: return out.set(path(dice_.pick(required)), "null");
    case InvalidReason::wrong_type: return out.set(id, dice_.percent(50) ? "true" : "1.5");
    case InvalidReason::empty_id: return out.set(id, "\"\"");
    case InvalidReason::id_too_long: return out.set(id, "\"" + std::string(spec_.limits.id_bytes + 1, 'x') + "\"");
    case InvalidReason::duplicate_key: return out.repeat(path(Field::ts));
    case InvalidReason::time_out_of_range:
      return out.set(path(Field::ts), fields_.time.unit == TimeUnit::rfc3339 ? "\"1979-12-31T23:59:59Z\"" : "17");
    case InvalidReason::too_many_items:
      return out.set(path(Field::items), array_text(std::vector<int>(spec_.limits.list_items + 1, 1),
                                                    [](int item) { return std::to_string(item); }));
    case InvalidReason::bad_position: return out.set(path(Field::position), dice_.percent(50) ? "-1" : "999");
    case InvalidReason::items_and_item_id:
      out.set(path(Field::items), "[\"a\"]");
      return out.set(path(Field::item_id), "\"a\"");
    case InvalidReason::empty_basket: return out.set(path(Field::items), "[]");
    case InvalidReason::length_mismatch: return out.set(path(Field::scores), "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]");
    case InvalidReason::number_out_of_range:
      if (!feedback && dice_.percent(30)) return out.set(path(Field::latency_ms), dice_.percent(50) ? "1.1e8" : "-1");
      return out.set(path(feedback ? Field::value : Field::score), dice_.percent(50) ? "1e999" : "-1e9");
    case InvalidReason::bad_propensity: return out.set(path(Field::propensity), dice_.percent(50) ? "0" : "1.5");
    case InvalidReason::segment_too_long: {
      const std::string longer = "\"" + std::string(spec_.limits.segment_bytes + 1, 'x') + "\"";
      return out.set(path(Field::segments), dice_.percent(50) ? "{" + longer + ":null}" : "{\"x\":" + longer + "}");
    }
    default: return;
  }
}

std::string RecordWriter::invalid_line(const Draft& draft, InvalidReason reason) {
  if (reason == InvalidReason::not_an_object) return dice_.percent(50) ? "[{}]" : "3";
  JsonDraft out = record(draft);
  damage(out, draft, reason);
  std::string text = out.text();
  if (reason == InvalidReason::not_json) return damaged_text(std::move(text));
  if (reason == InvalidReason::too_long) text.append(spec_.limits.message_bytes, ' ');
  return text;
}

}  // namespace recmeter::support
