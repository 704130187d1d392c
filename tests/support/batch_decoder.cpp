#include "support/batch_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "support/batch_lists.h"
#include "support/event_clock.h"
#include "support/json_tree.h"

namespace recmeter::support {
namespace {

using Kind = JsonValue::Kind;

// What stands where a field is looked for. A field there twice has several values; every one of them is checked.
struct Found {
  std::vector<const JsonValue*> values;  // null counts as absent
  bool twice = false;                    // its key, or one on the way to it
  [[nodiscard]] bool there() const { return !values.empty(); }
};

// [S2.9]: a path through something that is no object finds nothing.
void find(const JsonValue& from, const std::vector<std::string>& path, std::size_t depth, Found& found) {
  if (depth == path.size()) {
    if (from.kind != Kind::null) found.values.push_back(&from);
    return;
  }
  std::size_t times = 0;
  for (const auto& [key, value] : from.members) {
    if (key != path[depth]) continue;
    ++times;
    find(value, path, depth + 1, found);
  }
  found.twice |= times > 1;
}

Found find(const JsonValue& from, const std::vector<std::string>& path) {
  Found found;
  find(from, path, 0, found);
  return found;
}

class RecordReader {
 public:
  RecordReader(const EvaluatorSpec& spec, const FieldTable& table, const JsonValue& root)
      : spec_(spec), table_(table), root_(root) {}

  DecodedRecord impression() {
    check_known_keys();
    BatchEvent event;
    const bool whole = field(Field::items).there();
    const bool row = field(Field::item_id).there();
    event.kind = whole ? BatchEvent::Kind::list : BatchEvent::Kind::row;
    read_ids(event, true);
    event.ts = time();
    // [S2]: "a row: an impression with item_id, position ... instead of items": position is required only there.
    if (!whole && !row) note(InvalidReason::missing_field);
    if (whole && row) note(InvalidReason::items_and_item_id);
    if (!whole && row && !field(Field::position).there()) note(InvalidReason::missing_field);
    const std::string item = id(Field::item_id);
    std::vector<std::string> items = item_list();
    const std::uint32_t position = read_position();
    const std::vector<double> scores = number_list(Field::scores, &RecordReader::magnitude, items.size(), whole);
    const std::vector<double> propensities = number_list(Field::propensities, &RecordReader::share, items.size(), whole);
    const auto score = number(Field::score, &RecordReader::magnitude);
    const auto propensity = number(Field::propensity, &RecordReader::share);
    const std::vector<std::string> teams =
        is_known(Field::teams) ? team_list(items.size(), whole) : std::vector<std::string>();
    const std::string team = is_known(Field::team) ? team_text(field(Field::team)) : "";
    if (is_known(Field::latency_ms)) event.latency = number(Field::latency_ms, &RecordReader::duration);
    event.segments = segments();
    if (whole) {
      event.items = std::move(items);
      event.scores = scores;
      event.propensities = propensities;
      event.teams = teams;
    } else {
      event.items = {item};
      event.position = position;
      if (score) event.scores = {*score};
      if (propensity) event.propensities = {*propensity};
      if (!team.empty()) event.teams = {team};
    }
    return finish({std::move(event)});
  }

  DecodedRecord feedback(std::size_t action) {
    check_known_keys();
    BatchEvent event;
    event.kind = BatchEvent::Kind::feedback;
    event.action = action;
    const bool is_on_list = spec_.join.actions[action].on_list;
    read_ids(event, is_on_list);
    event.ts = time();
    event.event_id = id(Field::event_id);
    event.value = number(Field::value, &RecordReader::magnitude);
    if (is_on_list) {
      event.items = {""};
      return finish({event});
    }
    const bool basket = field(Field::items).there();
    const bool single = field(Field::item_id).there();
    if (basket && single) note(InvalidReason::items_and_item_id);
    if (!basket && !single) note(InvalidReason::missing_field);
    const std::string item = id(Field::item_id);
    std::vector<BatchEvent> events = entries(event);
    if (!basket) {
      event.items = {item};
      events = {std::move(event)};
    }
    return finish(std::move(events));
  }

  DecodedRecord candidate() {
    BatchEvent event;
    event.kind = BatchEvent::Kind::candidate;
    if (!read_recommender(event)) return ignored();
    check_known_keys();
    read_ids(event, false);
    event.ts = time();
    if (owner_of(event, spec_.join.key).empty() && !field(Field::list_id).there()) note(InvalidReason::missing_field);
    if (!field(Field::items).there()) note(InvalidReason::missing_field);
    if (field(Field::item_id).there()) note(InvalidReason::items_and_item_id);
    event.items = item_list();
    event.scores = number_list(Field::scores, &RecordReader::magnitude, event.items.size(), true);
    event.segments = segments();
    return finish({std::move(event)});
  }

