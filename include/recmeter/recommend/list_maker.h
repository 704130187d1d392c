// ListMaker: a recommender that is not built in. It is told what it may know, in the order of the log, and makes lists
// itself.
//
// Prequential calls it so: learn() for what comes before a version, without what nobody did, ask() for each request of the
// version in the order of time and user, answers() once at the version's end; and again. So what it is told depends on the
// log and the rules alone. Thread safety: none; each is of one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/recommend/learning_log.h"
#include "recmeter/recommend/ranking.h"

namespace recmeter {

// The number of an item that the log does not know.
inline constexpr std::uint32_t unknown_item = std::numeric_limits<std::uint32_t>::max();

// A request with what its list may have.
struct Question {
  const ListRequest* request = nullptr;
  std::size_t length = 0;                 // items, at most
  std::vector<std::uint32_t> excluded;    // the user's history, the latest first, where known items are excluded
  std::vector<std::uint32_t> candidates;  // of `candidates: list` and `rated`: these and no other
};

// By rank. What may not be in the list is taken out of it later, and counted.
using MadeList = std::vector<RankedItem>;

class ListMaker {
 public:
  virtual ~ListMaker() = default;

  // Errors, of all three: its end, and that of the run.
  [[nodiscard]] virtual Result<void> learn(const LearnedEvent& event) = 0;
  // `question` outlives the next answers().
  [[nodiscard]] virtual Result<void> ask(const Question& question) = 0;
  // Of all questions since the last call, in their order; empty where it has none.
  [[nodiscard]] virtual Result<std::vector<MadeList>> answers() = 0;
};

}  // namespace recmeter
