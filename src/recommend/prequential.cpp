#include "recmeter/recommend/prequential.h"

#include <algorithm>
#include <deque>

#include "recmeter/base/check.h"
#include "recmeter/recommend/recommender.h"
#include "recmeter/recommend/user_history.h"

namespace recmeter {

namespace {

constexpr std::uint64_t progress_every = 1024;  // requests

// The largest multiple of the step not above t.
EventTime version_time(EventTime t, Duration step) {
  if (step.ms == 0) return t;
  const std::int64_t rest = t.ms % step.ms;
  return EventTime{t.ms - (rest < 0 ? rest + step.ms : rest)};
}

// Which items a list may have: those learned, those learned lately, those of the catalogue, or the request's own.
class CandidateItems {
 public:
  CandidateItems(const PrequentialSpec& spec, const LearningLog& log) : spec_(spec), latest_(log.items.size()) {
    if (spec.candidates != PrequentialSpec::Candidates::catalog) return;
    items_ = log.catalog;
    for (const std::uint32_t item : items_) is_in_[item] = true;
  }

  void learn(const LearnedEvent& event) {
    if (spec_.candidates == PrequentialSpec::Candidates::catalog) return;
    if (!is_in_[event.item]) items_.push_back(event.item);
    is_in_[event.item] = true;
    latest_[event.item] = event.ts;
  }
  void begin_version(EventTime bound) {
    if (spec_.candidates != PrequentialSpec::Candidates::recent) return;
    std::erase_if(items_, [&](std::uint32_t item) {
      const bool is_old = latest_[item] < bound - spec_.recent;
      if (is_old) is_in_[item] = false;
      return is_old;
    });
  }
  [[nodiscard]] std::span<const std::uint32_t> of(const ListRequest& request) {
    if (spec_.candidates == PrequentialSpec::Candidates::rated) return request.targets;
    if (spec_.candidates != PrequentialSpec::Candidates::list) return items_;
    shown_.clear();
    for (const std::uint32_t item : request.shown) {
      if (std::find(shown_.begin(), shown_.end(), item) == shown_.end()) shown_.push_back(item);
    }
    return shown_;
  }
  // Whether they are others for each request.
  [[nodiscard]] bool are_of_request() const {
    return spec_.candidates == PrequentialSpec::Candidates::rated || spec_.candidates == PrequentialSpec::Candidates::list;
  }
  // Whether a list at feedback may have this target; of made lists, any item.
  [[nodiscard]] bool has(std::uint32_t item) const {
    return spec_.candidates == PrequentialSpec::Candidates::rated || (item < is_in_.size() && is_in_[item]);
  }

 private:
  const PrequentialSpec& spec_;
  std::vector<std::uint32_t> items_;
  std::vector<EventTime> latest_;
  std::vector<bool> is_in_ = std::vector<bool>(latest_.size());
  std::vector<std::uint32_t> shown_;
};

// A request whose lists wait for the end of their version.
struct Held {
  Question question;
  std::vector<MadeList> lists;  // by recommender
};

// One run: the events learned so far, and what is known by then.
class Run {
 public:
  Run(const PrequentialSpec& spec, const LearningLog& log, std::vector<ListMaker*> makers, const Prequential::Take& take)
      : spec_(spec),
        log_(log),
        makers_(std::move(makers)),
        take_(take),
        candidates_(spec, log),
        learned_(spec.history_max),
        known_(spec.history_max),
        ranking_(log, spec.seed) {
    for (const RecommenderSpec& one : spec.recommenders) {
      const bool is_built_in = one.kind != RecommenderKind::recorded && one.kind != RecommenderKind::process;
      models_.push_back(is_built_in ? make_recommender(one, spec, log) : nullptr);
    }
    makers_.resize(models_.size());
    counts_.bad_items.resize(models_.size());
    holds_ = std::ranges::any_of(makers_, [](const ListMaker* maker) { return maker != nullptr; });
  }

  // Requires: requests come in the order of time.
  Result<void> answer(const ListRequest& request) {
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
    mark_known(known, candidates);
    scores_.resize(candidates.size());
    if (holds_) hold(request, known, candidates);
    for (std::size_t r = 0; r < models_.size(); ++r) {
      if (makers_[r] != nullptr) {
        if (auto asked = makers_[r]->ask(held_.back().question); !asked) return asked;
        continue;
      }
      ranked_.clear();
      if (models_[r] != nullptr) rank(*models_[r], request, known, candidates);
      if (holds_) {
        held_.back().lists[r] = ranked_;
      } else if (auto taken = take_(r, request, ranked_); !taken) {
        return taken;
      }
    }
    return {};
  }

  // Hands over what waits for the version's end.
  Result<void> end_version() {
    for (std::size_t r = 0; r < makers_.size() && !held_.empty(); ++r) {
      if (makers_[r] == nullptr) continue;
      auto made = makers_[r]->answers();
      if (!made) return tl::unexpected(std::move(made).error());
      RECMETER_CHECK(made->size() == held_.size(), "each question has one answer");
      for (std::size_t i = 0; i < held_.size(); ++i) held_[i].lists[r] = allowed(held_[i].question, (*made)[i], r);
    }
    for (const Held& held : held_) {
      for (std::size_t r = 0; r < models_.size(); ++r) {
        if (auto taken = take_(r, *held.question.request, held.lists[r]); !taken) return taken;
      }
    }
    held_.clear();
    return {};
  }

  // A target of a request at its time: what was asked of the recommenders, could they have said it?
  void count_target(const LearnedEvent& event) {
    ++counts_.targets;
    counts_.reachable += candidates_.has(event.item) ? 1U : 0U;
    const auto known = (is_history_of_step() ? learned_ : known_).of(event.user);
    counts_.known +=
        std::any_of(known.begin(), known.end(), [&](const KnownItem& one) { return one.item == event.item; }) ? 1U : 0U;
  }

