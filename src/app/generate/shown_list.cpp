#include "app/generate/shown_list.h"

#include "app/generate/click_model.h"
#include "recmeter/base/check.h"

namespace recmeter::generate {

namespace {

void put_user(JsonLine& line, std::uint64_t user, std::string_view placeholder) {
  line.put("\"user_id\":\"");
  if (placeholder.empty()) {
    line.put('u').number(user);
  } else {
    line.put(placeholder);
  }
  line.put('"');
}

void put_head(JsonLine& line, std::string_view type, EventTime ts) {
  line.put("{\"type\":\"").put(type).put("\",\"ts\":").number(static_cast<std::uint64_t>(ts.ms)).put(',');
}

void put_list_head(JsonLine& line, const ShownList& list, EventTime ts) {
  put_head(line, "impression", ts);
  line.put("\"list_id\":\"l").number(list.number).put("\",");
  put_user(line, list.user, list.placeholder);
}

void put_segments(JsonLine& line, const ShownList& list, const LineForm& form) {
  line.put(",\"segments\":{\"variant\":\"");
  if (form.named_variants) {
    line.put(list.variant == 0 ? 'A' : 'B');
  } else {
    line.put('v').number(list.variant);
  }
  line.put('"');
  if (form.surfaces) line.put(list.search ? ",\"surface\":\"search\"" : ",\"surface\":\"home\"");
  line.put("}}");
}

}  // namespace

std::string_view to_string(ActionKind kind) noexcept {
  switch (kind) {
    case ActionKind::click: return "click";
    case ActionKind::purchase: return "purchase";
    case ActionKind::rating: return "rating";
  }
  RECMETER_CHECK(false, "an action without a name");
}

LineForm line_form(const TrafficSpec& spec) noexcept {
  std::size_t digits = 1;
  for (std::uint64_t largest = spec.items + spec.items / 10; largest >= 10; largest /= 10) ++digits;
  return {spec.segment_values <= 2, spec.surfaces, spec.ratings > 0, digits};
}

std::uint32_t predicted_tenths(const ShownList& list, std::size_t rank) noexcept {
  const std::uint64_t group = list.items[rank - 1] % item_groups;
  const double affinity = affinities[(group + item_groups - list.favourite_group) % item_groups];
  return 10 + static_cast<std::uint32_t>(affinity * 35) + static_cast<std::uint32_t>(list.items[rank - 1] / item_groups % 6);
}

void put_whole_list(JsonLine& line, const ShownList& list, EventTime ts, const LineForm& form) {
  put_list_head(line, list, ts);
  line.put(",\"items\":[");
  for (std::size_t i = 0; i < list.length; ++i) {
    line.put(i == 0 ? "\"i" : ",\"i").padded(list.items[i], form.item_digits).put('"');
  }
  line.put(']');
  if (form.scores && list.length > 0) {
    line.put(",\"scores\":[");
    for (std::size_t rank = 1; rank <= list.length; ++rank) {
      if (rank > 1) line.put(',');
      line.tenths(predicted_tenths(list, rank));
    }
    line.put(']');
  }
  put_segments(line, list, form);
}

void put_row(JsonLine& line, const ShownList& list, std::size_t rank, EventTime ts, const LineForm& form) {
  put_list_head(line, list, ts);
  line.put(",\"item_id\":\"i").padded(list.items[rank - 1], form.item_digits).put("\",\"position\":").number(rank);
  if (form.scores) line.put(",\"score\":").tenths(predicted_tenths(list, rank));
  put_segments(line, list, form);
}

void put_action(JsonLine& line, const UserAction& action, EventTime ts, const LineForm& form) {
  put_head(line, to_string(action.kind), ts);
  put_user(line, action.user, action.placeholder);
  line.put(",\"item_id\":\"i").padded(action.item, form.item_digits).put('"');
  if (action.names_list) line.put(",\"list_id\":\"l").number(action.list).put('"');
  if (action.kind == ActionKind::rating) line.put(",\"value\":").number(action.value);
  line.put('}');
}

}  // namespace recmeter::generate
