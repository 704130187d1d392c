#include "support/batch_event.h"

#include <array>
#include <charconv>
#include <string_view>

namespace recmeter::support {
namespace {

void append_name(std::string& out, std::string_view name) {
  out += out.empty() ? '{' : ',';
  append_quoted(out, name);
  out += ':';
}

void append_string_field(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  append_name(out, name);
  append_quoted(out, value);
}

void append_number_field(std::string& out, std::string_view name, double value) {
  append_name(out, name);
  append_shortest(out, value);
}

void append_number_list(std::string& out, std::string_view name, std::span<const double> values) {
  if (values.empty()) return;
  append_name(out, name);
  char separator = '[';
  for (const double value : values) {
    out += separator;
    append_shortest(out, value);
    separator = ',';
  }
  out += ']';
}

void append_teams(std::string& out, const std::vector<std::string>& teams) {
  if (teams.empty()) return;
  append_name(out, "teams");
  char separator = '[';
  for (const std::string& team : teams) {
    out += separator;
    team.empty() ? void(out += "null") : append_quoted(out, team);
    separator = ',';
  }
  out += ']';
}

void append_impression(std::string& out, const BatchEvent& event) {
  append_string_field(out, "list_id", event.list_id);
  append_string_field(out, "user_id", event.user_id);
  if (event.kind == BatchEvent::Kind::row) {
    append_string_field(out, "item_id", event.items.front());
    append_name(out, "position");
    out += std::to_string(event.position);
    if (!event.scores.empty()) append_number_field(out, "score", event.scores.front());
    if (!event.propensities.empty()) append_number_field(out, "propensity", event.propensities.front());
    if (!event.teams.empty()) append_string_field(out, "team", event.teams.front());
  } else {
    if (!event.items.empty()) {
      append_name(out, "items");
      char separator = '[';
      for (const std::string& item : event.items) {
        out += separator;
        append_quoted(out, item);
        separator = ',';
      }
      out += ']';
    }
    append_number_list(out, "scores", event.scores);
    append_number_list(out, "propensities", event.propensities);
    append_teams(out, event.teams);
  }
  if (event.latency) append_number_field(out, "latency_ms", *event.latency);
  if (event.segments.empty()) return;
  append_name(out, "segments");
  char separator = '{';
  for (const auto& [key, value] : event.segments) {
    out += separator;
    append_quoted(out, key);
    out += ':';
    append_quoted(out, value);
    separator = ',';
  }
  out += '}';
}

void append_feedback(std::string& out, const BatchEvent& event) {
  append_string_field(out, "user_id", event.user_id);
  append_string_field(out, "item_id", event.items.front());
  append_string_field(out, "list_id", event.list_id);
  if (event.value) append_number_field(out, "value", *event.value);
  append_string_field(out, "event_id", event.event_id);
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += hex[static_cast<unsigned char>(c) >> 4];
          out += hex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_shortest(std::string& out, double number) {
  // [S2.28]: the exponent is written as std::to_chars does.
  std::array<char, 32> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

std::string_view type_of(const BatchEvent& event, std::span<const Action> actions) {
  switch (event.kind) {
    case BatchEvent::Kind::feedback: return actions[event.action].name;
    case BatchEvent::Kind::candidate: return "candidate";
    case BatchEvent::Kind::policy: return "policy";
    default: return "impression";
  }
}

std::string canonical_text(const BatchEvent& event, std::span<const Action> actions) {
  std::string out;
  const bool feedback = event.kind == BatchEvent::Kind::feedback;
  append_string_field(out, "type", type_of(event, actions));
  if (is_of_lane(event)) append_number_field(out, "recommender", static_cast<double>(event.recommender));
  append_name(out, "ts");
  out += std::to_string(event.ts);
  if (feedback) {
    append_feedback(out, event);
  } else {
    append_impression(out, event);
  }
  append_number_list(out, "predicted", event.predicted);
  append_number_list(out, "expected", event.expected);
  out += '}';
  return out;
}

std::string owner_of(const BatchEvent& event, const JoinKey& key) {
  if (key.by == JoinKey::By::list || key.not_users.contains(event.user_id)) return "";
  return event.user_id;
}

bool EventOrder::operator()(const BatchEvent& a, const BatchEvent& b) const {
  if (a.ts != b.ts) return a.ts < b.ts;
  const int bytes = canonical_text(a, actions_).compare(canonical_text(b, actions_));
  if (bytes != 0) return bytes < 0;
  if (a.partition != b.partition) return a.partition < b.partition;
  return a.place < b.place;
}

}  // namespace recmeter::support
