// Where the fields of an input stand and how they are made: `fields`, `types`, `events`, `entries`, `root`, `absent`,
// `text_numbers`, `unit` and `zone`. [I3.8], [I3.20], [I3.21].
#pragma once

#include "config/config.h"
#include "config/section.h"
#include "recmeter/evaluation/evaluator_spec.h"

namespace recmeter::config {

// Reads them of the input's `section` into its field table. Where paths alone say it, there is no shape.
void read_field_table(Section& section, InputSpec& input, const JoinRule& rule);

}  // namespace recmeter::config
