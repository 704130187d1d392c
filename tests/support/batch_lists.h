// Lists and feedback that were accepted: duplicates found, rows put together. [S3], [S2.29], [S3.24], [S3.19].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/duplicate_reason.h"
#include "support/batch_event.h"
#include "support/batch_policy.h"

namespace recmeter::support {

using ItemNumber = std::uint32_t;  // an item id's place in AcceptedEvents::item_ids

// What stands at one rank.
struct ShownItem {
  std::optional<ItemNumber> item;  // nothing: a rank nobody reported
  std::int64_t ts = 0;             // of its row; of the list, for a whole list
  std::optional<double> score = {};
  std::string team = {};
  std::optional<double> propensity = {};
};

struct BatchList {
  std::string owner;  // the user, or "" for nobody
  std::string list_id;
  std::int64_t ts = 0;
  std::vector<std::pair<std::string, std::string>> segments;  // of the opening event
  std::vector<ShownItem> ranks;                               // n = size
  std::string user;                                           // of [S6]
  std::uint8_t group = 0;                                     // its group
  std::optional<double> latency = {};                         // of the opening event
  std::string opened_by;                                      // canonical bytes of the opening event
  // Of lanes: the place in AcceptedEvents::shown of the list it stands for, itself for one that was shown; and whether it
  // takes credit but counts nowhere, for want of a list of another lane there.
  std::optional<std::size_t> stands_for = {};
  bool is_left_out = false;
  bool is_placeless = false;              // a candidate without a list id: no list gives it segments
  bool is_of_rows = false;                // a row opened it
  std::optional<PolicyList> policy = {};  // of a lane that judges one: what of it is known here, without rewards
};

struct BatchFeedback {
  std::string owner;
  std::string list_id;  // empty: none
  ItemNumber item = 0;
  std::size_t action = 0;
  std::int64_t ts = 0;
  std::optional<double> value = {};
};

struct AcceptedEvents {
  std::vector<BatchList> lists;
  std::vector<BatchFeedback> feedback;  // in the order of [S2] within an owner and list id or none
  std::vector<std::string> item_ids;
  std::optional<std::int64_t> first_time;  // of all accepted events
  struct PartitionCounts {
    std::array<std::uint64_t, duplicate_reason_count> duplicates{};  // by DuplicateReason
    std::uint64_t impressions = 0;
    std::uint64_t feedback = 0;
    std::uint64_t candidates = 0;
    std::uint64_t policies = 0;
  };
  std::vector<PartitionCounts> partitions;
  // Of lanes: the lists that were shown; whether lists of these ids may be those of another lane; whether items that were not
  // shown are taken out of the lists.
  std::vector<BatchList> shown = {};
  bool has_foreign_ids = false;
  bool is_condensed = false;
};

// Of values of lines of a basket: that of what there is. [S3.34].
[[nodiscard]] std::optional<double> total(const std::vector<const BatchEvent*>& lines);

// How long before a list events may touch it, but for the horizon of [S7.10]: twice `same_list`, with `once` at least H + 2
// skew.
[[nodiscard]] std::int64_t touched_before_ms(const JoinRule& join);

[[nodiscard]] AcceptedEvents accept(const EvaluatorSpec& spec, std::vector<BatchEvent> candidates, std::size_t partitions);

}  // namespace recmeter::support
