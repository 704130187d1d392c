#include "recmeter/recommend/prequential.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>

#include "recmeter/base/check.h"
#include "recommend/recommender_group.h"

namespace recmeter {

namespace {

constexpr std::size_t requests_at_once = 256;     // of one round, at most
constexpr std::size_t items_at_once = 1U << 18U;  // of the lists of one round, about

// Lists of a group, in the order in which it made them, until those of the other groups are there.
class MadeLists {
 public:
  Result<void> put(std::size_t recommender, const ListRequest& request, std::span<const RankedItem> items) {
    items_.insert(items_.end(), items.begin(), items.end());
    lists_.push_back({recommender, &request, items_.size()});
    return {};
  }
  [[nodiscard]] bool has_next() const { return next_ < lists_.size(); }
  // Requires: has_next().
  Result<void> hand_over(std::size_t recommender, const Prequential::Take& take) {
    const List& list = lists_[next_];
    RECMETER_CHECK(list.recommender == recommender, "lists come by request and recommender");
    const std::size_t first = next_ == 0 ? 0 : lists_[next_ - 1].end;
    auto taken = take(recommender, *list.request, std::span(items_).subspan(first, list.end - first));
    if (++next_ == lists_.size()) {
      items_.clear();
      lists_.clear();
      next_ = 0;
    }
    return taken;
  }

 private:
  struct List {
    std::size_t recommender = 0;
    const ListRequest* request = nullptr;
    std::size_t end = 0;  // in items_
  };
  std::vector<RankedItem> items_;
  std::vector<List> lists_;
  std::size_t next_ = 0;
};

// Which recommenders are in which group: those in other programs, and recorded lists, in one, the others in as many as there
// are threads.
std::vector<std::vector<std::size_t>> divided(const PrequentialSpec& spec, std::size_t threads) {
  std::vector<std::size_t> built_in;
  std::vector<std::size_t> others;
  for (std::size_t r = 0; r < spec.recommenders.size(); ++r) {
    (is_built_in(spec.recommenders[r].kind) ? built_in : others).push_back(r);
  }
  if (threads <= 1) {
    std::vector<std::size_t> all = std::move(others);
    all.insert(all.end(), built_in.begin(), built_in.end());
    std::ranges::sort(all);
    return {all};
  }
  std::vector<std::vector<std::size_t>> out;
  if (!others.empty()) out.push_back(std::move(others));
  const std::size_t first = out.size();
  const std::size_t groups = std::min(threads, built_in.size());
  out.resize(first + groups);
  for (std::size_t i = 0; i < built_in.size(); ++i) out[first + i % groups].push_back(built_in[i]);
  if (out.empty()) out.emplace_back();
  return out;
}

// The groups of a run. With one its lists are handed over as they come; of several they wait for each other.
class Groups {
 public:
  Groups(const PrequentialSpec& spec, const LearningLog& log, std::vector<ListMaker*> makers, const Prequential::Take& take,
         const TaskRunner& runner)
      : log_(log), take_(take), runner_(runner), group_of_(spec.recommenders.size()) {
    makers.resize(spec.recommenders.size());
    const auto places = divided(spec, runner.threads);
    made_.resize(places.size());
    failures_.resize(places.size());
    for (std::size_t g = 0; g < places.size(); ++g) {
      for (const std::size_t place : places[g]) group_of_[place] = g;
      const auto put = [this, g](std::size_t recommender, const ListRequest& request, std::span<const RankedItem> items) {
        return made_[g].put(recommender, request, items);
      };
      groups_.push_back(std::make_unique<RecommenderGroup>(spec, log, makers, places[g],
                                                           places.size() > 1 ? Prequential::Take(put) : take));
    }
    const std::size_t items = spec.recommenders.size() * std::max<std::size_t>(spec.length, 1);
    at_once_ = std::clamp<std::size_t>(items_at_once / std::max<std::size_t>(items, 1), 1, requests_at_once);
  }

