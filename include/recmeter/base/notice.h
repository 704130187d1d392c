// Notice: what kind of thing a running program tells a person, by a code that programs can act upon.
//
// The names are an interface (docs/messages.md): one is added, none changes. What ends a run is an Error and has the name of
// its Errc instead. A sentence goes with each, as with an Error: place, cause and, where there is one, remedy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

namespace recmeter {

enum class Notice : std::uint8_t {
  beyond_limits,
  broker_reachable,
  broker_unreachable,
  configuration_changed,
  configuration_kept,
  configuration_read,
  connection_checked,
  dead_letters_delivered,
  dead_letters_left,
  dead_letters_waiting,
  disk_full,
  disk_has_room,
  file_lost,
  group_complete,
  group_incomplete,
  http_limited,
  http_refuses,
  input_doubtful,
  input_sorted,
  list_ambiguous,
  list_missing,
  memory_unbounded,
  offsets_without_records,
  page_large,
  page_plain,
  page_ready,
  page_unavailable,
  panes_damaged,
  partitions_added,
  progress,
  read_allowed,
  read_refused,
  recommender_said,
  record_invalid,
  record_missing,
  records_lost,
  records_reread,
  registry_busy,
  registry_in_clear,
  registry_unreachable,
  rows_are_json,
  rows_mixed,
  rows_published,
  rows_waiting,
  run_ended,
  run_started,
  schema_unusable,
  state_restored,
  state_sound,
  state_waits,
  topic_missing,
  truth,
};

// By Notice, in its order, which is that of the alphabet.
inline constexpr std::array<std::string_view, 52> notice_names{
    "beyond_limits",
    "broker_reachable",
    "broker_unreachable",
    "configuration_changed",
    "configuration_kept",
    "configuration_read",
    "connection_checked",
    "dead_letters_delivered",
    "dead_letters_left",
    "dead_letters_waiting",
    "disk_full",
    "disk_has_room",
    "file_lost",
    "group_complete",
    "group_incomplete",
    "http_limited",
    "http_refuses",
    "input_doubtful",
    "input_sorted",
    "list_ambiguous",
    "list_missing",
    "memory_unbounded",
    "offsets_without_records",
    "page_large",
    "page_plain",
    "page_ready",
    "page_unavailable",
    "panes_damaged",
    "partitions_added",
    "progress",
    "read_allowed",
    "read_refused",
    "recommender_said",
    "record_invalid",
    "record_missing",
    "records_lost",
    "records_reread",
    "registry_busy",
    "registry_in_clear",
    "registry_unreachable",
    "rows_are_json",
    "rows_mixed",
    "rows_published",
    "rows_waiting",
    "run_ended",
    "run_started",
    "schema_unusable",
    "state_restored",
    "state_sound",
    "state_waits",
    "topic_missing",
    "truth",
};
static_assert(static_cast<std::size_t>(Notice::truth) + 1 == notice_names.size());

[[nodiscard]] constexpr std::string_view to_string(Notice notice) noexcept {
  return notice_names[static_cast<std::size_t>(notice)];
}

// How parts that do not know where messages go tell them.
using Tell = std::function<void(Notice, std::string_view)>;

}  // namespace recmeter
