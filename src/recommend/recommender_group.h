// RecommenderGroup: some recommenders of a run, walked over its requests in the order of time: what they have learned, and
// what is known of users by then.
//
// Groups share nothing: each has candidates and histories of its own, which are small beside the models. So lists of one are
// the same whatever else is in its group, and groups may be walked at the same time. Thread safety: none; each is of one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/recommend/prequential.h"
#include "recmeter/recommend/recommender.h"
#include "recmeter/recommend/user_history.h"
#include "recommend/candidate_items.h"
#include "recommend/user_ratings.h"

namespace recmeter {

// Where a group stopped.
struct GroupFailure {
  std::uint64_t events = 0;     // learned by then
  std::size_t recommender = 0;  // the one that was at work
  Error error;
};

class RecommenderGroup {
 public:
  // All outlive it. `places`: its recommenders, ascending, as places in the configured ones. `makers`: by recommender.
  // `take` is given the lists of each request by recommender, and requests in their order.
  RecommenderGroup(const PrequentialSpec& spec, const LearningLog& log, std::span<ListMaker* const> makers,
                   std::vector<std::size_t> places, Prequential::Take take);

  // Requires: requests come in the order of time.
  [[nodiscard]] Result<void> answer(const ListRequest& request);
  // Hands over what waits for the version's end.
  [[nodiscard]] Result<void> end_version();
  // A target of a request at its time: what was asked of the recommenders, could they have said it?
  void count_target(const LearnedEvent& event);

  [[nodiscard]] PrequentialCounts counts() const;
  [[nodiscard]] GroupFailure failure_of(Error error) const { return {learned_to_, at_work_, std::move(error)}; }

 private:
  // A request whose lists wait for the end of their version.
  struct Held {
    Question question;
    std::vector<MadeList> lists;  // by place
  };
  struct Member {
    std::size_t place = 0;               // in the configured ones
    std::unique_ptr<Recommender> model;  // null: not built in
    ListMaker* maker = nullptr;          // null: of another kind
    std::string_view context = {};       // the name of the item that it goes by; "": it goes by the history
  };

  // What the user rates is asked about, known or not.
  [[nodiscard]] bool excludes_known() const {
    return spec_.exclude == PrequentialSpec::Exclude::known && spec_.candidates != PrequentialSpec::Candidates::rated;
  }
  [[nodiscard]] bool is_history_of_step() const { return spec_.history == PrequentialSpec::History::step; }
  [[nodiscard]] Result<void> learn_before(EventTime bound);
  void rank(const Member& of, const ListRequest& request, std::span<const KnownItem> known,
            std::span<const std::uint32_t> candidates);
  // The item that the request's list stands beside; nothing: it says none, or one that the log does not know.
  [[nodiscard]] std::optional<KnownItem> item_of(std::string_view context, const ListRequest& request) const;
  void hold(const ListRequest& request, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates);
  // The list without what may not be in it: what is no candidate, is excluded, stands there already, or is too much.
  [[nodiscard]] MadeList allowed(const Question& question, const MadeList& made, std::size_t recommender);

  const PrequentialSpec& spec_;
  const LearningLog& log_;
  std::vector<Member> members_;
  bool rates_ = false;  // one of them learns ratings
  Prequential::Take take_;
  bool holds_ = false;     // there is a maker
  std::deque<Held> held_;  // makers know the questions by their place
  CandidateItems candidates_;
  UserHistories learned_;  // of what the models have learned
  UserHistories known_;    // of what is known at the request
  UserRatings ratings_;
  std::size_t learned_to_ = 0;
  std::size_t known_to_ = 0;
  std::size_t at_work_ = 0;
  EventTime bound_ = minus_infinity;
  Ranking ranking_;
  PrequentialCounts counts_;
  std::vector<double> scores_;
  std::vector<RankedItem> ranked_;
  std::vector<std::uint8_t> is_known_;  // by item; between requests none is
};

}  // namespace recmeter
