// RecordedLists: the lists of a recommender that were written down before, as `recmeter prequential --record` writes them or
// another program does. Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/recommend/ranking.h"

namespace recmeter {

class RecordedLists {
 public:
  // Lists of `recommender` in the file; those of others are passed over. Items and users that the log does not know are
  // learned by name. Errors: those of reading; input_corrupt with the line.
  [[nodiscard]] static Result<RecordedLists> read(const std::string& path, const std::string& recommender, LearningLog& log);

  // The list for this user at this time; none: empty.
  [[nodiscard]] std::span<const RankedItem> of(const ListRequest& request) const;

 private:
  std::map<std::pair<std::int64_t, std::uint32_t>, std::vector<RankedItem>> lists_;  // by time and user
};

}  // namespace recmeter
