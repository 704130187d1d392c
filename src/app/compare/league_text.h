// The league of recommenders that were asked at the same moments: the best first, each against the control.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/compare/paired_lists.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

struct LeagueSpec {
  std::string control;  // the recommender that others are compared with
  Better better = Better::higher;
  double alpha = 0.05;
  std::string note = {};  // what has to be known of the lists, with its line end; may be empty
  // The share of the items of a recommender's first ranks that were on the list shown then; nothing: not known. May be
  // empty.
  std::function<std::optional<double>(std::string_view recommender)> judged = {};
};

// It begins with an empty line. `lists`: of one horizon and one metric. "": there is no control, or nothing beside it.
[[nodiscard]] std::string league_text(const PairedLists& lists, const LeagueSpec& spec);

}  // namespace recmeter
