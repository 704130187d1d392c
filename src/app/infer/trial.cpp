#include "app/infer/trial.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "app/infer/first_records.h"
#include "app/run/input_sorter.h"
#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "config/load_config.h"
#include "doctor/facts.h"
#include "doctor/joined_log.h"

namespace recmeter {
namespace {

// Which lists there are, which go on, and which feedback names one that has its item.
class Lists {
 public:
  explicit Lists(const JoinRule& rule) : rule_(rule) {}

  void add(const EventBatch& batch) {
    for (const Event& event : batch.events()) {
      if (event.outcome != Outcome::event) continue;
      if (event.kind == EventKind::feedback) {
        if (batch.item(event, 0).empty()) continue;
        feedback_.push_back({std::string(batch.list_id(event)), std::string(batch.item(event, 0)), event.ts});
        continue;
      }
      const auto [at, is_new] =
          lists_.try_emplace(std::string(batch.list_id(event)),
                             List{.shown = event.ts, .user = std::string(batch.user_id(event)), .first = {}, .items = {}});
      List& list = at->second;
      // Of a list that comes again, the first is the list.
      const bool is_whole = event.kind == EventKind::impression;
      if (!is_new && is_whole) list.is_continued = list.is_continued || goes_on(list, batch, event);
      if (!is_new && is_whole && event.ts >= list.shown) continue;
      if (is_whole) list.items.clear();
      list.shown = std::min(list.shown, event.ts);
      if (event.item_count > 0 && (is_whole || event.position == 1)) list.first = batch.item(event, 0);
      for (std::size_t i = 0; i < event.item_count; ++i) list.items.emplace(batch.item(event, i));
    }
  }
  void tell(Trial& trial) const {
    trial.lists = lists_.size();
    trial.feedback = feedback_.size();
    for (const auto& [id, list] : lists_) trial.continued += list.is_continued ? 1U : 0U;
    for (const Feedback& each : feedback_) {
      const auto list = lists_.find(each.list);
      if (list == lists_.end() || !list->second.items.contains(each.item)) continue;
      trial.behind_list += each.ts >= list->second.shown ? 1U : 0U;
      trial.on_first += each.ts == list->second.shown && each.item == list->second.first ? 1U : 0U;
    }
  }

 private:
  struct List {
    EventTime shown;
    std::string user;
    std::string first;  // item
    std::set<std::string> items;
    bool is_continued = false;
  };
  [[nodiscard]] bool goes_on(const List& list, const EventBatch& batch, const Event& whole) const {
    const std::int64_t since = whole.ts.ms - list.shown.ms;
    if (rule_.whole_lists == WholeLists::own || batch.user_id(whole) != list.user || since < 0 || since >= rule_.assemble.ms)
      return false;
    for (std::size_t i = 0; i < whole.item_count; ++i) {
      if (!batch.item(whole, i).empty() && !list.items.contains(std::string(batch.item(whole, i)))) return true;
    }
    return false;
  }
  struct Feedback {
    std::string list;
    std::string item;
    EventTime ts;
  };
  const JoinRule& rule_;
  std::unordered_map<std::string, List> lists_;
  std::vector<Feedback> feedback_;
};

}  // namespace

tl::expected<Config, std::vector<ConfigFault>> load_inferred(const std::string& text) {
  const ConfigContext context{.environment = [](const std::string&) { return std::nullopt; }, .read_catalog = {}};
  return load_config(text, "inferred", context);
}

bool Trial::fits() const {
  const std::uint64_t known = records - timeless;
  if (known == 0 || timeless * 10 > records * 6 || invalid * 10 > known) return false;
  return feedback > 0 && events > 0;
}

std::string Trial::unfit_field() const {
  const std::uint64_t known = records - timeless;
  const bool is_of_this_kind = known > 0 && timeless * 10 <= records * 6 && invalid * 10 > known;
  return is_of_this_kind && faulty_fields.size() == 1 ? *faulty_fields.begin() : std::string();
}

Result<Trial> try_configuration(const Config& config, const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  Trial trial;
  Lists lists(config.spec.join);
  const auto add = [&](const RecordBatch& batch, const EventBatch& events) {
    trial.records += batch.records.size();
    for (const Event& event : events.events()) {
      trial.events += event.outcome == Outcome::event ? 1U : 0U;
      const bool is_invalid = event.outcome == Outcome::invalid;
      trial.invalid += is_invalid ? 1U : 0U;
      trial.bad_positions += is_invalid && event.reason == InvalidReason::bad_position ? 1U : 0U;
      if (event.outcome == Outcome::ignored) ++(event.has_time ? trial.ignored : trial.timeless);
    }
    for (const InvalidSample& sample : events.invalid_samples()) trial.faulty_fields.insert(sample.field);
    lists.add(events);
  };
  if (auto done = decode_first_records(config, files, stop, add); !done) return tl::unexpected(std::move(done).error());
  lists.tell(trial);
  return trial;
}

Result<SampleReplay> replay_sample(const Config& config, const std::vector<std::string>& files,
                                   const std::atomic<bool>& stop) {
  auto inputs = first_records(config, files, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  const Duration lateness = inputs->lateness_max;
  const auto plan = EvaluatorPlan::make(config.spec, lateness, false);
  if (!plan) return tl::unexpected(plan.error());
  ThreadPool pool(1);
  const Sorting sorting{.when = SortWhen::always, .space = {}, .says_so = false};
  if (auto sorted = sort_inputs(*inputs, config.spec.time, sorting, LookThrough::sample, pool, {}); !sorted) {
    return tl::unexpected(std::move(sorted).error());
  }
  doctor::Facts facts(config.spec.join, inputs->partitions.size());
  auto report = watched_replay(*plan, std::move(*inputs), facts, pool, {}, stop);
  if (!report) return tl::unexpected(std::move(report).error());
  const doctor::JoinedLog log(facts.sample, config.spec.join);
  return SampleReplay{.report = std::move(*report), .curve = delay_curve(log, config.spec.join, lateness)};
}

}  // namespace recmeter
