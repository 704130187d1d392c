// Facts: everything the doctor knows of a log, gathered while it is read: counts of all events, and a sample of users.
// Thread safety: as RunWitness says; read after the run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doctor/file_facts.h"
#include "doctor/sample.h"
#include "doctor/segment_facts.h"
#include "doctor/value_facts.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/join/join_rule.h"

namespace recmeter::doctor {

class Facts : public RunWitness {
 public:
  static constexpr std::size_t sample_bytes = std::size_t{256} << 20;

  // `rule` outlives the facts.
  Facts(const JoinRule& rule, std::size_t inputs, std::size_t bytes_max = sample_bytes)
      : files(inputs), sample(bytes_max), rule_(rule), rating_(rule.rating()) {}

  void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
            std::optional<DuplicateReason> why) override;
  void came_for_lane(const EventBatch& batch, const Event& event) override;
  void decided(const DecidedFeedback& /*feedback*/) override {}
  void scored(const ListView& /*list*/, HorizonIndex /*horizon*/, const ScoredList& /*score*/, const Interner& /*items*/,
              bool /*is_matured*/) override {}

  std::vector<FileFacts> files;
  Hours hours;
  IdCounts user_ids, item_ids, list_ids;
  SegmentFacts segments;
  ValueFacts values;
  Sample sample;
  std::map<std::string, std::uint64_t> ignored_words;  // types that are ignored and sound like actions
  std::vector<IgnoredItem> ignored_items;              // as far as ignored records were looked at
  std::vector<std::string> ignored_types;              // by IgnoredItem::type; the last of many stands for all others
  std::uint64_t feedback_looked_at = 0;                // beside them
  std::vector<FeedbackPosition> positions;             // of feedback, as far as some was looked at
  std::int64_t first_ms = INT64_MAX;
  std::int64_t last_ms = INT64_MIN;
  std::string arm_key;            // the segment key that says what a user was given; "": none
  std::vector<std::string> arms;  // its values, by SeenList::arm
  // The ids of users with many lists, by hash.
  std::map<std::uint64_t, std::string> regulars;
  // Who acted most, as far as users are counted.
  struct Busiest {
    std::uint64_t user = 0;  // its hash
    std::string id;
    std::uint64_t actions = 0;
    std::uint64_t of = 0;     // actions of all of them
    std::uint64_t users = 0;  // who acted
  };
  Busiest busiest;
  // The lists that candidates and policies name, by SeenId::raw of user and list id.
  std::set<std::pair<std::uint64_t, std::uint64_t>> lists_of_lanes;

  // An item of an ignored record, read as feedback whose event id says the record's type. `is_first`: of its record.
  void add_ignored(const EventBatch& batch, const Event& event, bool is_first);

 private:
  static constexpr std::size_t ignored_items_max = 200'000;
  static constexpr std::size_t ignored_types_max = 1000;
  static constexpr std::uint32_t regular_lists = 20;
  static constexpr std::size_t counted_users_max = 2'000'000;

  void add_invalid(const EventBatch& batch, const Event& event, FileFacts& file);
  void add_feedback(const EventBatch& batch, const Event& event, std::uint32_t file, std::optional<DuplicateReason> why);
  void add_list(const EventBatch& batch, const Event& event, std::uint32_t file, Fate fate);
  void add_basket(const EventBatch& batch, const Event& first);
  void count_action(std::uint64_t user, std::string_view id);
  std::int32_t arm_of(const EventBatch& batch, const Event& event);

  const JoinRule& rule_;
  std::optional<std::size_t> rating_;
  std::unordered_map<std::uint64_t, std::uint32_t> lists_of_user_;
  std::unordered_map<std::uint64_t, std::uint32_t> actions_of_user_;
  std::unordered_map<std::string, std::uint32_t> ignored_type_numbers_;
  std::vector<SeenId> items_;  // of the list at hand
};

}  // namespace recmeter::doctor
