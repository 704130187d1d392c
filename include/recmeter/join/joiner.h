// Joiner: the join of one shard. Events in, in the order of event time; scored lists out, in the order of event time.
//
// Because events reach it sorted by (ts, canonical bytes), which is a property of their set, everything below is a sequential
// algorithm over a sorted log: early feedback, late impressions and any arrival order are dealt with before it.
//
// The flow: add() opens lists, lets rows and further whole lists join them and files feedback; advance(w), when every event
// before w has been added, (1) assembles lists that came in pieces, (2) decides feedback with ts + skew < w, (3) scores lists
// with ts + h + skew <= w for each horizon h, (4) forgets what nothing can touch any more.
//
// Thread safety: none; owned by one shard. Invariants:
//   (1) a list is scored once per horizon, and for one horizon lists are scored in the order of their times;
//   (2) feedback is decided once, before any list it could be credited to is scored;
//   (3) memory is bounded by what happened within the longest horizon + skew, or `same_list`, of the watermark.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recmeter/base/ids.h"
#include "recmeter/base/interner.h"
#include "recmeter/event/duplicate_reason.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/join/credit_book.h"
#include "recmeter/join/earlier_ratings.h"
#include "recmeter/join/feedback_log.h"
#include "recmeter/join/heavy_timeline.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/join/list_log.h"
#include "recmeter/join/list_pieces.h"
#include "recmeter/join/outcome_counts.h"
#include "recmeter/join/paid_items.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/join/timeline_table.h"

namespace recmeter {

// What an observer may know of a list. A view, valid during the call.
struct ListView {
  ListNumber number{};
  EventTime ts;
  std::uint8_t slot = 0;                  // of its user, [S6]
  std::uint16_t twin = 0;                 // ListEntry::twin
  std::span<const std::uint32_t> labels;  // as the observer labelled it
  std::span<const Interner::Id> items;    // by rank; Interner::none where nothing came
  std::span<const std::uint8_t> scored;   // JoinerOptions::needs_scores. By rank: 1 where it was shown with a score
  std::string_view list_id;
  std::string_view user_id;  // empty when unknown

  // The group of its user for intervals: the top bits of the slot.
  [[nodiscard]] std::size_t group() const { return slot >> 2U; }
};

// What is known early of a list that is scored soon. A view, valid during the call.
struct UpcomingList {
  std::uint8_t slot = 0;
  std::span<const std::uint32_t> labels;
  std::span<const Interner::Id> items;
  bool has_credits = false;  // some feedback was credited to it; more may be
};

// What became of one feedback, per horizon: the lists it fits best. A view, valid during the call.
struct DecidedCredit {
  EventTime ts;  // of the list
  std::string_view list_id;
  HorizonMask counted = 0;
  HorizonMask repeated = 0;
};
struct DecidedFeedback {
  EventTime ts;
  std::size_t action = 0;
  std::string_view item;
  std::string_view list_id;  // empty when it carried none
  std::string_view user_id;
  FeedbackOutcome outcome = FeedbackOutcome::organic;  // at the longest horizon
  bool is_relevant = true;                             // false: its value makes it irrelevant
  std::span<const DecidedCredit> credits;
};

class ListObserver {
 public:
  virtual ~ListObserver() = default;
  // A list opens: write its labels (what it is grouped by), as many as were announced. `before`: those of its user's newest
  // list; empty where none is held any more, or nobody knows the user. Lists open in the order in which they are scored.
  virtual void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
                     std::span<const std::uint32_t> before) = 0;
  // Its items are known, once per list, in the order of list times.
  virtual void assembled(const ListView& list) = 0;
  // Where JoinerOptions::tells_upcoming. It is scored soon: memory that will be looked at may be fetched.
  virtual void upcoming(const UpcomingList& /*list*/) {}
  // It is scored at horizon number `horizon`.
  virtual void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score,
                      std::span<const AssignedFeedback> feedback) = 0;
  // A feedback is decided; told only where JoinerOptions::tells_decisions.
  virtual void decided(const DecidedFeedback& /*feedback*/) {}
  // Where JoinerOptions::tells_changes. A list has its items: at once, or once it is assembled where a row opened it.
  virtual void shown(const ListView& /*list*/) {}
  // A list that was shown is about to get further items; and has them, of which `added` has the new ones by rank.
  virtual void growing(const ListView& /*list*/) {}
  virtual void grown(const ListView& /*list*/, std::span<const Interner::Id> /*added*/) {}
  // What look() would say of a list that was shown may have changed.
  virtual void changed(ListNumber /*list*/) {}
};

