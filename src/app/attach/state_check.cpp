#include "app/attach/state_check.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/attach/attach_plans.h"
#include "app/attach/kept_generations.h"
#include "recmeter/live/kept_experiments.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

namespace {

// The state as it is; what would be written to it is not.
class Unwritten final : public StateStore {
 public:
  explicit Unwritten(const StateStore& store) : store_(store) {}
  Result<void> write(const StateBatch& /*batch*/, Durability /*durability*/) override { return {}; }
  Result<std::optional<std::string>> get(std::string_view key) const override { return store_.get(key); }
  Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    return store_.scan(from, to, visit);
  }

 private:
  const StateStore& store_;
};

// The items of catalogues decide no shape: one with an attribute stands for all.
Result<Catalog> any_catalog(const std::string& /*path*/, std::size_t /*id_bytes_max*/, const std::string& item_group) {
  Catalog catalog{.size = 1, .items = {"any"}};
  catalog.attributes = {{"any", {0}}};
  catalog.attribute_names = {item_group};
  return catalog;
}

ConfigContext context_of_kept(const ConfigContext& context) {
  return {[](const std::string&) { return std::optional<std::string>(); }, any_catalog, context.check_live};
}

tl::unexpected<Error> unusable(const Error& error) {
  const bool says_more = error.context.find("; ") != std::string::npos;
  return failure(error.code, "the state is damaged: " + error.context +
                                 (says_more ? "" : "; restore it, or move it away and start again"));
}

}  // namespace

Result<StateSurvey> check_state(const StateStore& store, const ConfigContext& context, const Config* config) {
  Unwritten as_attach(store);
  if (auto upgraded = upgrade_row_archive(as_attach); !upgraded) return tl::unexpected(std::move(upgraded).error());
  const auto checkpoint = checkpoint_in(store);
  if (!checkpoint) return tl::unexpected(checkpoint.error());
  if (!*checkpoint) return survey_of(store);
  const ConfigContext kept_context = context_of_kept(context);
  const auto kept = kept_generations(store, kept_context);
  if (!kept) return unusable(kept.error());
  const auto experiments = experiments_in(store);
  if (!experiments) return tl::unexpected(experiments.error());
  Config newest = config != nullptr ? *config : kept->configs.back();
  std::erase_if(newest.spec.windows, std::mem_fn(&WindowSpec::is_whole));
  const auto plans = attach_plans(as_attach, newest, config != nullptr ? context : kept_context, false);
  if (!plans) return tl::unexpected(plans.error());
  const EvaluatorPlan& plan = *plans->generations.back().plan;
  if (auto sound = check_looks(store, (*checkpoint)->number); !sound) return tl::unexpected(std::move(sound).error());
  if (auto pasts = pasts_in(store, plan); !pasts) return tl::unexpected(std::move(pasts).error());
  return survey_of(store, plan.spec);
}

}  // namespace recmeter