  DecodedRecord policy() {
    BatchEvent event;
    event.kind = BatchEvent::Kind::policy;
    if (!read_recommender(event)) return ignored();
    check_known_keys();
    read_ids(event, true);
    event.ts = time();
    if (!field(Field::propensities).there()) note(InvalidReason::missing_field);
    event.propensities = number_list(Field::propensities, &RecordReader::probability, 0, false);
    const std::size_t ranks = event.propensities.size();
    if (ranks > spec_.limits.list_items) note(InvalidReason::too_many_items);
    if (field(Field::predicted).there() != field(Field::expected).there()) note(InvalidReason::missing_field);
    event.predicted = number_list(Field::predicted, &RecordReader::magnitude, ranks, true);
    event.expected = number_list(Field::expected, &RecordReader::magnitude, ranks, true);
    return finish({std::move(event)});
  }

  // [S2.21]. A time that is there twice cannot be read.
  DecodedRecord ignored() {
    DecodedRecord record;
    record.outcome = DecodedRecord::Outcome::ignored;
    const Found found = field(Field::ts);
    const std::int64_t ts = time();
    if (reasons_.empty() && found.there() && !found.twice) record.ts = ts;
    return record;
  }

  [[nodiscard]] Found field(Field which) const { return find(root_, table_.paths[static_cast<std::size_t>(which)]); }

 private:
  using NumberCheck = void (RecordReader::*)(double);

  void note(InvalidReason reason) { reasons_.insert(reason); }

  // False: one that is not configured, and its record is ignored, whatever else it says.
  bool read_recommender(BatchEvent& event) {
    const Found recommender = field(Field::recommender);
    if (!recommender.there()) note(InvalidReason::missing_field);
    for (const JsonValue* value : recommender.values) {
      const auto& names = spec_.lanes.names;
      const auto at = std::ranges::find(names, value->text);
      if (value->kind != Kind::string) {
        note(InvalidReason::wrong_type);
      } else if (at == names.end()) {
        return false;
      } else {
        event.recommender = static_cast<std::size_t>(at - names.begin());
      }
    }
    return true;
  }

  DecodedRecord finish(std::vector<BatchEvent> events) {
    DecodedRecord record;
    if (!reasons_.empty()) {
      record.reason = *reasons_.begin();
      return record;
    }
    record.outcome = DecodedRecord::Outcome::events;
    record.ts = events.front().ts;
    record.events = std::move(events);
    return record;
  }

  // "both fields are unknown keys where nothing configured uses them"
  [[nodiscard]] bool is_known(Field which) const {
    if (which == Field::teams || which == Field::team) {
      return std::ranges::any_of(spec_.experiments, [](const ExperimentSpec& one) { return one.draft.has_value(); });
    }
    if (which == Field::recommender) return spec_.lanes.is_wanted();
    if (which == Field::predicted || which == Field::expected) return spec_.lanes.is_wanted() && spec_.off_policy;
    if (which != Field::latency_ms) return true;
    const auto& requests = spec_.metrics.requests;
    return std::any_of(requests.begin(), requests.end(), [](const auto& request) { return request.name == "latency"; });
  }

  // [S2]: "any known key or a segment key twice", whatever the kind of the record.
  void check_known_keys() {
    for (std::size_t i = 0; i < field_count; ++i) {
      if (!is_known(static_cast<Field>(i))) continue;
      if (find(root_, table_.paths[i]).twice) note(InvalidReason::duplicate_key);
    }
  }

  void read_ids(BatchEvent& event, bool list_required) {
    event.list_id = id(Field::list_id);
    event.user_id = id(Field::user_id);
    if (list_required && !field(Field::list_id).there()) note(InvalidReason::missing_field);
    if (spec_.join.key.by == JoinKey::By::user && !field(Field::user_id).there()) note(InvalidReason::missing_field);
  }

  std::string id_text(const JsonValue& value) {
    if (value.kind != Kind::string && !value.is_integer()) {
      note(InvalidReason::wrong_type);
      return {};
    }
    const std::string text = value.kind == Kind::number && value.text == "-0" ? "0" : value.text;
    if (text.empty()) note(InvalidReason::empty_id);
    if (text.size() > spec_.limits.id_bytes) note(InvalidReason::id_too_long);
    return text;
  }

  std::string id(Field which) {
    std::string text;
    for (const JsonValue* value : field(which).values) text = id_text(*value);
    return text;
  }

