#include "event/shaped_decoder.h"

#include <algorithm>
#include <tuple>

#include "recmeter/base/check.h"

namespace recmeter {
namespace {

constexpr std::uint32_t bits_of(std::initializer_list<Field> fields) {
  std::uint32_t bits = 0;
  for (const Field field : fields) bits |= std::uint32_t{1} << static_cast<unsigned>(field);
  return bits;
}
constexpr std::uint32_t numbers =
    bits_of({Field::position, Field::score, Field::propensity, Field::latency_ms, Field::value});
constexpr std::uint32_t lists_of_numbers = bits_of({Field::scores, Field::propensities, Field::predicted, Field::expected});

int meaning_of(std::string_view type, const DecoderOptions& options) {
  if (type == "impression") return TypeWords::impression;
  if (type == "candidate" && !options.candidates.empty()) return TypeWords::candidate;
  if (type == "policy" && options.reads.policies) return TypeWords::policy;
  const std::vector<std::string>& actions = options.actions;
  const auto action = std::ranges::find(actions, type);
  RECMETER_CHECK(action != actions.end(), "a rule's type is an impression or a configured action");
  return static_cast<int>(action - actions.begin());
}

}  // namespace

ShapedDecoder::ShapedDecoder(DecoderOptions options)
    : options_(std::move(options)),
      shape_(*options_.fields.shape),
      wanted_(wanted_fields(*options_.fields.shape)),
      reader_((options_.reader ? options_.reader : json_reader())(wanted_)),
      resolver_(shape_, options_.id_bytes_max, arena_),
      builder_(options_, *this) {
  if (shape_.rules.empty()) rules_.push_back(rule_of(shape_.entries, shape_.common));
  for (const EventRule& rule : shape_.rules) {
    Rule& added = rules_.emplace_back(rule_of(rule.entries, rule.fields));
    added.when = &rule.when;
    added.meaning = meaning_of(rule.type, options_);
  }
  if (const auto& time = shape_.common.fields[static_cast<std::size_t>(Field::ts)]) {
    time_.lookups.emplace_back(Field::ts, lookup_of(*time));
  }
}

ShapedDecoder::Rule ShapedDecoder::rule_of(const std::vector<FieldCondition>& entries, const ShapedFields& fields) const {
  Rule rule{.entries = &entries, .fields = &fields};
  for (std::size_t i = 0; i < field_count; ++i) {
    if (!fields.fields[i]) continue;
    const Lookup lookup = lookup_of(*fields.fields[i]);
    if (lookup.member) {
      rule.plain.push_back({*lookup.member, static_cast<Field>(i), Found::field_bit(i)});
    } else {
      rule.lookups.emplace_back(static_cast<Field>(i), lookup);
    }
  }
  for (const auto& [key, source] : fields.segments) rule.segments.emplace_back(key, lookup_of(source));
  return rule;
}

ShapedDecoder::Lookup ShapedDecoder::lookup_of(const FieldSource& source) const {
  const bool is_member = source.kind == FieldSource::Kind::path && source.path.size() == 1 &&
                         source.path.front().kind == PathStep::Kind::name && shape_.root.empty() && !wanted_.whole;
  return {&source, is_member ? std::optional(source.path.front().index) : std::nullopt};
}

EventBatch ShapedDecoder::decode(const RecordBatch& records) {
  builder_.begin(records);
  reader_->begin(records);
  for (Rule& rule : rules_) {
    rule.likely.clear();
    std::ranges::copy_if(rule.plain, std::back_inserter(rule.likely),
                         [this](const Plain& plain) { return reader_->may_have(plain.member); });
  }
  for (std::size_t i = 0; i < records.records.size(); ++i) {
    builder_.begin_record(i);
    arena_.clear();
    resolver_.begin();
    FieldValue root;
    if (records.records[i].tombstone) {
      builder_.add_tombstone();
    } else if (const auto unreadable = read(records, i, root)) {
      builder_.add_invalid(*unreadable);
    } else {
      add_events(root);
    }
  }
  return builder_.finish();
}

std::optional<InvalidReason> ShapedDecoder::read(const RecordBatch& records, std::size_t index, FieldValue& root) {
  if (records.records[index].size > options_.message_bytes_max) return InvalidReason::too_long;
  if (const auto unreadable = reader_->read(records, index, arena_, root)) return unreadable;
  if (!shape_.root.empty()) root = resolver_.find(shape_.root, root);
  if (resolver_.fault()) return resolver_.fault();
  return root.kind() == ValueKind::object ? std::nullopt : std::optional(InvalidReason::not_an_object);
}

void ShapedDecoder::add_events(const FieldValue& record) {
  bool is_first = true;
  for (const Rule& rule : rules_) {
    const bool matches = rule.when == nullptr || resolver_.holds(*rule.when, record);
    const bool is_twice = resolver_.take_twice();
    if (resolver_.fault()) {
      if (is_first) return builder_.add_invalid(*resolver_.fault());
      return;
    }
    if (!matches) continue;
    rule_ = &rule;
    find(rule, record);
    if (!rule.segments.empty()) put_segments(rule, record);
    const std::optional<int> meaning = rule.meaning ? rule.meaning : builder_.meaning();
    const bool is_feedback = meaning && *meaning >= 0;
    const std::string uneven = resolver_.take_uneven();
    if (is_feedback && uneven.empty() && is_empty_basket() && shows_a_list(record)) continue;
    // [S2.39]. Of feedback conditions look at what there is: they choose none of no entries.
    const bool is_a_list = meaning && (*meaning == TypeWords::impression || *meaning == TypeWords::candidate);
    if (has_no_entries_ && !builder_.fields().has(Field::item_id) && (is_a_list || !rule.entries->empty())) {
      put(Field::items, FieldValue::of_list({}));
    }
    if (!rule.entries->empty() && !choose_entries(*rule.entries) && is_feedback) continue;
    if (!is_first) builder_.begin_part();
    is_first = false;
    if (!meaning) {
      builder_.add_invalid(InvalidReason::no_type);
      continue;
    }
    if (resolver_.fault()) builder_.fault(*resolver_.fault());
    if (!uneven.empty()) uneven_lists(uneven);
    if (is_twice) builder_.fault(InvalidReason::duplicate_key);
    const bool is_plain = builder_.fields().has(Field::items) && builder_.fields()[Field::items].is_texts();
    if (*meaning == TypeWords::impression && !is_plain) shape_list(*rule.fields);
    builder_.add_as(*meaning);
  }
  if (!is_first) return;
  find(time_, record);
  builder_.add_ignored();
}

// The item stands for those that nobody knows, so that none of the faults of a list without items counts instead.
void ShapedDecoder::uneven_lists(std::string_view lengths) {
  static const FieldValue unknown = FieldValue::of_text("?");
  put(Field::items, FieldValue::of_list({&unknown, 1}));
  builder_.fault_at(Field::items, InvalidReason::length_mismatch, FieldValue::of_text(lengths));
}

bool ShapedDecoder::is_empty_basket() {
  const Found& found = builder_.fields();
  if (found.has(Field::item_id)) return false;
  if (!found.has(Field::items)) return has_no_entries_;
  return found[Field::items].kind() == ValueKind::list && found[Field::items].entries().empty();
}

// By a rule that says so. Where that cannot be told, the record is judged without.
bool ShapedDecoder::shows_a_list(const FieldValue& record) {
  const bool shows = std::ranges::any_of(rules_, [&](const Rule& rule) {
    return rule.meaning == TypeWords::impression && (rule.when == nullptr || resolver_.holds(*rule.when, record));
  });
  std::ignore = resolver_.take_twice();  // told where the rule is asked for its event
  return shows;
}

void ShapedDecoder::find(const Rule& rule, const FieldValue& record) {
  Found& found = builder_.fields();
  found.present = 0;
  found.twice = 0;
  has_no_entries_ = false;
  const FieldMember* const members = rule.likely.empty() ? nullptr : record.members().data();
  std::uint32_t present = 0, twice = 0;
  for (const Plain& plain : rule.likely) {
    const FieldMember& member = members[plain.member];
    if (member.is_twice) twice |= plain.bit;
    if (member.value.is_null() || resolver_.is_absent(member.value)) {
      has_no_entries_ = has_no_entries_ || (plain.field == Field::items && member.value.is_no_entries());
      continue;
    }
    found.values[static_cast<std::size_t>(plain.field)] =
        (plain.bit & (numbers | lists_of_numbers)) == 0 ? member.value : numeric(plain.bit, member.value);
    present |= plain.bit;
  }
  found.present = present;
  found.twice = twice;
  for (const auto& [field, lookup] : rule.lookups) {
    const FieldValue value = find(lookup, field, record);
    if (!value.is_null()) {
      put(field, numeric(Found::field_bit(static_cast<std::size_t>(field)), value));
    } else if (field == Field::items) {
      has_no_entries_ = value.is_no_entries();
    }
  }
}

FieldValue ShapedDecoder::numeric(std::uint32_t field_bit, const FieldValue& value) {
  if ((field_bit & numbers) != 0) return as_number(value);
  return (field_bit & lists_of_numbers) != 0 ? as_numbers(value) : value;
}

FieldValue ShapedDecoder::find(const Lookup& lookup, Field field, const FieldValue& record) {
  const auto bit = Found::field_bit(static_cast<std::size_t>(field));
  if (lookup.member) {
    const FieldMember& member = record.members()[*lookup.member];
    if (member.is_twice) builder_.fields().twice |= bit;
    if (member.value.is_null()) return member.value;
    return resolver_.is_absent(member.value) ? FieldValue() : member.value;
  }
  const FieldValue value = resolver_.find(*lookup.source, record);
  if (resolver_.take_twice()) builder_.fields().twice |= bit;
  return value;
}

void ShapedDecoder::put(Field field, const FieldValue& value) {
  builder_.fields().values[static_cast<std::size_t>(field)] = value;
  builder_.fields().present |= Found::field_bit(static_cast<std::size_t>(field));
}

void ShapedDecoder::put_segments(const Rule& rule, const FieldValue& record) {
  FieldMember* const members = arena_.room<FieldMember>(rule.segments.size());
  std::size_t count = 0;
  for (const auto& [key, lookup] : rule.segments) {
    const FieldValue value = find(lookup, Field::segments, record);
    if (!value.is_null()) members[count++] = {.key = key, .value = value};
  }
  put(Field::segments, FieldValue::of_object({members, count}));
}

// Leaves those of `items` of which all conditions hold. False: none is left.
bool ShapedDecoder::choose_entries(const std::vector<FieldCondition>& conditions) {
  Found& found = builder_.fields();
  if (!found.has(Field::items) || found[Field::items].kind() != ValueKind::list) return true;
  const auto entries = found[Field::items].entries();
  FieldValue* const chosen = arena_.room<FieldValue>(entries.size());
  std::size_t count = 0;
  for (const FieldValue& entry : entries) {
    if (resolver_.holds(conditions, entry)) chosen[count++] = entry;
  }
  put(Field::items, FieldValue::of_list({chosen, count}));
  return count > 0;
}

// Entries that are objects become items, scores, propensities and teams, in the order of their positions where they have
// such.
void ShapedDecoder::shape_list(const ShapedFields& fields) {
  Found& found = builder_.fields();
  if (!found.has(Field::items) || found[Field::items].kind() != ValueKind::list) return;
  const auto is_plain = [](const FieldValue& entry) { return entry.kind() != ValueKind::object && !entry.is_null(); };
  if (std::ranges::all_of(found[Field::items].entries(), is_plain)) return;
  entries_.clear();
  bool has_scores = false, has_propensities = false, has_teams = false;
  std::size_t positions = 0;
  for (const FieldValue& read : found[Field::items].entries()) {
    Entry& entry = entries_.emplace_back();
    entry.item = read;
    if (read.kind() == ValueKind::object) {
      entry.item = entry_value(fields, EntryField::item_id, read);
      entry.position = entry_value(fields, EntryField::position, read);
      entry.score = entry_value(fields, EntryField::score, read);
      entry.propensity = entry_value(fields, EntryField::propensity, read);
      entry.team = entry_value(fields, EntryField::team, read);
      if (entry.item.is_null()) builder_.fault(InvalidReason::missing_field);
    } else if (read.is_null()) {
      builder_.fault(InvalidReason::wrong_type);
    }
    positions += entry.position.is_null() ? 0U : 1U;
    has_scores = has_scores || !entry.score.is_null();
    has_propensities = has_propensities || !entry.propensity.is_null();
    has_teams = has_teams || !entry.team.is_null();
  }
  const auto lacks = [&](FieldValue Entry::* number) {
    return std::ranges::any_of(entries_, [number](const Entry& entry) { return (entry.*number).is_null(); });
  };
  if ((has_scores && lacks(&Entry::score)) || (has_propensities && lacks(&Entry::propensity))) {
    builder_.fault(InvalidReason::length_mismatch);
  }
  if (positions == entries_.size()) {
    order_by_position();
  } else if (positions > 0) {
    builder_.fault(InvalidReason::bad_position);
  }
  if (has_scores) put(Field::scores, values_of(&Entry::score));
  if (has_propensities) put(Field::propensities, values_of(&Entry::propensity));
  if (has_teams) put(Field::teams, values_of(&Entry::team));
  put(Field::items, values_of(&Entry::item));
}

FieldValue ShapedDecoder::entry_value(const ShapedFields& fields, EntryField field, const FieldValue& entry) {
  const auto& source = fields.entry[static_cast<std::size_t>(field)];
  if (!source) return {};
  const FieldValue value = resolver_.find(*source, entry);
  if (resolver_.take_twice()) builder_.fault(InvalidReason::duplicate_key);
  return field == EntryField::item_id || field == EntryField::team ? value : as_number(value);
}

// Ranks without an entry stay empty, as those of rows do.
void ShapedDecoder::order_by_position() {
  std::vector<Entry> ordered;
  for (const Entry& entry : entries_) {
    const std::int64_t rank =
        entry.position.kind() == ValueKind::integer ? entry.position.integer() - options_.fields.position_base : -1;
    if (rank < 0 || rank >= static_cast<std::int64_t>(options_.list_items_max)) {
      const bool is_a_number = is_number(entry.position.kind());
      return builder_.fault_at(Field::position, is_a_number ? InvalidReason::bad_position : InvalidReason::wrong_type,
                               entry.position);
    }
    const auto at = static_cast<std::size_t>(rank);
    if (at >= ordered.size()) ordered.resize(at + 1);
    if (!ordered[at].item.is_null()) return builder_.fault_at(Field::position, InvalidReason::bad_position, entry.position);
    ordered[at] = entry;
  }
  entries_ = std::move(ordered);
}

FieldValue ShapedDecoder::values_of(FieldValue Entry::* part) {
  FieldValue* const values = arena_.room<FieldValue>(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) values[i] = entries_[i].*part;
  return FieldValue::of_list({values, entries_.size()});
}

void ShapedDecoder::find_entry(const FieldValue& entry, Found& found) {
  found.present = 0;
  found.twice = 0;
  const auto put_entry = [&](Field place, EntryField field) {
    const auto& source = rule_->fields->entry[static_cast<std::size_t>(field)];
    if (!source) return;
    const FieldValue value = resolver_.find(*source, entry);
    const auto bit = Found::field_bit(static_cast<std::size_t>(place));
    if (resolver_.take_twice()) found.twice |= bit;
    if (value.is_null()) return;
    found.present |= bit;
    found.values[static_cast<std::size_t>(place)] = field == EntryField::value ? as_number(value) : value;
  };
  put_entry(basket_item_id, EntryField::item_id);
  put_entry(basket_value, EntryField::value);
}

std::string_view ShapedDecoder::segment_text(std::size_t /*index*/, const FieldValue& value) {
  return scalar_text(value, segment_room_).value_or(std::string_view());
}

FieldValue ShapedDecoder::as_number(const FieldValue& value) const {
  return shape_.text_numbers && value.kind() == ValueKind::text ? resolver_.number_of(value.text()) : value;
}

// A list of numbers may hold no null, which would be taken for a rank without an item.
FieldValue ShapedDecoder::as_numbers(const FieldValue& value) {
  if (value.kind() != ValueKind::list) return value;
  FieldValue* const as_read = arena_.room<FieldValue>(value.entries().size());
  std::size_t count = 0;
  for (const FieldValue& entry : value.entries()) {
    if (entry.is_null()) builder_.fault(InvalidReason::wrong_type);
    as_read[count++] = as_number(entry);
  }
  return FieldValue::of_list({as_read, count});
}

}  // namespace recmeter