  [[nodiscard]] std::size_t at_once() const { return at_once_; }

  // Requires: rounds come in the order of requests.
  Result<void> answer(std::size_t first, std::size_t end) {
    return in_all([&](std::size_t g) { return answered(g, first, end); });
  }
  Result<void> finish() {
    return in_all([&](std::size_t g) -> std::optional<Failure> {
      auto ended = groups_[g]->end_version();
      if (ended) return std::nullopt;
      return Failure{log_.requests.size(), groups_[g]->failure_of(std::move(ended).error())};
    });
  }
  [[nodiscard]] PrequentialCounts counts() const {
    PrequentialCounts out = groups_.front()->counts();
    for (std::size_t r = 0; r < out.bad_items.size(); ++r) out.bad_items[r] = groups_[group_of_[r]]->counts().bad_items[r];
    return out;
  }

 private:
  struct Failure {
    std::size_t request = 0;
    GroupFailure where;
    [[nodiscard]] auto key() const { return std::tuple(request, where.events, where.recommender); }
  };

  std::optional<Failure> answered(std::size_t g, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const ListRequest& request = log_.requests[i];
      auto done = groups_[g]->answer(request);
      if (!done) return Failure{i, groups_[g]->failure_of(std::move(done).error())};
      if (g > 0) continue;  // of each it would be the same
      for (const std::uint32_t item : request.targets) groups_[g]->count_target({request.ts, request.user, item});
    }
    return std::nullopt;
  }

  // Of failures the first by the log counts, whatever the threads.
  template <class Step>
  Result<void> in_all(const Step& step) {
    std::vector<std::function<void()>> tasks;
    for (std::size_t g = 0; g < groups_.size(); ++g) tasks.emplace_back([&, g] { failures_[g] = step(g); });
    if (tasks.size() == 1) {
      tasks[0]();
    } else {
      runner_.run(tasks);
    }
    std::optional<Failure> first;
    for (std::optional<Failure>& one : failures_) {
      if (one && (!first || one->key() < first->key())) first = std::move(one);
    }
    if (first) return tl::unexpected(std::move(first->where.error));
    return hand_over();
  }

  Result<void> hand_over() {
    if (groups_.size() == 1) return {};
    for (; made_[group_of_[next_]].has_next(); next_ = (next_ + 1) % group_of_.size()) {
      if (auto taken = made_[group_of_[next_]].hand_over(next_, take_); !taken) return taken;
    }
    return {};
  }

  const LearningLog& log_;
  const Prequential::Take& take_;
  const TaskRunner& runner_;
  std::vector<std::size_t> group_of_;  // by recommender
  std::vector<std::unique_ptr<RecommenderGroup>> groups_;
  std::vector<MadeLists> made_;  // by group
  std::vector<std::optional<Failure>> failures_;
  std::size_t at_once_ = 1;
  std::size_t next_ = 0;  // the recommender whose list is handed over next
};

}  // namespace

Prequential::Prequential(const PrequentialSpec& spec, const LearningLog& log, std::vector<ListMaker*> makers)
    : spec_(spec), log_(log), makers_(std::move(makers)) {}

Result<PrequentialCounts> Prequential::run(const Take& take, const std::function<bool(std::uint64_t)>& progress,
                                           const TaskRunner& runner) {
  Groups groups(spec_, log_, makers_, take, runner);
  for (std::size_t first = 0; first < log_.requests.size(); first += groups.at_once()) {
    if (progress && !progress(first)) return failure(Errc::interrupted, "interrupted; nothing was written");
    const std::size_t end = std::min(first + groups.at_once(), log_.requests.size());
    if (auto answered = groups.answer(first, end); !answered) return tl::unexpected(std::move(answered).error());
  }
  if (auto ended = groups.finish(); !ended) return tl::unexpected(std::move(ended).error());
  return groups.counts();
}

}  // namespace recmeter