  [[nodiscard]] PrequentialCounts counts() const {
    PrequentialCounts out = counts_;
    out.events = learned_to_;
    return out;
  }

 private:
  // What the user rates is asked about, known or not.
  [[nodiscard]] bool excludes_known() const {
    return spec_.exclude == PrequentialSpec::Exclude::known && spec_.candidates != PrequentialSpec::Candidates::rated;
  }
  [[nodiscard]] bool is_history_of_step() const { return spec_.history == PrequentialSpec::History::step; }

  Result<void> learn_before(EventTime bound) {
    if (bound == bound_) return {};
    if (auto ended = end_version(); !ended) return ended;
    bound_ = bound;
    for (; learned_to_ < log_.events.size() && log_.events[learned_to_].ts < bound; ++learned_to_) {
      const LearnedEvent& event = log_.events[learned_to_];
      for (const auto& model : models_) {
        if (model == nullptr) continue;
        if (auto learned = model->learn(event, learned_.of(event.user)); !learned) return learned;
      }
      for (ListMaker* const maker : makers_) {
        if (maker == nullptr) continue;
        if (auto learned = maker->learn(event); !learned) return learned;
      }
      candidates_.learn(event);
      learned_.add(event);
    }
    for (const auto& model : models_) {
      if (model != nullptr) model->begin_version(bound);
    }
    candidates_.begin_version(bound);
    return {};
  }

  void rank(Recommender& model, const ListRequest& request, std::span<const KnownItem> known,
            std::span<const std::uint32_t> candidates) {
    model.score(request, known, candidates, scores_);
    const bool excludes = excludes_known() && !model.recommends_known();
    const auto best = ranking_.best(request, candidates, scores_, excludes ? is_known_ : nothing_, spec_.length);
    ranked_.assign(best.begin(), best.end());
    for (RankedItem& one : ranked_) one.confidence = model.confidence(one.item);
  }

  void hold(const ListRequest& request, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates) {
    Held& held = held_.emplace_back();
    held.lists.resize(models_.size());
    held.question.request = &request;
    held.question.length = spec_.length;
    if (excludes_known()) {
      for (auto one = known.rbegin(); one != known.rend(); ++one) held.question.excluded.push_back(one->item);
    }
    if (candidates_.are_of_request()) held.question.candidates.assign(candidates.begin(), candidates.end());
  }

  // The list without what may not be in it: what is no candidate, is excluded, stands there already, or is too much.
  MadeList allowed(const Question& question, const MadeList& made, std::size_t recommender) {
    const auto is_in = [](const std::vector<std::uint32_t>& items, std::uint32_t item) {
      return std::ranges::find(items, item) != items.end();
    };
    MadeList out;
    for (const RankedItem& one : made) {
      const bool is_candidate =
          candidates_.are_of_request() ? is_in(question.candidates, one.item) : candidates_.has(one.item);
      const bool is_there = std::ranges::any_of(out, [&](const RankedItem& other) { return other.item == one.item; });
      if (out.size() < question.length && is_candidate && !is_there && !is_in(question.excluded, one.item)) {
        out.push_back(one);
      } else {
        ++counts_.bad_items[recommender];
      }
    }
    return out;
  }

  void mark_known(std::span<const KnownItem> known, std::span<const std::uint32_t> candidates) {
    stamps_.resize(log_.items.size());
    ++stamp_;
    for (const KnownItem& one : known) stamps_[one.item] = stamp_;
    is_known_.resize(candidates.size());
    nothing_.assign(candidates.size(), 0);
    for (std::size_t i = 0; i < candidates.size(); ++i) is_known_[i] = stamps_[candidates[i]] == stamp_ ? 1 : 0;
  }

  const PrequentialSpec& spec_;
  const LearningLog& log_;
  std::vector<std::unique_ptr<Recommender>> models_;  // null: not built in
  std::vector<ListMaker*> makers_;                    // of as many; null: of another kind
  const Prequential::Take& take_;
  bool holds_ = false;     // there is a maker
  std::deque<Held> held_;  // makers know the questions by their place
  CandidateItems candidates_;
  UserHistories learned_;  // of what the models have learned
  UserHistories known_;    // of what is known at the request
  std::size_t learned_to_ = 0;
  std::size_t known_to_ = 0;
  EventTime bound_ = minus_infinity;
  Ranking ranking_;
  PrequentialCounts counts_;
  std::vector<double> scores_;
  std::vector<RankedItem> ranked_;
  std::vector<std::uint64_t> stamps_;  // by item: the request whose user knows it
  std::uint64_t stamp_ = 0;
  std::vector<std::uint8_t> is_known_;  // by candidate
  std::vector<std::uint8_t> nothing_;
};

}  // namespace

Prequential::Prequential(const PrequentialSpec& spec, const LearningLog& log, std::vector<ListMaker*> makers)
    : spec_(spec), log_(log), makers_(std::move(makers)) {}

Result<PrequentialCounts> Prequential::run(const Take& take, const std::function<bool(std::uint64_t)>& progress) {
  Run run(spec_, log_, makers_, take);
  for (std::size_t i = 0; i < log_.requests.size(); ++i) {
    if (i % progress_every == 0 && progress && !progress(i)) {
      return failure(Errc::interrupted, "interrupted; nothing was written");
    }
    const ListRequest& request = log_.requests[i];
    if (auto answered = run.answer(request); !answered) return tl::unexpected(std::move(answered).error());
    for (const std::uint32_t item : request.targets) run.count_target({request.ts, request.user, item});
  }
  if (auto ended = run.end_version(); !ended) return tl::unexpected(std::move(ended).error());
  return run.counts();
}

}  // namespace recmeter
