#include "app/attach/attach_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "app/attach/experiment_plans.h"
#include "app/attach/kept_generations.h"
#include "config/config_change.h"
#include "recmeter/live/rebuild.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::string_view remedy =
    "undo the change, start with another state.dir, or run attach --rebuild, which reads the events again with the new "
    "configuration";

// A kept text holds no variables. The items of a catalogue are those of now, in all generations.
ConfigContext context_of_kept(const Config& config, const ConfigContext& context) {
  const auto no_variable = [](const std::string&) { return std::optional<std::string>(); };
  const auto catalog = [&config, &context](const std::string& path, std::size_t id_bytes_max,
                                           const std::string& item_group) -> Result<Catalog> {
    if (!config.spec.catalog || config.spec.catalog->items.empty()) {
      return context.read_catalog(path, id_bytes_max, item_group);
    }
    Catalog of_now = *config.spec.catalog;
    // An attribute of then need not be one now.
    if (!item_group.empty()) of_now.attribute_names.push_back(item_group);
    return of_now;
  };
  return {no_variable, catalog};
}

Duration lateness_max(const Config& config) {
  Duration most{0};
  for (const InputSpec& input : config.inputs) most = std::max(most, input.allowed_lateness);
  return most;
}

class Planning {
 public:
  Planning(StateStore& store, const Config& config, const ConfigContext& context)
      : store_(store), config_(config), context_(context_of_kept(config, context)) {}

  Result<AttachPlans> plans(bool may_rebuild);

 private:
  Result<void> read_kept();
  Result<void> check_is_kept() const;
  Result<void> begin();
  Result<void> read_again(const Checkpoint& checkpoint, const EvaluatorPlan& plan, const std::string& why);
  Result<void> go_on(const Checkpoint& checkpoint, const EvaluatorPlan& plan);
  Result<AttachPlans> of_generations(EvaluatorPlan&& newest);

  StateStore& store_;
  const Config& config_;
  ConfigContext context_;
  std::vector<Generation> generations_;  // the oldest first; the newest is of config_ in the end
  std::deque<Config> kept_;              // what made them, as far as they were there
  std::string notice_;
};

Result<void> Planning::read_kept() {
  auto kept = kept_generations(store_, context_);
  if (!kept) return tl::unexpected(std::move(kept).error());
  generations_ = std::move(kept->generations);
  kept_ = std::move(kept->configs);
  return {};
}

// What is written must come back: text that a variable held need not be text that YAML can hold.
Result<void> Planning::check_is_kept() const {
  const auto loaded = load_kept(config_.kept_text, context_);
  if (loaded && config_changes(*loaded, config_).empty()) return {};
  return failure(Errc::config_invalid, "the configuration cannot be kept in the state (" +
                                           (loaded ? "it comes back with other values" : loaded.error().context) +
                                           "); use shorter and plain text in it, without control characters");
}

// A new state; one that did not come to its first checkpoint is new, too.
Result<void> Planning::begin() {
  if (auto can = check_is_kept(); !can) return can;
  generations_ = {{.config = config_.kept_text}};
  StateBatch batch;
  put_only_generation(batch, generations_.front());
  return store_.write(batch, StateStore::Durability::machine);
}

Result<void> Planning::read_again(const Checkpoint& checkpoint, const EvaluatorPlan& plan, const std::string& why) {
  if (auto can = check_is_kept(); !can) return can;
  std::set<std::string, std::less<>> topics;
  for (const InputSpec& input : config_.inputs) topics.insert(input.topics.begin(), input.topics.end());
  const auto is_input = [&](std::string_view partition) {
    return topics.contains(partition.substr(0, partition.rfind('/')));
  };
  generations_ = {{.config = config_.kept_text}};
  const auto from = rebuild(store_, checkpoint, plan, generations_.front(), is_input);
  if (!from) return tl::unexpected(from.error());
  notice_ = why + "; events are read again" + (*from == minus_infinity ? "" : " from " + render_utc(*from) + " on");
  return {};
}

