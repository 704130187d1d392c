#include "app/prequential/read_learning_log.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "recmeter/event/canonical.h"

namespace recmeter {

namespace {

// Takes down accepted feedback and the lists that were shown.
class Notes final : public RunWitness {
 public:
  Notes(const Config& config, std::vector<std::string> actions) : config_(config), actions_(std::move(actions)) {}

  void fate(const EventBatch& batch, const Event& event, PartitionIndex /*partition*/, Fate fate,
            std::optional<DuplicateReason> /*why*/) override {
    if (fate != Fate::accepted) return;
    if (event.kind == EventKind::feedback) {
      if (config_.spec.join.actions[event.action].on_list) return;  // it says nothing of an item
      const std::uint32_t user = event.nobody ? nobody : log_.users.number(batch.user_id(event));
      feedback_.push_back({event.ts, user, log_.items.number(batch.item(event, 0)), event.action,
                           event.has_value ? std::optional(batch.value(event)) : std::nullopt});
      bytes_.push_back(canonical_bytes(batch, event, actions_));
      return;
    }
    if (event.nobody || !asks_at_impressions() || event.segment_count == 0) return;
    // Of a list whose items come in rows, the first one's.
    auto& segments = segments_[{std::string(batch.user_id(event)), std::string(batch.list_id(event)), event.ts.ms}];
    for (std::size_t i = 0; segments.size() < event.segment_count && i < event.segment_count; ++i) {
      segments.emplace_back(batch.segment_key(event, i), batch.segment_value(event, i));
    }
  }

  void decided(const DecidedFeedback& /*feedback*/) override {}

  void scored(const ListView& list, HorizonIndex horizon, const ScoredList& /*score*/, const Interner& items,
              bool /*is_matured*/) override {
    if (!asks_at_impressions() || horizon != HorizonIndex{0} || config_.spec.join.key.is_nobody(list.user_id)) return;
    ListRequest request{.ts = list.ts, .user = log_.users.number(list.user_id), .targets = {}, .shown = {}, .segments = {}};
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      if (list.items[rank] == Interner::none) continue;
      request.shown.push_back(log_.items.number(items.text(list.items[rank])));
      request.ranks.push_back(static_cast<std::uint32_t>(rank + 1));
    }
    if (request.shown.size() == list.items.size()) request.ranks.clear();
    const auto segments = segments_.find({std::string(list.user_id), std::string(list.list_id), list.ts.ms});
    if (segments != segments_.end()) request.segments = segments->second;
    add_context(request, list.list_id);
    list_ids_.emplace_back(list.list_id);
    log_.requests.push_back(std::move(request));
  }

  [[nodiscard]] ReadLog finish(Report report) {
    sort_feedback();
    const std::vector<std::uint8_t>& learn = config_.prequential.learn;
    for (const JudgingFeedback& one : feedback_) {
      if (std::find(learn.begin(), learn.end(), one.action) != learn.end()) {
        log_.events.push_back({one.ts, one.user, one.item, one.action, one.value});
      }
    }
    if (config_.prequential.candidates == PrequentialSpec::Candidates::catalog) {
      for (const std::string& item : config_.spec.catalog->items) log_.catalog.push_back(log_.items.number(item));
    }
    switch (config_.prequential.at) {
      case PrequentialSpec::At::feedback: ask_at_feedback(); break;
      case PrequentialSpec::At::impressions: sort_requests(); break;
      case PrequentialSpec::At::every: ask_every(); break;
    }
    std::erase_if(feedback_, [](const JudgingFeedback& one) { return one.user == nobody; });
    return {std::move(log_), std::move(feedback_), std::move(report)};
  }

 private:
  [[nodiscard]] bool asks_at_impressions() const { return config_.prequential.at == PrequentialSpec::At::impressions; }

  void add_context(ListRequest& request, std::string_view list_id) const {
    for (const std::string& name : config_.prequential.context) {
      if (name == "list_id") {
        request.context.emplace_back(name, list_id);
        continue;
      }
      const auto found = std::ranges::find(request.segments, name, &std::pair<std::string, std::string>::first);
      if (found != request.segments.end()) request.context.push_back(*found);
    }
  }

  template <class Value>
  static std::vector<Value> in_order(std::vector<Value>&& values, const std::vector<std::size_t>& order) {
    std::vector<Value> out;
    out.reserve(values.size());
    for (const std::size_t place : order) out.push_back(std::move(values[place]));
    return out;
  }

