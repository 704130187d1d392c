// Checks that attach can go on with a state: all that it would read is read, by the code that reads it there, and nothing is
// written. What it would make anew (sealed panes) or reads only when it is asked (rows for queries) is counted.
#pragma once

#include "config/config.h"
#include "config/load_config.h"
#include "recmeter/base/result.h"
#include "recmeter/live/state_survey.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// `config`: which attach would have; null: the one that made the state, without experiments, whose looks are then only
// counted. Errors: those of attach before it reads its topics.
[[nodiscard]] Result<StateSurvey> check_state(const StateStore& store, const ConfigContext& context, const Config* config);

}  // namespace recmeter