// Which list ids of feedback say what it is credited to; the others count as if there were none.
enum class ListIds : std::uint8_t {
  all,
  known,  // of lists that are there and in time: lists of others have ids, too
  none,
};

struct JoinerOptions {
  bool needs_missed = false;                        // some metric asks for the user's missed items
  bool needs_feedback = false;                      // some metric asks for judged ranks, ratings or scores
  bool needs_retests = false;                       // and some for ratings that repeat one
  bool needs_scores = false;                        // some metric asks which ranks were shown with a score
  std::span<const AskedAction> asked_actions = {};  // that metrics look at alone; outlive the joiner
  std::span<const std::string> teams = {};          // whose items are told apart; fewer than 256, outlive the joiner
  bool tells_decisions = false;                     // the observer wants to know of every feedback
  bool tells_changes = false;                       // the observer looks at lists before they are scored
  bool tells_upcoming = false;                      // the observer looks at memory of its own for each list
  std::size_t missing_lists_max = 16;  // tells_changes: to how many of a user's lists it is told that he acted, the newest
  ListIds list_ids = ListIds::all;
  bool were_shown = true;  // false: lists beside those that were; what is done to whole lists is not credited to them
  // Where every list takes the credit: the label by which lists are told apart, of which only the latest that an action fits
  // has what it was worth. Of equal times the one whose id is greater, a longer one before all: ids there end with numbers.
  std::optional<std::size_t> worth_once_by = {};
  std::size_t labels_per_list = 0;
  std::size_t list_items_max = 1000;
  std::size_t id_bytes_max = 256;
  // Of what is kept as long as the longest horizon: lists, feedback, who has some. Outlives the joiner.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

class Joiner {
 public:
  // `rule` and `observer` outlive the joiner.
  Joiner(const JoinRule& rule, const JoinerOptions& options, ListObserver& observer);
  ~Joiner();

  // Files an impression, whole or row. Returns why it is a duplicate where it is one.
  // Requires: events come in the order of (ts, canonical bytes) among those of one timeline, and none before advance()'s w.
  std::optional<DuplicateReason> add_impression(const EventBatch& batch, const Event& event);
  // Files accepted feedback; duplicates among feedback are the caller's business, since they have equal times. Returns false
  // where its value makes it irrelevant: [S4.26], [S4.27].
  bool add_feedback(const EventBatch& batch, const Event& event);
  // Files the list of a candidate as one of the time, ids and labels of `place`: an impression, or the candidate itself.
  // Requires: as add_impression(), and there is no such list yet.
  void add_candidate(const EventBatch& place_batch, const Event& place, const EventBatch& batch, const Event& candidate);
  // Requires: every event before `w` has been added; w does not decrease.
  void advance(EventTime w);

  // Scores a list that was shown as it stands now, at the horizons where it is not scored yet.
  void look(ListNumber list);

  // The time of the oldest list not yet scored at this horizon, or plus_infinity.
  [[nodiscard]] EventTime first_unscored(HorizonIndex horizon) const;
  [[nodiscard]] EventTime first_unassembled() const;

  [[nodiscard]] OutcomeCounts outcomes() const;
  // By action, in configured order; they add up to outcomes().
  [[nodiscard]] const std::vector<OutcomeCounts>& outcomes_by_action() const { return outcomes_; }
  // Feedback was credited to a list that is older than it.
  [[nodiscard]] bool credits_later() const { return credits_later_; }
  [[nodiscard]] std::uint64_t lists_opened() const { return lists_.entries().end(); }
  [[nodiscard]] Interner& items() { return items_; }
  // How long after its time a list or feedback may still be referred to.
  [[nodiscard]] Duration memory() const;
  // Hides the latency of filing an event that follows soon: calls for it with step 0, 1, 2, 3, some events apart, each bring
  // nearer what the next one follows.
  void prefetch(std::uint64_t key_hash, int step) const;
  // Whether the timeline probably holds a list. For step 3: it asks for nothing new then.
  [[nodiscard]] bool may_hold_list(std::uint64_t key_hash) const;
  // Of steps 2 and 3, for the event's items.
  void prefetch_items(const EventBatch& batch, const Event& event, int step) const;

 private:
  // Kept beside a list whose id did not come once alone, and beside one that is growing.
  struct KnownPieces {
    explicit KnownPieces(ListPieces pieces) : list(std::move(pieces)) {}
    ListPieces list;
    std::vector<double> scores;       // by rank, NaN where there is none; empty when none is kept
    std::vector<std::uint8_t> teams;  // by rank, up to the last that has one
  };
  // An item of an event, and the rank to which it comes.
  struct Placing {
    std::size_t entry = 0;
    std::uint32_t rank = 0;
  };
  // The best list so far for each horizon, while candidates are gone through.
  struct Choice;
  // A list that takes credit, and the horizons at which it does and has what the action was worth.
  struct TouchedList {
    std::uint64_t sequence = 0;
    HorizonMask mask = 0;
    HorizonMask worth = 0;
  };

