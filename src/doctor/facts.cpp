#include "doctor/facts.h"

#include <algorithm>
#include <bit>

#include "doctor/id_form.h"
#include "recmeter/base/event_time.h"
#include "recmeter/event/join_key.h"

namespace recmeter::doctor {
namespace {

SeenId seen(std::string_view id) {
  if (id.empty()) return {};
  const std::string form = id_form(id);
  const std::uint64_t raw = hash_id(id);
  return {.raw = raw, .form = form == id ? raw : hash_id(form)};
}

void look_at(IdCounts& counts, std::string_view id) {
  ++counts.seen;
  if (is_placeholder(id)) ++counts.placeholders[std::string(id)];
  if (is_spoilt_number(id) && counts.spoilt++ == 0) counts.example = id;
  if (is_rounded_number(id) && counts.rounded++ == 0) counts.rounded_example = id;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15U + (hash << 7) + (hash >> 11);
}

std::uint64_t number_bits(double number) {
  return std::bit_cast<std::uint64_t>(number);
}

}  // namespace

void Facts::fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
                 std::optional<DuplicateReason> why) {
  FileFacts& file = files[index_of(partition)];
  ++file.events;
  if (event.outcome == Outcome::invalid) return add_invalid(batch, event, file);
  if (event.outcome == Outcome::ignored) {
    ++file.ignored;
    return;
  }
  file.late += fate == Fate::late ? 1 : 0;
  if (why) ++file.duplicates[index_of(*why)];
  for (std::size_t i = 0; i < FileFacts::grains.size(); ++i) {
    if (event.ts.ms % FileFacts::grains[i] == 0) ++file.of_grain[i];
  }
  first_ms = std::min(first_ms, event.ts.ms);
  last_ms = std::max(last_ms, event.ts.ms);
  if (!event.nobody && !batch.user_id(event).empty()) look_at(user_ids, batch.user_id(event));
  if (!batch.list_id(event).empty()) look_at(list_ids, batch.list_id(event));
  HourCount& hour = hours[event.ts.ms / one_hour.ms];
  const auto number = static_cast<std::uint32_t>(index_of(partition));
  if (event.kind == EventKind::feedback) {
    ++file.feedback;
    ++hour.feedback;
    add_feedback(batch, event, number, why);
  } else {
    ++file.lists;
    ++hour.lists;
    file.rows += event.kind == EventKind::row ? 1 : 0;
    file.first_rows += event.position == 1 ? 1 : 0;
    add_list(batch, event, number, fate);
  }
}

void Facts::came_for_lane(const EventBatch& batch, const Event& event) {
  const SeenId user = seen(batch.user_id(event));
  const SeenId list = seen(batch.list_id(event));
  if (list.raw != 0 && sample.takes(user, list)) lists_of_lanes.emplace(user.raw, list.raw);
}

// The batch quotes the first event of each reason.
void Facts::add_invalid(const EventBatch& batch, const Event& event, FileFacts& file) {
  const auto reason = static_cast<std::size_t>(event.reason);
  ++file.invalid[reason];
  if (file.samples[reason].size() == FileFacts::samples_max) return;
  for (const InvalidSample& quoted : batch.invalid_samples()) {
    if (&event != &batch.events()[quoted.event]) continue;
    file.samples[reason].push_back(quoted);
    file.samples[reason].back().record.clear();
  }
}

void Facts::add_ignored(const EventBatch& batch, const Event& event, bool is_first) {
  IgnoredItem ignored;
  ignored.action.user = seen(batch.user_id(event));
  ignored.action.list = seen(batch.list_id(event));
  if (ignored_items.size() == ignored_items_max || !sample.takes(ignored.action.user, ignored.action.list)) return;
  ignored.action.ts = event.ts.ms;
  ignored.action.nobody = event.nobody;
  ignored.item = hash_id(batch.item(event, 0));
  ignored.is_first = is_first || ignored_items.empty();
  const std::string type(batch.event_id(event));
  const bool is_full = ignored_types.size() + 1 >= ignored_types_max && !ignored_type_numbers_.contains(type);
  const std::string& name = is_full ? "others" : type;
  const auto [at, is_new] = ignored_type_numbers_.try_emplace(name, static_cast<std::uint32_t>(ignored_types.size()));
  if (is_new) ignored_types.push_back(name);
  ignored.type = at->second;
  ignored_items.push_back(ignored);
}