  void sort_feedback() {
    std::vector<std::size_t> order(feedback_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(feedback_[a].ts, bytes_[a]) < std::tie(feedback_[b].ts, bytes_[b]);
    });
    feedback_ = in_order(std::move(feedback_), order);
    bytes_ = {};
  }

  void sort_requests() {
    std::vector<std::size_t> order(log_.requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const ListRequest& first = log_.requests[a];
      const ListRequest& second = log_.requests[b];
      return std::tie(first.ts, log_.users.text(first.user), list_ids_[a]) <
             std::tie(second.ts, log_.users.text(second.user), list_ids_[b]);
    });
    log_.requests = in_order(std::move(log_.requests), order);
  }

  // Events of one user at one time are one request with several targets.
  void ask_at_feedback() {
    const std::vector<std::uint8_t>& targets = config_.prequential.targets;
    std::map<std::string_view, std::size_t> of_time;  // user to request
    EventTime ts = minus_infinity;
    for (const JudgingFeedback& one : feedback_) {
      if (one.user == nobody || std::find(targets.begin(), targets.end(), one.action) == targets.end()) continue;
      if (one.ts != ts) {
        end_time(of_time);
        ts = one.ts;
      }
      const auto [at, is_new] = of_time.try_emplace(log_.users.text(one.user), pending_.size());
      if (is_new) pending_.push_back({.ts = ts, .user = one.user, .targets = {}, .shown = {}, .segments = {}});
      std::vector<std::uint32_t>& items = pending_[at->second].targets;
      if (std::find(items.begin(), items.end(), one.item) == items.end()) items.push_back(one.item);
    }
    end_time(of_time);
  }
  void end_time(std::map<std::string_view, std::size_t>& of_time) {
    for (const auto& [user, place] : of_time) log_.requests.push_back(std::move(pending_[place]));
    of_time.clear();
    pending_.clear();
  }

  // At every multiple of `every` since the epoch up to the last event, for those who acted in the time before.
  void ask_every() {
    if (feedback_.empty()) return;
    const Duration every = config_.prequential.every;
    std::map<std::string_view, std::pair<std::uint32_t, std::size_t>> active;  // by user: its number, its actions
    std::size_t seen = 0;
    std::size_t past = 0;
    for (EventTime t{(feedback_.front().ts.ms / every.ms + 1) * every.ms}; t <= feedback_.back().ts; t = t + every) {
      for (; feedback_[seen].ts < t; ++seen) {
        if (feedback_[seen].user == nobody) continue;
        auto& [user, actions] = active[log_.users.text(feedback_[seen].user)];
        user = feedback_[seen].user;
        ++actions;
      }
      for (; past < seen && feedback_[past].ts < t - config_.prequential.active; ++past) {
        if (feedback_[past].user == nobody) continue;
        const auto of_user = active.find(log_.users.text(feedback_[past].user));
        if (--of_user->second.second == 0) active.erase(of_user);
      }
      for (const auto& [text, user] : active) {
        log_.requests.push_back({.ts = t, .user = user.first, .targets = {}, .shown = {}, .segments = {}});
      }
    }
  }

  const Config& config_;
  std::vector<std::string> actions_;
  LearningLog log_;
  std::vector<JudgingFeedback> feedback_;
  std::vector<std::string> bytes_;  // canonical, of each
  std::vector<std::string> list_ids_;
  std::vector<ListRequest> pending_;
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::vector<std::pair<std::string, std::string>>> segments_;
};

}  // namespace

Result<ReadLog> read_learning_log(const Config& config, ReplayInputs inputs, const Sorting& sorting,
                                  const std::function<void(const ReplayProgress&)>& progress, const std::atomic<bool>& stop) {
  ThreadPool pool(1);
  auto sorted = sort_inputs(inputs, config.spec.time, sorting, LookThrough::whole, pool, {});
  if (!sorted) return tl::unexpected(std::move(sorted).error());
  const EvaluatorSpec spec = join_alone(config.spec);
  const auto plan = EvaluatorPlan::make(spec, inputs.lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  Notes notes(config, plan->actions);
  auto report = watched_replay(*plan, std::move(inputs), notes, pool, progress, stop);
  if (!report) return tl::unexpected(std::move(report).error());
  if (!report->complete) return failure(Errc::interrupted, "interrupted; nothing was written");
  return notes.finish(std::move(*report));
}

}  // namespace recmeter
