// What `recmeter infer --json` prints. [I3.24].
#pragma once

#include <string>

#include "app/infer/proposal.h"

namespace recmeter {

[[nodiscard]] std::string proposal_json(const Proposal& proposal);

}  // namespace recmeter
