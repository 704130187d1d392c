#include "support/batch_lanes.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "support/batch_policy_rows.h"

namespace recmeter::support {
namespace {

class LaneMaker {
 public:
  LaneMaker(const EvaluatorSpec& spec, const AcceptedEvents& logged) : spec_(spec), logged_(logged) {
    filled_.resize(logged.lists.size());
    add_lane("logged", !spec.lanes.is_shadow());
    lanes_.front().events.lists = logged.lists;
    for (std::size_t i = 0; i < logged.lists.size(); ++i) lanes_.front().events.lists[i].stands_for = i;
    for (const std::string& name : spec.lanes.names) add_lane(name, false);
    policies_from_ = lanes_.size();
    for (const std::string& name : spec.lanes.names) {
      if (!spec.off_policy) break;
      add_lane(name, !spec.lanes.is_shadow());
      lanes_.back().is_policy = true;
      lanes_.back().events.has_foreign_ids = lanes_.back().events.is_condensed = false;
      lanes_.back().events.lists = lanes_.front().events.lists;
    }
    for (BatchLane& lane : lanes_) {
      std::erase_if(lane.spec.metrics.requests,
                    [&](const MetricRequest& request) { return judges_policy(request.name) != lane.is_policy; });
    }
  }

  std::vector<BatchLane> run(std::vector<BatchEvent> candidates) {
    const EventOrder order(spec_.join.actions);
    std::sort(candidates.begin(), candidates.end(), order);
    for (const BatchEvent& event : candidates) {
      event.kind == BatchEvent::Kind::policy ? take_policy(event) : take(event);
    }
    for (std::size_t lane = policies_from_; lane < lanes_.size(); ++lane) judge(lane - policies_from_, lanes_[lane]);
    if (spec_.lanes.pairs) leave_out();
    return std::move(lanes_);
  }

 private:
  void add_lane(const std::string& name, bool is_as_logged) {
    BatchLane& lane = lanes_.emplace_back(BatchLane{name, spec_, logged_, {}});
    lane.events.lists.clear();
    lane.events.shown = logged_.lists;
    if (!is_as_logged) lane.spec.join.credit = spec_.lanes.credit;
    lane.events.has_foreign_ids = name != "logged";
    lane.events.is_condensed = name != "logged" && spec_.lanes.unjudged == LaneSpec::Unjudged::drop;
    if (!spec_.lanes.is_shadow()) return;
    for (BatchFeedback& feedback : lane.events.feedback) {
      if (!feedback.owner.empty() && !spec_.join.actions[feedback.action].on_list) feedback.list_id.clear();
    }
  }

  void take(const BatchEvent& candidate) {
    const std::string owner = owner_of(candidate, spec_.join.key);
    const bool has_id = !candidate.list_id.empty();
    const auto place = has_id ? named_place(candidate, owner) : place_at(candidate.ts, owner);
    const std::size_t number = candidate.recommender + 1;
    BatchLane& lane = lanes_[number];
    AcceptedEvents::PartitionCounts& counts = lanes_.front().events.partitions[candidate.partition];
    const bool is_first = has_id ? !place || stood_in_.emplace(number, *place).second
                                 : moments_.emplace(number, std::pair(owner, candidate.ts)).second;
    ++(is_first ? counts.candidates : counts.duplicates.front());  // again
    if (!is_first) return;
    if (has_id && !place) {
      ++lane.counts.candidates.orphaned;
      return;
    }
    ++lane.counts.candidates.joined;
    if (place) filled_[*place].insert(number);
    if (has_id) certain_.emplace(std::pair(candidate.recommender, *place), candidate.items);
    BatchList& list = lane.events.lists.emplace_back(has_id ? logged_.lists[*place] : list_of(candidate, owner));
    list.stands_for = place;
    list.latency.reset();  // of a list that nobody waited for
    list.ranks.clear();
    for (const std::string& item : candidate.items)
      list.ranks.push_back({.item = number_of(item, lane.events), .ts = list.ts});
    for (std::size_t i = 0; i < candidate.scores.size(); ++i) {
      if (!std::isnan(candidate.scores[i])) list.ranks[i].score = candidate.scores[i];
    }
  }

  // What is said first of as many ranks as the list has counts.
  void take_policy(const BatchEvent& policy) {
    const auto place = named_place(policy, owner_of(policy, spec_.join.key));
    const bool is_of_ranks = place && policy.propensities.size() == logged_.lists[*place].ranks.size();
    const bool is_first = !is_of_ranks || said_.emplace(std::pair(policy.recommender, *place), policy).second;
    AcceptedEvents::PartitionCounts& counts = lanes_.front().events.partitions[policy.partition];
    ++(is_first ? counts.policies : counts.duplicates.front());  // again
    if (!is_of_ranks) ++lanes_[policies_from_ + policy.recommender].counts.policies.orphaned;
  }

