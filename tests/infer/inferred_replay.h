// A whole log replayed by a configuration that infer wrote, unedited.
#pragma once

#include <string>
#include <vector>

#include "recmeter/port/row_sink.h"

namespace recmeter::test {

// Rows go to `rows`. Fails the test where the configuration is none, or the log cannot be replayed. `files`: what the
// configuration does not name itself.
void replay_inferred(const std::string& yaml, const std::vector<std::string>& files, RowSink& rows);

}  // namespace recmeter::test
