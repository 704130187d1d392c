#include "recommend/recommender_group.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

// The largest multiple of the step not above t.
EventTime version_time(EventTime t, Duration step) {
  if (step.ms == 0) return t;
  const std::int64_t rest = t.ms % step.ms;
  return EventTime{t.ms - (rest < 0 ? rest + step.ms : rest)};
}

}  // namespace

RecommenderGroup::RecommenderGroup(const PrequentialSpec& spec, const LearningLog& log, std::span<ListMaker* const> makers,
                                   std::vector<std::size_t> places, Prequential::Take take)
    : spec_(spec),
      log_(log),
      take_(std::move(take)),
      candidates_(spec, log),
      learned_(spec.history_max),
      known_(spec.history_max),
      ratings_(spec.rating),
      ranking_(log, spec.seed),
      is_known_(log.items.size()) {
  for (const std::size_t place : places) {
    const RecommenderSpec& one = spec.recommenders[place];
    members_.push_back(
        {place, is_built_in(one.kind) ? make_recommender(one, spec, log, ratings_) : nullptr, makers[place], one.context});
    holds_ = holds_ || makers[place] != nullptr;
    rates_ = rates_ || one.kind == RecommenderKind::user_knn;
  }
  counts_.bad_items.resize(spec.recommenders.size());
}

Result<void> RecommenderGroup::answer(const ListRequest& request) {
  const EventTime bound = version_time(request.ts, spec_.step) - spec_.delay;
  if (auto learned = learn_before(bound); !learned) return learned;
  ++counts_.requests;
  if (learned_to_ < spec_.warmup) {
    ++counts_.warmup;
    return {};
  }
  const EventTime known_before = request.ts - spec_.delay;
  for (; !is_history_of_step() && known_to_ < log_.events.size() && log_.events[known_to_].ts < known_before; ++known_to_) {
    known_.add(log_.events[known_to_]);
  }
  const auto known = (is_history_of_step() ? learned_ : known_).of(request.user);
  const auto candidates = candidates_.of(request);
  scores_.resize(candidates.size());
  if (holds_) hold(request, known, candidates);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    at_work_ = members_[m].place;
    if (members_[m].maker != nullptr) {
      if (auto asked = members_[m].maker->ask(held_.back().question); !asked) return asked;
      continue;
    }
    ranked_.clear();
    if (members_[m].model != nullptr) rank(members_[m], request, known, candidates);
    if (holds_) {
      held_.back().lists[m] = ranked_;
    } else if (auto taken = take_(at_work_, request, ranked_); !taken) {
      return taken;
    }
  }
  return {};
}

Result<void> RecommenderGroup::end_version() {
  for (std::size_t m = 0; m < members_.size() && !held_.empty(); ++m) {
    if (members_[m].maker == nullptr) continue;
    at_work_ = members_[m].place;
    auto made = members_[m].maker->answers();
    if (!made) return tl::unexpected(std::move(made).error());
    RECMETER_CHECK(made->size() == held_.size(), "each question has one answer");
    for (std::size_t i = 0; i < held_.size(); ++i) held_[i].lists[m] = allowed(held_[i].question, (*made)[i], at_work_);
  }
  for (const Held& held : held_) {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (auto taken = take_(members_[m].place, *held.question.request, held.lists[m]); !taken) return taken;
    }
  }
  held_.clear();
  return {};
}

void RecommenderGroup::count_target(const LearnedEvent& event) {
  ++counts_.targets;
  counts_.reachable += candidates_.has(event.item) ? 1U : 0U;
  const auto known = (is_history_of_step() ? learned_ : known_).of(event.user);
  counts_.known +=
      std::any_of(known.begin(), known.end(), [&](const KnownItem& one) { return one.item == event.item; }) ? 1U : 0U;
}

PrequentialCounts RecommenderGroup::counts() const {
  PrequentialCounts out = counts_;
  out.events = learned_to_;
  return out;
}

Result<void> RecommenderGroup::learn_before(EventTime bound) {
  if (bound == bound_) return {};
  if (auto ended = end_version(); !ended) return ended;
  bound_ = bound;
  for (; learned_to_ < log_.events.size() && log_.events[learned_to_].ts < bound; ++learned_to_) {
    const LearnedEvent& event = log_.events[learned_to_];
    if (rates_) ratings_.learn(event);
    for (const Member& one : members_) {
      at_work_ = one.place;
      if (one.model != nullptr && (event.user != nobody || one.model->learns_from_nobody())) {
        if (auto learned = one.model->learn(event, learned_.of(event.user)); !learned) return learned;
      }
      if (one.maker != nullptr && event.user != nobody) {
        if (auto learned = one.maker->learn(event); !learned) return learned;
      }
    }
    candidates_.learn(event);
    learned_.add(event);
  }
  for (const Member& one : members_) {
    if (one.model != nullptr) one.model->begin_version(bound);
  }
  candidates_.begin_version(bound);
  return {};
}

std::optional<KnownItem> RecommenderGroup::item_of(std::string_view context, const ListRequest& request) const {
  const auto named = std::ranges::find(request.context, context, &std::pair<std::string, std::string>::first);
  if (context.empty() || named == request.context.end()) return std::nullopt;
  const auto item = log_.items.find(named->second);
  return item ? std::optional(KnownItem{*item, request.ts}) : std::nullopt;
}

void RecommenderGroup::rank(const Member& of, const ListRequest& request, std::span<const KnownItem> known,
                            std::span<const std::uint32_t> candidates) {
  Recommender& model = *of.model;
  const std::optional<KnownItem> beside = item_of(of.context, request);
  model.score(request, beside ? std::span(&*beside, 1) : known, candidates, scores_);
  const bool excludes = excludes_known() && !model.recommends_known();
  const auto mark = [&](std::uint8_t is) {
    for (const KnownItem& one : known) is_known_[one.item] = is;
  };
  if (excludes) mark(1);
  if (beside) is_known_[beside->item] = 1;  // a page does not recommend itself
  const auto best = ranking_.best(request, candidates, scores_, is_known_, spec_.length);
  if (beside) is_known_[beside->item] = 0;
  if (excludes) mark(0);
  ranked_.assign(best.begin(), best.end());
  for (RankedItem& one : ranked_) one.confidence = model.confidence(one.item);
}

void RecommenderGroup::hold(const ListRequest& request, std::span<const KnownItem> known,
                            std::span<const std::uint32_t> candidates) {
  Held& held = held_.emplace_back();
  held.lists.resize(members_.size());
  held.question.request = &request;
  held.question.length = spec_.length;
  if (excludes_known()) {
    for (auto one = known.rbegin(); one != known.rend(); ++one) held.question.excluded.push_back(one->item);
  }
  if (candidates_.are_of_request()) held.question.candidates.assign(candidates.begin(), candidates.end());
}

MadeList RecommenderGroup::allowed(const Question& question, const MadeList& made, std::size_t recommender) {
  const auto is_in = [](const std::vector<std::uint32_t>& items, std::uint32_t item) {
    return std::ranges::find(items, item) != items.end();
  };
  MadeList out;
  for (const RankedItem& one : made) {
    const bool is_candidate = candidates_.are_of_request() ? is_in(question.candidates, one.item) : candidates_.has(one.item);
    const bool is_there = std::ranges::any_of(out, [&](const RankedItem& other) { return other.item == one.item; });
    if (out.size() < question.length && is_candidate && !is_there && !is_in(question.excluded, one.item)) {
      out.push_back(one);
    } else {
      ++counts_.bad_items[recommender];
    }
  }
  return out;
}

}  // namespace recmeter
