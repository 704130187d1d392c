// What a run did that its scenario does not expect.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recmeter/result/report.h"
#include "recmeter/result/row.h"
#include "scenario/scenario.h"

namespace recmeter::scenario {

// Fates and outcomes, as a scenario says them.
[[nodiscard]] std::string described(const Report& report);

// The first way in which the run is not as expected, or nothing.
[[nodiscard]] std::optional<std::string> first_surprise(const Scenario& scenario, const std::vector<Row>& rows,
                                                        const Report& report);

}  // namespace recmeter::scenario
