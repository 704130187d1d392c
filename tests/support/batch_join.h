// BatchJoin: feedback credited to lists, by trying every feedback on every list of its owner. [S4].
//
// A horizon's credits are computed from nothing, so no horizon can know of another. Thread safety: read only after
// construction. Requires: the spec and the events outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/report.h"
#include "support/batch_lists.h"
#include "support/batch_popularity.h"

namespace recmeter::support {

// Of lanes: a list, whole, beside those that were shown. By rank: its items and whether the user was shown them; and what was
// shown in its place, if anything was.
struct BesideShown {
  std::vector<std::optional<ItemNumber>> items = {};
  std::vector<bool> seen = {};
  std::optional<std::vector<std::optional<ItemNumber>>> in_its_place = {};
};

// What a list turned out to be worth at one horizon.
struct ListRelevance {
  std::vector<std::optional<ItemNumber>> items;  // by rank; nothing: a rank nobody reported
  std::vector<double> grades;                    // by rank; n = size; 0: not relevant, or nothing there
  std::vector<double> missed;                    // grades of the missed items
  std::vector<std::optional<double>> scores;     // by rank
  std::vector<std::optional<double>> ratings;    // by rank: the value of the `rating` credited to it
  std::vector<std::vector<double>> rated_again;  // by rank: values of the `rating`s that repeat it, where it has one
  std::vector<bool> judged;                      // by rank: feedback of some action is credited to it
  std::uint64_t credited_items = 0;              // (list, item, action) triples
  std::uint64_t credited_with_score = 0;         // triples whose item was shown with a score
  // By rank: what the catalogue says of the item; nothing at the later ranks of an item that occurs twice.
  std::vector<std::vector<std::uint32_t>> attributes;
  std::vector<std::uint64_t> credited;  // per action: those triples; or 1 of an action on the list
  std::vector<std::uint64_t> repeated;  // per action: further feedback of such a triple ([S4.13])
  ListPopularity popularity;            // of what it shows, before it; whatever the horizon
  std::optional<double> latency = {};   // that it came with
  // Of one action: from the list to the first credited, at least 0, else its reach; to that of each rank that has one.
  std::int64_t first_ms = 0;
  std::int64_t reach_ms = 0;
  bool is_acted_on = false;  // of one action, that is done to whole lists
  std::vector<std::optional<std::int64_t>> acted_ms = {};
  std::vector<double> worth;  // of one action, by rank: max(0, what was paid for the item - what was returned)
  // "grades come from that action only, gain 1": the list per action, of those that metrics name.
  std::map<std::size_t, ListRelevance> by_action;
  std::map<std::size_t, ListRelevance> by_worth;  // the same with worth for grades
  std::vector<ListRelevance> alone = {};  // "universe: list": the same without missed items, where a metric asks for it
  BesideShown shown = {};
  std::optional<std::vector<bool>> known = {};  // by rank: the user had acted on it before; nothing of nobody
};

class BatchJoin {
 public:
  BatchJoin(const EvaluatorSpec& spec, const AcceptedEvents& events);

  // ListRelevance::by_action has these actions, too.
  void look_at(std::set<std::size_t> actions) { looked_at_ = std::move(actions); }
  // Calls `visit(list, relevance)` for every list, in no promised order.
  void visit_relevance(Duration horizon, const std::function<void(std::size_t, const ListRelevance&)>& visit) const;

  // The outcome of every accepted feedback, decided at the longest horizon ([S4.12]). Nothing is pending at the end of a log.
  [[nodiscard]] FeedbackCounts outcomes() const;

 private:
  // What one owner saw and did; of nobody: under one list id.
  struct Timeline {
    std::vector<std::size_t> lists;     // by (ts, list id)
    std::vector<std::size_t> feedback;  // in the order of [S2]
  };
  // A feedback's credit at a horizon.
  struct Assignment {
    bool anywhere = false;  // assigned to at least one list
    bool first = false;     // the first of its (list, item, action) in at least one of them
  };
  // The first feedback credited to a (list, item, action).
  struct First {
    std::int64_t ts = 0;
    std::optional<double> value;
    bool is_relevant = true;
  };
  // Something paid or returned, credited or repeated.
  struct Payment {
    ItemNumber item;
    std::size_t action;
    std::int64_t ts;
    std::size_t depth;
    std::optional<double> value;
  };
  // What one action on one item came to.
  struct Balance {
    double paid = 0;
    bool returned = false;
    [[nodiscard]] bool is_undone() const { return returned && paid <= 0; }  // "did not happen"
  };
  using Balances = std::map<std::pair<ItemNumber, std::size_t>, Balance>;
  using ListCredits = std::map<std::pair<ItemNumber, std::size_t>, First>;
  using Credits = std::vector<ListCredits>;  // per list of a timeline
  struct Credited {
    Credits credits;
    std::vector<std::map<std::size_t, std::uint64_t>> repeated;  // per list: action -> further feedback
    std::vector<std::vector<Payment>> payments;                  // per list: all that was credited or repeated
    std::vector<Assignment> assignments;                         // per feedback of the timeline
  };

  [[nodiscard]] std::int64_t reach(std::size_t action, Duration horizon) const;
  [[nodiscard]] bool holds(const BatchList& list, ItemNumber item, std::int64_t until) const;
  [[nodiscard]] bool in_time(const BatchFeedback& feedback, const BatchList& list, Duration horizon) const;
  [[nodiscard]] std::vector<std::size_t> fitting(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon,
                                                 const Credits& credits) const;
  [[nodiscard]] std::vector<std::size_t> chosen(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon,
                                                const Credits& credits) const;
  [[nodiscard]] std::size_t depth(std::size_t action) const;
  [[nodiscard]] Balances balances(std::vector<Payment> payments) const;
  [[nodiscard]] static Balance balance_of(const Balances& balances, const std::pair<ItemNumber, std::size_t>& what);
  [[nodiscard]] Credited credit(const Timeline& timeline, Duration horizon) const;
  // Of what the user did, and took back, within the list's range: whatever took the credit.
  [[nodiscard]] Balances balances_in_range(const Timeline& timeline, const BatchList& list, Duration horizon) const;
  // `only`: by this action, which then has the gain 1.
  [[nodiscard]] std::vector<double> missed(const Timeline& timeline, const BatchList& list, Duration horizon,
                                           std::optional<std::size_t> only = {}) const;
  [[nodiscard]] ListRelevance of_action(const ListRelevance& whole, const Timeline& timeline, const BatchList& list,
                                        const ListCredits& credits, const Balances& balances, Duration horizon,
                                        std::size_t action) const;
  [[nodiscard]] static std::vector<double> rated_again(const std::vector<Payment>& given, ItemNumber item,
                                                       std::size_t action);
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> attributes(const BatchList& list) const;
  [[nodiscard]] bool names_list(const Timeline& timeline, const BatchFeedback& feedback, Duration horizon) const;
  [[nodiscard]] BesideShown beside_shown(const BatchList& list, Duration horizon) const;
  void count_outcome(const Timeline& timeline, const BatchFeedback& feedback, Assignment assignment, Duration longest,
                     FeedbackCounts& counts) const;

  const EvaluatorSpec& spec_;
  const AcceptedEvents& events_;
  std::vector<bool> relevant_;  // by feedback
  std::set<std::size_t> looked_at_;
  std::vector<ListPopularity> popularity_;                             // by list
  std::map<std::pair<std::string, std::string>, Timeline> timelines_;  // (owner, list id of nobody)
};

}  // namespace recmeter::support
