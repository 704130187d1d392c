#include "app/doctor/ignored_reading.h"

#include <algorithm>
#include <array>
#include <utility>

#include "recmeter/event/shape.h"

namespace recmeter::doctor {
namespace {

constexpr std::string_view action_name = "ignored";
constexpr std::size_t places_max = 8;

std::optional<FieldSource>& at(ShapedFields& fields, Field field) {
  return fields.fields[static_cast<std::size_t>(field)];
}

// Takes from `fields` the places of user, time and item. The place of the record's type stands for that of the event's id.
ShapedFields as_feedback(ShapedFields fields, const std::optional<FieldSource>& type) {
  ShapedFields out{.fields = {}, .entry = {}, .segments = {}};
  for (const Field field : {Field::ts, Field::user_id, Field::list_id, Field::item_id, Field::items}) {
    at(out, field) = std::move(at(fields, field));
  }
  const auto item = static_cast<std::size_t>(EntryField::item_id);
  out.entry[item] = std::move(fields.entry[item]);
  at(out, Field::event_id) = type;
  return out;
}

// A rule asks for a value there that tells its events from others.
bool tells_type(const FieldCondition& condition) {
  using enum FieldCondition::Pattern::Kind;
  return std::ranges::any_of(condition.patterns, [](const FieldCondition::Pattern& pattern) {
    return pattern.kind == equal || pattern.kind == prefix || pattern.kind == suffix;
  });
}

bool is_of_item(const EventRule& rule, const DecoderOptions& options) {
  const auto action = std::ranges::find(options.actions, rule.type);
  if (action == options.actions.end()) return false;
  const auto index = static_cast<std::size_t>(action - options.actions.begin());
  return index >= options.on_lists.size() || !options.on_lists[index];
}

// Each as feedback of the configuration has them, without the conditions.
std::vector<ShapedFields> fields_of_feedback(const Shape& shape, const DecoderOptions& options) {
  if (shape.rules.empty()) {
    return {as_feedback(shape.common, shape.common.fields[static_cast<std::size_t>(Field::type)])};
  }
  std::optional<FieldSource> type;
  for (const EventRule& rule : shape.rules) {
    const auto told = std::ranges::find_if(rule.when, tells_type);
    if (!type && told != rule.when.end()) type = FieldSource{.path = told->path};
  }
  std::vector<ShapedFields> out;
  for (const EventRule& rule : shape.rules) {
    if (!is_of_item(rule, options)) continue;
    ShapedFields fields = as_feedback(rule.fields, type);
    if (std::ranges::find(out, fields) == out.end() && out.size() < places_max) out.push_back(std::move(fields));
  }
  return out;
}

}  // namespace

IgnoredReading::IgnoredReading(const DecoderOptions& options, Facts& facts)
    : facts_(facts), as_configured_(make_decoder(options)) {
  const Shape shape = shape_of(options.fields);
  for (ShapedFields& fields : fields_of_feedback(shape, options)) {
    DecoderOptions own = options;
    own.fields.types.clear();
    own.actions = {std::string(action_name)};
    own.on_lists.clear();
    own.candidates.clear();
    own.reads = {};
    own.fields.shape = shape;
    own.fields.shape->rules = {{.type = std::string(action_name), .when = {}, .entries = {}, .fields = std::move(fields)}};
    as_feedback_.push_back(make_decoder(std::move(own)));
  }
}

void IgnoredReading::take(const RecordBatch& some) {
  if (as_feedback_.empty()) return;
  const EventBatch batch = as_configured_->decode(some);
  RecordBatch ignored;
  std::size_t record = 0;
  bool is_first = true;
  for (const Event& event : batch.events()) {
    if (event.first_of_record && !is_first) ++record;
    is_first = false;
    if (event.outcome == Outcome::event && event.kind == EventKind::feedback) ++facts_.feedback_looked_at;
    if (event.outcome != Outcome::ignored || some.records[record].tombstone) continue;
    ignored.records.push_back(some.records[record]);
  }
  if (ignored.records.empty()) return;
  ignored.bytes = some.bytes;
  ignored.layout = some.layout;
  ignored.kept = some.kept;
  read(ignored);
}

// The first reading that finds an item says which.
void IgnoredReading::read(const RecordBatch& ignored) {
  std::vector<bool> is_read(ignored.records.size(), false);
  for (const auto& decoder : as_feedback_) {
    const EventBatch batch = decoder->decode(ignored);
    std::size_t record = 0;
    bool is_first = true;
    std::vector<bool> has_item(ignored.records.size(), false);
    for (const Event& event : batch.events()) {
      if (event.first_of_record && !is_first) ++record;
      is_first = false;
      if (event.outcome != Outcome::event || event.kind != EventKind::feedback || is_read[record]) continue;
      facts_.add_ignored(batch, event, !has_item[record]);
      has_item[record] = true;
    }
    for (std::size_t i = 0; i < is_read.size(); ++i) is_read[i] = is_read[i] || has_item[i];
  }
}

}  // namespace recmeter::doctor