  // Tells the lists of the lane what they judge.
  void judge(std::size_t recommender, BatchLane& lane) {
    for (std::size_t i = 0; i < logged_.lists.size(); ++i) {
      BatchList& list = lane.events.lists[i];
      PolicyList known;
      known.user = list.user;
      known.group = list.group;
      for (const ShownItem& rank : list.ranks) known.logged.push_back(rank.propensity.value_or(-1));
      if (const auto said = said_.find({recommender, i}); said != said_.end()) {
        known.target = said->second.propensities;
        known.predicted = said->second.predicted;
        known.expected = said->second.expected;
        ++lane.counts.policies.joined;
      } else if (const auto shows = certain_.find({recommender, i}); shows != certain_.end()) {
        for (std::size_t at = 0; at < list.ranks.size(); ++at) {
          const auto& item = list.ranks[at].item;
          const bool is_same = item && at < shows->second.size() && logged_.item_ids[*item] == shows->second[at];
          known.target.push_back(is_same ? 1 : 0);
        }
      } else {
        continue;
      }
      if (std::ranges::find(known.logged, -1) != known.logged.end()) continue;
      ++lane.counts.judged;
      list.policy = std::move(known);
    }
  }

  // "the logged list of that (user, list id) that opened last at or before its ts", less than `assemble` before it
  [[nodiscard]] std::optional<std::size_t> named_place(const BatchEvent& candidate, const std::string& owner) const {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < logged_.lists.size(); ++i) {
      const BatchList& list = logged_.lists[i];
      if (list.owner != owner || list.list_id != candidate.list_id || list.ts > candidate.ts) continue;
      const auto opening = [&](std::size_t at) { return std::pair(logged_.lists[at].ts, logged_.lists[at].opened_by); };
      if (!last || opening(*last) < opening(i)) last = i;
    }
    if (!last) return std::nullopt;
    const std::int64_t delay = candidate.ts - logged_.lists[*last].ts;
    return delay == 0 || delay < spec_.join.assemble.ms ? last : std::nullopt;
  }

  // The user's list of that very time; of several the one that opened first.
  [[nodiscard]] std::optional<std::size_t> place_at(std::int64_t ts, const std::string& owner) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < logged_.lists.size(); ++i) {
      const BatchList& list = logged_.lists[i];
      if (list.owner != owner || list.ts != ts) continue;
      if (!first || list.opened_by < logged_.lists[*first].opened_by) first = i;
    }
    return first;
  }

  static BatchList list_of(const BatchEvent& candidate, const std::string& owner) {
    BatchList list;
    list.owner = list.user = owner;
    list.ts = candidate.ts;
    list.segments = candidate.segments;
    list.is_placeless = true;
    list.group = static_cast<std::uint8_t>(XXH3_64bits(owner.data(), owner.size()) >> 58);
    return list;
  }

  static ItemNumber number_of(const std::string& item, AcceptedEvents& events) {
    const auto found = std::ranges::find(events.item_ids, item);
    const auto number = static_cast<ItemNumber>(found - events.item_ids.begin());
    if (found == events.item_ids.end()) events.item_ids.push_back(item);
    return number;
  }

  void leave_out() {
    for (BatchLane& lane : std::span(lanes_).first(policies_from_)) {
      for (BatchList& list : lane.events.lists) {
        list.is_left_out = !list.stands_for || filled_[*list.stands_for].size() < spec_.lanes.names.size();
        lane.counts.unpaired += list.is_left_out ? 1U : 0U;
      }
    }
  }

  const EvaluatorSpec& spec_;
  const AcceptedEvents& logged_;
  std::vector<BatchLane> lanes_;
  std::size_t policies_from_ = 0;                           // the first of those that judge a policy
  std::vector<std::set<std::size_t>> filled_;               // by logged list: the lanes that have one in its place
  std::set<std::pair<std::size_t, std::size_t>> stood_in_;  // lane, logged list
  std::set<std::pair<std::size_t, std::pair<std::string, std::int64_t>>> moments_;  // lane, user, ts
  // By recommender and logged list.
  std::map<std::pair<std::size_t, std::size_t>, BatchEvent> said_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> certain_;
};

}  // namespace

std::vector<BatchLane> make_lanes(const EvaluatorSpec& spec, const AcceptedEvents& logged,
                                  std::vector<BatchEvent> candidates) {
  return LaneMaker(spec, logged).run(std::move(candidates));
}

}  // namespace recmeter::support