  TimelineTable::Index timeline_of(const EventBatch& batch, const Event& event);
  [[nodiscard]] bool keeps_scores() const { return options_.needs_feedback || options_.needs_scores; }
  [[nodiscard]] std::uint8_t team_of(const EventBatch& batch, const Event& event, std::size_t item) const;
  [[nodiscard]] std::string_view key_of(const Timeline& timeline) const;
  [[nodiscard]] std::uint64_t find_list(const Timeline& timeline, std::string_view list_id, std::uint64_t id_hash) const;
  // A list without items yet.
  std::uint64_t open_list(const EventBatch& batch, const Event& event, TimelineTable::Index index, std::uint64_t id_hash);
  void fill_list(std::uint64_t sequence, const EventBatch& batch, const Event& event);
  void finish_opening(std::uint64_t sequence, TimelineTable::Index index);
  // Valid until the next call.
  [[nodiscard]] ListPieces::Piece piece_of(const EventBatch& batch, const Event& event);
  [[nodiscard]] bool is_as_shown(std::uint64_t sequence, const EventBatch& batch, const Event& event);
  KnownPieces& known_pieces(std::uint64_t sequence);
  [[nodiscard]] ListPieces plain_pieces(const ListEntry& list) const;
  [[nodiscard]] KnownPieces follow(std::uint64_t sequence);
  void open_row(std::uint64_t sequence, std::optional<KnownPieces> known, const EventBatch& batch, const Event& event);
  void extend_list(std::uint64_t sequence, KnownPieces& pieces, const EventBatch& batch, const Event& event);
  void note_place(std::uint64_t sequence, KnownPieces& pieces, const EventBatch& batch, const Event& event, Placing placing);
  void settle_pieces(std::uint64_t sequence);
  void write_items(std::uint64_t sequence, KnownPieces& pieces, std::span<const ListPieces::Place> places);
  void remember_id(std::uint64_t sequence, bool nobody);

  void assemble(EventTime w);
  void decide(EventTime w);
  void decide_one(const FeedbackEntry& feedback);
  void count(const FeedbackEntry& feedback, FeedbackOutcome outcome);
  [[nodiscard]] FeedbackOutcome outcome_of(const FeedbackEntry& feedback, HorizonMask named, HorizonMask fitting,
                                           HorizonMask counted) const;
  void tell(const FeedbackEntry& feedback, FeedbackOutcome outcome);
  void score(std::size_t horizon, EventTime w);
  void score_one(std::uint64_t sequence, std::size_t horizon);
  void find_paid(const ListEntry& list, HorizonMask bit);
  void share_worth();
  void begin_actions(std::size_t horizon);
  void note_action(std::size_t asked, std::uint32_t credit, std::uint32_t rank);
  void finish_actions(const ListEntry& list, std::size_t horizon);
  void note_feedback(const ListEntry& list, std::uint32_t credit, std::uint32_t rank, ScoredList& score);
  [[nodiscard]] bool is_relevant(const Event& event, std::string_view user_id, std::optional<double> value);
  [[nodiscard]] bool is_relevant_credit(std::uint32_t credit) const;
  void find_retests(std::span<const Interner::Id> items);
  void forget(EventTime w);
  void prefetch_scoring(std::uint64_t sequence);
  void prefetch_deciding(std::uint64_t sequence) const;
  void prefetch_forgetting(std::uint64_t sequence) const;
  void forget_list(EventTime w);
  void leave(TimelineTable::Index index);

  template <class Visit>
  void visit_with_item(const Timeline& timeline, const FeedbackEntry& feedback, Visit&& visit) const;
  template <class Visit>
  void visit_with_id(const Timeline& timeline, std::string_view list_id, Visit&& visit) const;
  [[nodiscard]] bool contains(const ListEntry& list, std::uint64_t sequence, Interner::Id item, EventTime t) const;
  [[nodiscard]] HorizonMask every_horizon() const;
  [[nodiscard]] HorizonMask reached(const ListEntry& list, const FeedbackEntry& feedback) const;
  [[nodiscard]] HorizonMask fits(const ListEntry& list, std::uint64_t sequence, const FeedbackEntry& feedback) const;
  [[nodiscard]] HorizonMask named_at(const Timeline& timeline, const FeedbackEntry& feedback) const;
  [[nodiscard]] bool lacks(const Timeline& timeline, const FeedbackEntry& feedback) const;