  std::int64_t time() {
    const Found found = field(Field::ts);
    if (!found.there()) note(InvalidReason::missing_field);
    std::int64_t ts = 0;
    for (const JsonValue* value : found.values) {
      std::optional<std::int64_t> read;
      if (table_.time.unit == TimeUnit::rfc3339) {
        const Rfc3339Time time = value->kind == Kind::string ? rfc3339_time(value->text) : Rfc3339Time{};
        // [S2.14]: a string that is no RFC 3339 time is a field in another type.
        if (!time.well_formed) {
          note(InvalidReason::wrong_type);
          continue;
        }
        read = time.ms;
      } else {
        if (!value->is_integer()) {
          note(InvalidReason::wrong_type);
          continue;
        }
        read = integer_time(value->text, table_.time.unit);
      }
      if (!read) note(InvalidReason::time_out_of_range);
      ts = read.value_or(0);
    }
    return ts;
  }

  std::vector<std::string> item_list() {
    std::vector<std::string> items;
    for (const JsonValue* value : field(Field::items).values) {
      if (value->kind != Kind::array) {
        note(InvalidReason::wrong_type);
        continue;
      }
      if (value->entries.size() > spec_.limits.list_items) note(InvalidReason::too_many_items);
      items.clear();
      for (const JsonValue& entry : value->entries) items.push_back(id_text(entry));
    }
    return items;
  }

  // [S2.10]. One feedback per entry; the basket's own value is the default.
  std::vector<BatchEvent> entries(const BatchEvent& basket) {
    std::vector<BatchEvent> events;
    for (const JsonValue* value : field(Field::items).values) {
      if (value->kind != Kind::array) {
        note(InvalidReason::wrong_type);
        continue;
      }
      if (value->entries.empty()) note(InvalidReason::empty_basket);
      if (value->entries.size() > spec_.limits.list_items) note(InvalidReason::too_many_items);
      events.clear();
      for (const JsonValue& entry : value->entries) {
        BatchEvent& event = events.emplace_back(basket);
        event.items = {entry.kind == Kind::object ? entry_object(entry, event) : id_text(entry)};
      }
      for (const BatchEvent& event : events) {
        std::vector<const BatchEvent*> lines;
        for (const BatchEvent& other : events) {
          if (other.items == event.items) lines.push_back(&other);
        }
        if (std::abs(total(lines).value_or(0)) > 1e8) note(InvalidReason::number_out_of_range);
      }
    }
    return events;
  }

  std::string entry_object(const JsonValue& entry, BatchEvent& event) {
    const Found item = find(entry, table_.entry_item_id);
    const Found own_value = find(entry, table_.entry_value);
    if (item.twice || own_value.twice) note(InvalidReason::duplicate_key);
    if (!item.there()) note(InvalidReason::missing_field);
    for (const JsonValue* value : own_value.values) event.value = checked_number(*value, &RecordReader::magnitude);
    std::string text;
    for (const JsonValue* value : item.values) text = id_text(*value);
    return text;
  }

  std::uint32_t read_position() {
    std::uint32_t position = 0;
    for (const JsonValue* value : field(Field::position).values) {
      if (value->kind != Kind::number) {
        note(InvalidReason::wrong_type);
        continue;
      }
      // [S2]: "a position that is no integer in 1..list_items"; 1.0 is no integer in JSON syntax.
      const bool readable = value->is_integer() && value->text.size() <= 12;
      const std::int64_t rank = readable ? std::stoll(value->text) - table_.position_base + 1 : 0;
      if (rank < 1 || rank > static_cast<std::int64_t>(spec_.limits.list_items)) {
        note(InvalidReason::bad_position);
        continue;
      }
      position = static_cast<std::uint32_t>(rank);
    }
    return position;
  }

  void magnitude(double number) {
    if (!std::isfinite(number) || std::abs(number) > 1e8) note(InvalidReason::number_out_of_range);
  }

  void duration(double number) {
    magnitude(number);
    if (number < 0) note(InvalidReason::number_out_of_range);
  }

  void share(double number) {
    if (!(number > 0 && number <= 1)) note(InvalidReason::bad_propensity);
  }

  void probability(double number) {
    if (!(number >= 0 && number <= 1)) note(InvalidReason::bad_propensity);
  }

  std::optional<double> checked_number(const JsonValue& value, NumberCheck check) {
    if (value.kind != Kind::number) {
      note(InvalidReason::wrong_type);
      return std::nullopt;
    }
    const double number = std::strtod(value.text.c_str(), nullptr);
    (this->*check)(number);
    return number + 0.0;  // -0 is 0
  }

  std::optional<double> number(Field which, NumberCheck check) {
    std::optional<double> result;
    for (const JsonValue* value : field(which).values) {
      if (which == Field::score && is_no_score(*value)) continue;
      result = checked_number(*value, check);
    }
    return result;
  }

