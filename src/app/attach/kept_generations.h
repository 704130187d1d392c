// KeptGenerations: the configurations that a state was made by, as it keeps them. `attach` and `state check` read them here.
#pragma once

#include <deque>
#include <vector>

#include "config/config.h"
#include "config/load_config.h"
#include "recmeter/base/result.h"
#include "recmeter/live/generation.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct KeptGenerations {
  std::vector<Generation> generations;  // the oldest first; one at least
  std::deque<Config> configs;           // of each
};

// The text that a state keeps has no variables, whose catalogues `context` reads. Errors: state_unusable, where there is
// none or one is damaged; storage_failed.
[[nodiscard]] Result<KeptGenerations> kept_generations(const StateStore& store, const ConfigContext& context);

// Reads one of them, or one that is to be kept. Errors: state_unusable.
[[nodiscard]] Result<Config> load_kept(const std::string& text, const ConfigContext& context);

}  // namespace recmeter
