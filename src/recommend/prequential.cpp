#include "recmeter/recommend/prequential.h"

#include <algorithm>

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
  // Whether a list at feedback may have this target.
  [[nodiscard]] bool has(std::uint32_t target) const {
    return spec_.candidates == PrequentialSpec::Candidates::rated || is_in_[target];
  }

 private:
  const PrequentialSpec& spec_;
  std::vector<std::uint32_t> items_;
  std::vector<EventTime> latest_;
  std::vector<bool> is_in_ = std::vector<bool>(latest_.size());
  std::vector<std::uint32_t> shown_;
};

// One run: the events learned so far, and what is known by then.
class Run {
 public:
  Run(const PrequentialSpec& spec, const LearningLog& log)
      : spec_(spec),
        log_(log),
        candidates_(spec, log),
        learned_(spec.history_max),
        known_(spec.history_max),
        ranking_(log, spec.seed) {
    for (const RecommenderSpec& one : spec.recommenders) {
      models_.push_back(one.kind == RecommenderKind::recorded ? nullptr : make_recommender(one, spec, log));
    }
  }

  // Requires: requests come in the order of time.
  Result<void> answer(const ListRequest& request, const Prequential::Take& take) {
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
    for (std::size_t r = 0; r < models_.size(); ++r) {
      if (models_[r] == nullptr) {
        if (auto taken = take(r, request, {}); !taken) return taken;
        continue;
      }
      models_[r]->score(request, known, candidates, scores_);
      const bool excludes = excludes_known() && !models_[r]->recommends_known();
      const auto best = ranking_.best(request, candidates, scores_, excludes ? is_known_ : nothing_, spec_.length);
      ranked_.assign(best.begin(), best.end());
      for (RankedItem& one : ranked_) one.confidence = models_[r]->confidence(one.item);
      if (auto taken = take(r, request, ranked_); !taken) return taken;
    }
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
    bound_ = bound;
    for (; learned_to_ < log_.events.size() && log_.events[learned_to_].ts < bound; ++learned_to_) {
      const LearnedEvent& event = log_.events[learned_to_];
      for (const auto& model : models_) {
        if (model == nullptr) continue;
        if (auto learned = model->learn(event, learned_.of(event.user)); !learned) return learned;
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
  std::vector<std::unique_ptr<Recommender>> models_;  // null: recorded
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

Prequential::Prequential(const PrequentialSpec& spec, const LearningLog& log) : spec_(spec), log_(log) {}

Result<PrequentialCounts> Prequential::run(const Take& take, const std::function<bool(std::uint64_t)>& progress) {
  Run run(spec_, log_);
  for (std::size_t i = 0; i < log_.requests.size(); ++i) {
    if (i % progress_every == 0 && progress && !progress(i)) {
      return failure(Errc::interrupted, "interrupted; nothing was written");
    }
    const ListRequest& request = log_.requests[i];
    if (auto answered = run.answer(request, take); !answered) return tl::unexpected(std::move(answered).error());
    for (const std::uint32_t item : request.targets) run.count_target({request.ts, request.user, item});
  }
  return run.counts();
}

}  // namespace recmeter