  // "array of strings or null, as long as items"
  std::vector<std::string> team_list(std::size_t length, bool whole) {
    std::vector<std::string> teams;
    for (const JsonValue* value : field(Field::teams).values) {
      if (value->kind != Kind::array) {
        note(InvalidReason::wrong_type);
        continue;
      }
      if (whole && value->entries.size() != length) note(InvalidReason::length_mismatch);
      teams.clear();
      for (const JsonValue& entry : value->entries) teams.push_back(entry.kind == Kind::null ? "" : entry.text);
    }
    return teams;
  }
  static std::string team_text(const Found& found) {
    return found.values.empty() || found.values.back()->kind == Kind::null ? "" : found.values.back()->text;
  }

  // [S2.11]
  static bool is_no_score(const JsonValue& value) {
    return value.kind == Kind::null || (value.kind == Kind::number && value.text == "NaN");
  }

  // [S2]: "scores or propensities of another length than items": a row has no items to compare with.
  std::vector<double> number_list(Field which, NumberCheck check, std::size_t length, bool whole) {
    std::vector<double> numbers;
    for (const JsonValue* value : field(which).values) {
      if (value->kind != Kind::array) {
        note(InvalidReason::wrong_type);
        continue;
      }
      if (whole && value->entries.size() != length) note(InvalidReason::length_mismatch);
      numbers.clear();
      for (const JsonValue& entry : value->entries) {
        const bool is_none = which == Field::scores && is_no_score(entry);
        numbers.push_back(is_none ? std::nan("") : checked_number(entry, check).value_or(0));
      }
    }
    return numbers;
  }

  std::vector<std::pair<std::string, std::string>> segments() {
    std::vector<std::pair<std::string, std::string>> result;
    for (const JsonValue* value : field(Field::segments).values) {
      if (value->kind != Kind::object) {
        note(InvalidReason::wrong_type);
        continue;
      }
      std::set<std::string> keys;
      for (const auto& [key, segment] : value->members) {
        if (!keys.insert(key).second) note(InvalidReason::duplicate_key);
        const bool is_special = segment.kind == Kind::number && !std::isfinite(std::strtod(segment.text.c_str(), nullptr));
        if (segment.kind == Kind::array || segment.kind == Kind::object || is_special) note(InvalidReason::wrong_type);
        if (key.size() > spec_.limits.segment_bytes || segment.text.size() > spec_.limits.segment_bytes) {
          note(InvalidReason::segment_too_long);
        }
        if (!segment.text.empty()) result.emplace_back(key, segment.text);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  const EvaluatorSpec& spec_;
  const FieldTable& table_;
  const JsonValue& root_;
  std::set<InvalidReason> reasons_;
};

DecodedRecord refuse(InvalidReason reason) {
  DecodedRecord record;
  record.reason = reason;
  return record;
}

}  // namespace

FieldTable native_fields() {
  FieldTable table;
  const auto name = [&table](Field field, const char* text) { table.paths[static_cast<std::size_t>(field)] = {text}; };
  name(Field::type, "type");
  name(Field::recommender, "recommender");
  name(Field::ts, "ts");
  name(Field::list_id, "list_id");
  name(Field::user_id, "user_id");
  name(Field::items, "items");
  name(Field::scores, "scores");
  name(Field::propensities, "propensities");
  name(Field::predicted, "predicted");
  name(Field::expected, "expected");
  name(Field::teams, "teams");
  name(Field::item_id, "item_id");
  name(Field::position, "position");
  name(Field::score, "score");
  name(Field::propensity, "propensity");
  name(Field::team, "team");
  name(Field::latency_ms, "latency_ms");
  name(Field::value, "value");
  name(Field::event_id, "event_id");
  name(Field::segments, "segments");
  table.entry_item_id = {"item_id"};
  table.entry_value = {"value"};
  return table;
}

DecodedRecord BatchDecoder::decode(std::string_view line) const {
  if (line.size() > spec_.limits.message_bytes) return refuse(InvalidReason::too_long);
  const std::optional<JsonValue> root = parse_json(line);
  if (!root) return refuse(InvalidReason::not_json);
  if (root->kind != Kind::object) return refuse(InvalidReason::not_an_object);
  RecordReader reader(spec_, fields_, *root);
  const Found type = reader.field(Field::type);
  if (type.twice || !type.there() || type.values.front()->kind != Kind::string || type.values.front()->text.empty()) {
    return refuse(InvalidReason::no_type);
  }
  const std::string& word = type.values.front()->text;
  const auto renamed = fields_.types.find(word);
  const std::string& name = renamed == fields_.types.end() ? word : renamed->second;
  if (name == "impression") return reader.impression();
  if (name == "candidate" && spec_.lanes.is_wanted()) return reader.candidate();
  if (name == "policy" && spec_.lanes.is_wanted() && spec_.off_policy) return reader.policy();
  for (std::size_t action = 0; action < spec_.join.actions.size(); ++action) {
    if (spec_.join.actions[action].name == name) return reader.feedback(action);
  }
  return reader.ignored();
}

}  // namespace recmeter::support
