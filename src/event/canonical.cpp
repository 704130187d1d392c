#include "recmeter/event/canonical.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {
namespace {

template <class Number>
void append_number(std::string& out, Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::isnan(number)) {  // of a rank without an item
      out += "null";
      return;
    }
  }
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  out.append(text.data(), written.ptr);
}

// What JSON wants escaped, in the short form where it has one, else as \u00xx; every other byte as it is.
void append_string(std::string& out, std::string_view text) {
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
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20) {
          out += "\\u00";
          out += hex[byte >> 4U];
          out += hex[byte & 15U];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

// One object, member by member; absent and empty ones are left out.
class ObjectText {
 public:
  void member(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    begin_member(key);
    append_string(out_, text);
  }
  template <class Number>
  void number_member(std::string_view key, Number number) {
    begin_member(key);
    append_number(out_, number);
  }
  void numbers_member(std::string_view key, std::span<const double> numbers) {
    if (numbers.empty()) return;
    begin_member(key);
    char before = '[';
    for (const double number : numbers) {
      out_ += before;
      append_number(out_, number);
      before = ',';
    }
    out_ += ']';
  }
  void items_member(const EventBatch& batch, const Event& event) {
    if (event.item_count == 0) return;
    begin_member("items");
    for (std::size_t i = 0; i < event.item_count; ++i) {
      out_ += i == 0 ? '[' : ',';
      append_text_or_null(batch.item(event, i));
    }
    out_ += ']';
  }
  void teams_member(const EventBatch& batch, const Event& event) {
    if (!event.has_teams) return;
    begin_member("teams");
    for (std::size_t i = 0; i < event.item_count; ++i) {
      out_ += i == 0 ? '[' : ',';
      append_text_or_null(batch.team(event, i));
    }
    out_ += ']';
  }
  void segments_member(const EventBatch& batch, const Event& event) {
    if (event.segment_count == 0) return;
    begin_member("segments");
    for (std::size_t i = 0; i < event.segment_count; ++i) {
      out_ += i == 0 ? '{' : ',';
      append_string(out_, batch.segment_key(event, i));
      out_ += ':';
      append_string(out_, batch.segment_value(event, i));
    }
    out_ += '}';
  }
  [[nodiscard]] std::string finish() {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void append_text_or_null(std::string_view text) { text.empty() ? void(out_ += "null") : append_string(out_, text); }
  void begin_member(std::string_view key) {
    out_ += out_.empty() ? '{' : ',';
    append_string(out_, key);
    out_ += ':';
  }

  std::string out_;
};

void write_list(ObjectText& out, const EventBatch& batch, const Event& event) {
  out.member("type", "impression");
  out.number_member("ts", event.ts.ms);
  out.member("list_id", batch.list_id(event));
  out.member("user_id", batch.user_id(event));
  if (event.kind == EventKind::row) {
    out.member("item_id", batch.item(event, 0));
    out.number_member("position", event.position);
    if (event.has_scores) out.number_member("score", batch.scores(event).front());
    if (event.has_propensities) out.number_member("propensity", batch.propensities(event).front());
    if (event.has_teams) out.member("team", batch.team(event, 0));
  } else {
    out.items_member(batch, event);
    out.numbers_member("scores", batch.scores(event));
    out.numbers_member("propensities", batch.propensities(event));
    out.teams_member(batch, event);
  }
  if (event.has_latency) out.number_member("latency_ms", batch.latency(event));
  out.segments_member(batch, event);
}

// Its recommender stands by its index: candidates of different ones do not meet.
void write_candidate(ObjectText& out, const EventBatch& batch, const Event& event) {
  out.member("type", "candidate");
  out.number_member("recommender", std::uint32_t{event.candidate});
  out.number_member("ts", event.ts.ms);
  out.member("list_id", batch.list_id(event));
  out.member("user_id", batch.user_id(event));
  out.items_member(batch, event);
  out.numbers_member("scores", batch.scores(event));
  out.segments_member(batch, event);
}

void write_policy(ObjectText& out, const EventBatch& batch, const Event& event) {
  out.member("type", "policy");
  out.number_member("recommender", std::uint32_t{event.candidate});
  out.number_member("ts", event.ts.ms);
  out.member("list_id", batch.list_id(event));
  out.member("user_id", batch.user_id(event));
  const EventBatch::Policy policy = batch.policy(event);
  out.numbers_member("propensities", policy.propensities);
  out.numbers_member("predicted", policy.predicted);
  out.numbers_member("expected", policy.expected);
}

}  // namespace

std::string canonical_bytes(const EventBatch& batch, const Event& event, std::span<const std::string> actions) {
  RECMETER_CHECK(event.outcome == Outcome::event, "only an event has a canonical form");
  ObjectText out;
  if (event.kind == EventKind::candidate || event.kind == EventKind::policy) {
    event.kind == EventKind::candidate ? write_candidate(out, batch, event) : write_policy(out, batch, event);
    return out.finish();
  }
  if (event.kind != EventKind::feedback) {
    write_list(out, batch, event);
    return out.finish();
  }
  RECMETER_CHECK(event.action < actions.size(), "a feedback's action is a configured one");
  out.member("type", actions[event.action]);
  out.number_member("ts", event.ts.ms);
  out.member("user_id", batch.user_id(event));
  out.member("item_id", batch.item(event, 0));
  out.member("list_id", batch.list_id(event));
  if (event.has_value) out.number_member("value", batch.value(event));
  out.member("event_id", batch.event_id(event));
  return out.finish();
}

}  // namespace recmeter
