#include "app/answers/explained_lists.h"

#include <utility>

#include "app/explain/preset_requests.h"
#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

// A replay of everything with one shard, told to `witness`.
Result<Report> watch_run(const Config& config, const AskedLog& log, const Sorting& sorting, RunWitness& witness) {
  auto inputs = log.open(config);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  const auto plan = EvaluatorPlan::make(config.spec, inputs->lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  ThreadPool pool(1);
  if (auto sorted = sort_inputs(*inputs, config.spec.time, sorting, LookThrough::whole, pool, {}); !sorted)
    return tl::unexpected(std::move(sorted).error());
  return watched_replay(*plan, std::move(*inputs), witness, pool, {}, log.stop);
}

std::string not_found(const explain::Wanted& wanted, const explain::ListFinder& finder, const Report& report) {
  if (!finder.other_users().empty()) {
    return "list " + wanted.list_id + " is not of user " + wanted.user_id + " but of " + *finder.other_users().begin() +
           "; leave --user out or name that one";
  }
  const std::size_t inputs = report.partitions.size();
  std::string text = inputs == 1 ? report.partitions.front().name : std::to_string(inputs) + " inputs";
  text += ": no list " + wanted.list_id + " among " + std::to_string(finder.impressions()) + " impressions";
  if (finder.impressions() > 0) text += " from " + render_utc(finder.first()) + " to " + render_utc(finder.last());
  if (finder.impressions() == 0 && report.events.invalid > 0) {
    text += ", and " + std::to_string(report.events.invalid) + " events were invalid; see recmeter replay --report";
  }
  std::string near;
  for (const std::string& id : finder.near_ids()) near += (near.empty() ? "; did you mean " : ", ") + id;
  return text + (near.empty() ? "; check the id, and that the log holds that time" : near + "?");
}

std::string not_accepted(const explain::Wanted& wanted, const explain::ListWatch& watch, const Report& report) {
  std::string text = "list " + wanted.list_id + " was read, but no impression of it was accepted:";
  for (const auto& seen : watch.impressions()) {
    text += " " + std::string(to_string(seen.fate)) + " in " + report.partitions[seen.input].name + ";";
  }
  return text + " see allowed_lateness and max_step";
}

}  // namespace

Result<ExplainedLists> explain_lists(const explain::Wanted& wanted, const Config& config, const AskedLog& log) {
  explain::ListFinder finder(wanted);
  // Whose list it is does not depend on the order.
  const auto found = watch_run(config, log, {.when = SortWhen::never, .space = {}}, finder);
  if (!found) return tl::unexpected(found.error());
  if (!found->complete) return ExplainedLists{.is_complete = false};
  if (finder.users().empty()) return ExplainedLists{.missing = not_found(wanted, finder, *found)};
  Config whole = config;
  const auto presets = explain::add_presets(whole.spec);
  const auto plan = EvaluatorPlan::make(whole.spec, Duration{0}, false);
  if (!plan) return tl::unexpected(plan.error());
  explain::ListWatch watch(*plan, wanted, finder.users());
  const auto report = watch_run(whole, log, log.sorting, watch);
  if (!report) return tl::unexpected(report.error());
  if (!report->complete) return ExplainedLists{.is_complete = false};
  ExplainedLists out{.invalid = report->events.invalid};
  std::vector<std::string> inputs;
  for (const PartitionReport& partition : report->partitions) inputs.push_back(partition.name);
  for (explain::WatchedList& list : watch.take_lists()) {
    for (explain::WatchedScore& score : list.scores) explain::attach_presets(score.metrics, presets);
    out.lists.push_back(explain::explain(list, watch.impressions(), watch.feedback(), whole.spec.join, inputs));
  }
  if (out.lists.empty()) out.missing = not_accepted(wanted, watch, *report);
  return out;
}

}  // namespace recmeter
