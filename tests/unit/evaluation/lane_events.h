// Events of lanes for unit tests: of the recommenders B and C, nobody is "anon".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/decoded.h"

namespace recmeter::testing {

inline DecoderOptions lane_decoder() {
  DecoderOptions options = support::decoder_options({"click"});
  options.candidates = {"B", "C"};
  options.reads.recommender = true;
  options.key.not_users = {"anon"};
  return options;
}

inline std::shared_ptr<const EventBatch> lane_events(const std::vector<std::string>& lines) {
  return support::shared_decoded(lines, lane_decoder());
}

}  // namespace recmeter::testing
