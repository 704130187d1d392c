#include "infer/inferred_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "config/load_config.h"

namespace recmeter::test {

void replay_inferred(const std::string& yaml, const std::vector<std::string>& files, RowSink& rows) {
  static const std::atomic<bool> never = false;
  const auto config = load_config(yaml, "inferred.yaml", {.environment = {}, .read_catalog = {}});
  if (!config) {
    ADD_FAILURE() << config.error().front().message << "\n" << yaml;
    return;
  }
  const bool names_files = std::ranges::any_of(config->inputs, [](const InputSpec& input) { return !input.files.empty(); });
  auto inputs = replay_inputs(*config, names_files ? std::vector<std::string>() : files, minus_infinity, {}, never);
  if (!inputs) {
    ADD_FAILURE() << inputs.error().context << "\n" << yaml;
    return;
  }
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, false);
  ReplayOptions options;
  ThreadPool pool(1);
  EXPECT_TRUE(sort_inputs(*inputs, config->spec.time, {.when = SortWhen::automatic, .space = {}, .says_so = false},
                          LookThrough::whole, pool, {}));
  options.decoders = std::move(inputs->decoders);
  EXPECT_TRUE(Replay(*plan, std::move(inputs->partitions), std::move(options), pool, rows).run());
}

}  // namespace recmeter::test
