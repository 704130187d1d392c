// Texts that are lists: "a|b|c", "N1-0 N2-1", "['a', 'b']".
#pragma once

#include "app/infer/log_sample.h"

namespace recmeter {

// Adds a list for each column most of whose texts one separator cuts, and for its entries' second parts where a flag
// stands behind each.
void add_split_texts(LogSample& sample);

}  // namespace recmeter