Result<void> Planning::go_on(const Checkpoint& checkpoint, const EvaluatorPlan& plan) {
  const std::vector<ConfigChange> changes = config_changes(kept_.back(), config_);
  if (changes.empty()) return {};
  if (auto can = check_is_kept(); !can) return can;
  const EventTime from = first_start(plan, checkpoint);
  StateBatch batch;
  begin_generation(batch, generations_, from, config_.kept_text,
                   [&](std::size_t generation) { return config_changes(kept_[generation], config_).empty(); });
  std::vector<std::string> places;
  for (const ConfigChange& change : changes) places.push_back(change.place);
  notice_ = fmt::format("changed: {}; this holds for ", fmt::join(places, ", ")) +
            (from == minus_infinity ? "all windows" : "windows that start at " + render_utc(from) + " or later");
  return store_.write(batch, StateStore::Durability::machine);
}

std::string text_of(const std::vector<ConfigChange>& changes) {
  std::vector<std::string> texts;
  for (const ConfigChange& change : changes) {
    if (change.kind != KeyKind::meaning) continue;
    texts.push_back(fmt::format("{} was {}, is {}", change.place, change.was, change.is));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

Result<AttachPlans> Planning::plans(bool may_rebuild) {
  auto plan = EvaluatorPlan::make(config_.spec, lateness_max(config_), false, true);
  if (!plan) return tl::unexpected(std::move(plan).error());
  if (const auto whole_past = needs_whole_past(config_.spec)) {
    return failure(Errc::config_invalid, *whole_past +
                                             " depends on everything that users did before, which a live run does not keep; "
                                             "remove it, or evaluate the topics with recmeter replay");
  }
  const auto checkpoint = checkpoint_in(store_);
  if (!checkpoint) return tl::unexpected(checkpoint.error());
  Result<void> done;
  if (!*checkpoint) {
    done = begin();
  } else {
    const auto kept = read_kept();
    if (!kept && kept.error().code != Errc::state_unusable) return tl::unexpected(kept.error());
    const std::string changes = kept ? text_of(config_changes(kept_.back(), config_)) : kept.error().context;
    if (changes.empty()) {
      if (const auto can = check_experiments(store_, *plan); !can) return tl::unexpected(can.error());
      done = go_on(**checkpoint, *plan);
    } else if (may_rebuild) {
      done = read_again(**checkpoint, *plan, changes);
    } else {
      return failure(Errc::state_unusable,
                     fmt::format("{}: {}{}; {}", config_.state.dir,
                                 !kept ? ""
                                       : "the configuration gives events another meaning than the one that made "
                                         "this state: ",
                                 changes, remedy));
    }
  }
  if (!done) return tl::unexpected(std::move(done).error());
  auto experiments = keep_experiments(store_, *plan, *checkpoint ? &**checkpoint : nullptr);
  if (!experiments) return tl::unexpected(std::move(experiments).error());
  if (!notice_.empty() && !experiments->empty()) notice_ += "; ";
  notice_ += *experiments;
  return of_generations(std::move(*plan));
}

Result<AttachPlans> Planning::of_generations(EvaluatorPlan&& newest) {
  AttachPlans plans{.generations = {}, .notice = std::move(notice_), .older = {}, .plans = {}};
  for (std::size_t g = 0; g + 1 < generations_.size(); ++g) {
    plans.older.push_back(std::move(kept_[g]));
    keep_parts(plans.older.back().spec);
    auto older = EvaluatorPlan::make(plans.older.back().spec, lateness_max(config_), false);
    if (!older) return tl::unexpected(std::move(older).error());
    plans.plans.push_back(std::move(*older));
  }
  plans.plans.push_back(std::move(newest));
  for (EvaluatorPlan& plan : plans.plans) plan.keep_panes_where_they_pay();
  for (std::size_t g = 0; g < generations_.size(); ++g) {
    plans.generations.push_back({.plan = &plans.plans[g], .number = generations_[g].number, .from = generations_[g].from});
  }
  return plans;
}

}  // namespace

Result<AttachPlans> attach_plans(StateStore& store, const Config& config, const ConfigContext& context, bool rebuild) {
  return Planning(store, config, context).plans(rebuild);
}

}  // namespace recmeter
