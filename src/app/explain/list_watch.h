// ListFinder and ListWatch: witnesses of the two runs of `recmeter explain`: the first finds whose lists have the id, the
// second writes down what happens to them and to the feedback of their users. Two runs, so that memory holds only what is
// explained.
//
// Thread safety: as RunWitness says.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/watched.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/run_witness.h"

namespace recmeter::explain {

// Which lists are meant.
struct Wanted {
  std::string list_id;
  std::string user_id;  // "": of every user
};

class ListFinder : public RunWitness {
 public:
  explicit ListFinder(const Wanted& wanted) : wanted_(wanted) {}

  void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
            std::optional<DuplicateReason> why) override;
  void decided(const DecidedFeedback& /*feedback*/) override {}
  void scored(const ListView& /*list*/, HorizonIndex /*horizon*/, const ScoredList& /*score*/, const Interner& /*items*/,
              bool /*is_matured*/) override {}

  // The users with an impression of that id, whatever its fate.
  [[nodiscard]] const std::set<std::string>& users() const { return users_; }
  // Those of the id that were left out because --user names another.
  [[nodiscard]] const std::set<std::string>& other_users() const { return other_users_; }
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }
  [[nodiscard]] const std::set<std::string>& near_ids() const { return near_ids_; }
  [[nodiscard]] std::uint64_t impressions() const { return impressions_; }
  [[nodiscard]] EventTime first() const { return first_; }
  [[nodiscard]] EventTime last() const { return last_; }

 private:
  const Wanted& wanted_;
  std::set<std::string> users_;
  std::set<std::string> other_users_;
  std::set<std::string> near_ids_;  // a few that begin as the wanted one does, or the other way round
  std::uint64_t accepted_ = 0;
  std::uint64_t impressions_ = 0;
  EventTime first_ = plus_infinity;
  EventTime last_ = minus_infinity;
};

class ListWatch : public RunWitness {
 public:
  // All outlive the watch.
  ListWatch(const EvaluatorPlan& plan, const Wanted& wanted, const std::set<std::string>& users)
      : plan_(plan), wanted_(wanted), users_(users) {}

  void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
            std::optional<DuplicateReason> why) override;
  void decided(const DecidedFeedback& feedback) override;
  void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items,
              bool is_matured) override;

  // In the order of time, then of users.
  [[nodiscard]] std::vector<WatchedList> take_lists();
  [[nodiscard]] const std::vector<WatchedImpression>& impressions() const { return impressions_; }
  [[nodiscard]] const std::vector<WatchedFeedback>& feedback() const { return feedback_; }

 private:
  const EvaluatorPlan& plan_;
  const Wanted& wanted_;
  const std::set<std::string>& users_;
  std::vector<WatchedList> lists_;
  std::vector<WatchedImpression> impressions_;
  std::vector<WatchedFeedback> feedback_;
};

// Every planned metric of one list, as the sums of a run would take it.
[[nodiscard]] std::vector<WatchedMetric> metrics_of(const MetricPlan& plan, const ScoredList& list);

}  // namespace recmeter::explain