  // From this many live lists on a timeline is indexed instead of scanned.
  static constexpr std::uint32_t heavy_lists = 48;
  void make_heavy(Timeline& timeline);
  void add_acted(HeavyTimeline& heavy, const FeedbackEntry& feedback, std::optional<double> value) const;
  [[nodiscard]] std::span<const Interner::Id> distinct_items(const ListEntry& list);
  void find_taken_back(const ListEntry& list, std::size_t horizon);
  std::uint64_t find_missed(const ListEntry& list, std::size_t horizon, std::size_t view, std::vector<GradeCount>& missed);
  [[nodiscard]] ListView view(std::uint64_t sequence);
  void tell_changed(const Timeline& timeline);

  const JoinRule& rule_;
  JoinerOptions options_;
  ListObserver& observer_;
  Duration longest_;
  PieceRule piece_rule_;
  std::size_t longest_index_ = 0;
  std::optional<std::size_t> rating_;    // the action whose values are kept; none when they are not
  std::optional<std::size_t> retested_;  // the same where values of its repeats are kept, too
  EarlierRatings earlier_ratings_;
  std::vector<std::vector<Duration>> reach_;  // per action, per horizon
  // Views of what a list can miss: per action the grade, 0 where it misses nothing by it. Of all actions together first,
  // where some metric asks; then of single ones.
  std::vector<std::vector<double>> missed_gains_;
  std::vector<std::size_t> missed_views_;  // per asked action: its view, where it needs one
  std::vector<std::size_t> asked_as_;      // per action: its index among those asked, or AskedAction::none
  std::vector<std::size_t> depths_;        // per action: JoinRule::depth()
  // Per action: the one whose worth it adds to or takes from, or AskedAction::none; and whether some is not none.
  std::vector<std::size_t> worth_of_;
  bool has_worth_ = false;
  std::vector<std::size_t> undone_;  // per action: credit_rule::undone_actions(); and whether some is not none
  bool has_undone_ = false;

  Interner items_;
  TimelineTable timelines_;
  ListLog lists_;
  FeedbackLog feedback_;
  CreditBook credits_;
  std::unordered_map<std::uint64_t, KnownPieces> pieces_;  // by sequence, where ListEntry::has_pieces; looked up only
  std::vector<std::unique_ptr<HeavyTimeline>> heavy_;
  std::vector<std::uint32_t> heavy_free_;
  // Ids in use whose list is forgotten: (key, list id) -> its pieces.
  std::map<std::pair<std::string, std::string>, ListPieces> echoes_;

  std::uint64_t next_assembled_ = 0;  // sequences: what comes before has been dealt with
  std::uint64_t next_decided_ = 0;
  std::vector<std::uint64_t> next_scored_;  // per horizon
  std::vector<OutcomeCounts> outcomes_;     // by action
  bool credits_later_ = false;

  // Scratch, kept for its capacity.
  std::vector<Interner::Id> piece_items_;
  std::vector<std::uint32_t> ranks_;
  std::vector<Interner::Id> grown_;
  std::vector<Hit> hits_;
  std::vector<GradeCount> missed_;
  std::vector<Rating> ratings_;
  std::vector<std::uint32_t> judged_;
  std::vector<std::uint32_t> rated_again_;  // credits
  std::vector<Retest> retests_;
  std::vector<AssignedFeedback> assigned_;
  std::vector<ActionPart> by_action_;          // as asked
  std::vector<std::vector<Hit>> action_hits_;  // of each
  std::vector<std::vector<Hit>> action_worth_;
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> action_delays_;  // rank, milliseconds
  std::vector<std::vector<std::int64_t>> action_delays_ms_;
  std::vector<std::vector<GradeCount>> action_missed_;
  std::vector<Interner::Id> distinct_;
  std::vector<std::pair<Interner::Id, double>> acted_;
  std::vector<DecidedCredit> told_;
  std::vector<std::uint8_t> teams_;
  std::vector<std::uint8_t> scored_;
  std::vector<std::uint32_t> paying_;  // credits and repeats
  PaidItems paid_;
  PaidItems earned_;                      // of that, what is worth something in this list
  std::vector<TouchedList> touched_;      // by one feedback
  std::vector<HorizonMask> worth_taken_;  // by label; between feedback nothing is
  std::vector<std::uint64_t> in_range_;   // feedback
  PaidItems taken_back_;                  // by item id
};

}  // namespace recmeter