void Facts::add_feedback(const EventBatch& batch, const Event& event, std::uint32_t file,
                         std::optional<DuplicateReason> why) {
  if (rule_.actions[event.action].on_list) return;
  look_at(item_ids, batch.item(event, 0));
  if (event.has_value && event.action == rating_) values.add_rating(batch.value(event));
  if (event.first_of_part) add_basket(batch, event);
  SeenAction action;
  action.user = seen(batch.user_id(event));
  action.list = seen(batch.list_id(event));
  if (!event.nobody) count_action(action.user.raw, batch.user_id(event));
  if (!sample.takes(action.user, action.list)) return;
  action.ts = event.ts.ms;
  action.file = file;
  action.action = event.action;
  action.event_id = batch.event_id(event).empty() ? 0 : hash_id(batch.event_id(event));
  action.has_value = event.has_value;
  action.nobody = event.nobody;
  action.duplicate = why.has_value();
  action.again = why == DuplicateReason::again;
  sample.add(action, seen(batch.item(event, 0)));
}

void Facts::count_action(std::uint64_t user, std::string_view id) {
  if (actions_of_user_.size() >= counted_users_max && !actions_of_user_.contains(user)) return;
  const std::uint32_t actions = ++actions_of_user_[user];
  ++busiest.of;
  busiest.users = actions_of_user_.size();
  if (actions <= busiest.actions) return;
  if (busiest.user != user || busiest.actions == 0) busiest.id = id;
  busiest.user = user;
  busiest.actions = actions;
}

// The other entries of a basket follow its first. Where lines were added up its values are not those of the log.
void Facts::add_basket(const EventBatch& batch, const Event& first) {
  const std::span<const Event> rest = batch.events().subspan(static_cast<std::size_t>(&first - batch.events().data()));
  std::size_t entries = 0;
  bool one_value = true;
  for (const Event& entry : rest) {
    if (entry.outcome != Outcome::event || !entry.has_value || (entries > 0 && entry.first_of_part)) break;
    if (entry.is_line) return;
    one_value = one_value && batch.value(entry) == batch.value(first);
    ++entries;
  }
  if (entries > 1) values.add_basket(one_value);
}

void Facts::add_list(const EventBatch& batch, const Event& event, std::uint32_t file, Fate fate) {
  segments.add(batch, event);
  SeenList list;
  list.user = seen(batch.user_id(event));
  list.id = seen(batch.list_id(event));
  list.ts = event.ts.ms;
  list.file = file;
  list.position = event.position;
  list.by_row = event.kind == EventKind::row;
  list.nobody = event.nobody;
  list.stands_for_many = rule_.key.not_users.contains(batch.user_id(event));
  list.duplicate = fate == Fate::duplicate;
  list.arm = arm_of(batch, event);
  list.content = event.position;
  items_.clear();
  bool rises = true;
  bool falls = true;
  for (std::size_t i = 0; i < event.item_count; ++i) {
    const std::string_view item = batch.item(event, i);
    if (!item.empty()) look_at(item_ids, item);
    items_.push_back(seen(item));
    list.content = mix(list.content, items_.back().raw);
    if (i == 0) continue;
    const bool before = comes_before(batch.item(event, i - 1), item);
    rises = rises && before;
    falls = falls && !before;
  }
  list.id_ordered = rises || falls;
  for (const double score : batch.scores(event)) list.content = mix(list.content, number_bits(score));
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    list.content = mix(list.content, hash_id(batch.segment_value(event, i)));
  }
  values.add_scores(batch.scores(event));
  values.add_propensities(batch.propensities(event), items_, list.by_row ? event.position : 1, list.arm);
  if (!list.nobody && (lists_of_user_.size() < counted_users_max || lists_of_user_.contains(list.user.raw)) &&
      ++lists_of_user_[list.user.raw] == regular_lists) {
    regulars.emplace(list.user.raw, batch.user_id(event));
  }
  if (sample.takes(list.user, list.id)) sample.add(list, items_);
}

std::int32_t Facts::arm_of(const EventBatch& batch, const Event& event) {
  constexpr std::size_t arms_max = 1000;
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    const std::string_view key = batch.segment_key(event, i);
    if (arm_key.empty() && is_arm_key(key)) arm_key = key;
    if (key != arm_key || arm_key.empty()) continue;
    const auto arm =
        static_cast<std::size_t>(std::find(arms.begin(), arms.end(), batch.segment_value(event, i)) - arms.begin());
    if (arm == arms_max) return -1;
    if (arm == arms.size()) arms.emplace_back(batch.segment_value(event, i));
    return static_cast<std::int32_t>(arm);
  }
  return -1;
}

}  // namespace recmeter::doctor
