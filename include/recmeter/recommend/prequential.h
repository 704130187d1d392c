// Prequential: predict, then learn, in event time: every request is answered by models that know nothing of what came at its
// time or after. (Herlocker et al. 2004, section 3.1; Vinagre, Jorge, Gama 2014.)
//
// A request at t is answered by the version of s(t), which is t with `step: 0s`, else the largest multiple of the step since
// the epoch not above t: the models have learned exactly the events before s(t) - delay. The user's own history is those
// before t - delay, or before s(t) - delay with `history: step`. Events of one time are learned together, after every request
// of that time. So no event at or after t changes what is predicted at or before it.
//
// Lists of makers come at the version's end, so with makers the lists of one version are held until then.
//
// Recommenders do not see each other, so groups of them are walked at the same time, over the same requests, each with
// histories of its own; lists are handed over by request and recommender, whatever the number of groups. Those in other
// programs are one group.
//
// Thread safety: none; run() is of one thread, and Take is called by it alone; makers are called by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/recommend/learning_log.h"
#include "recmeter/recommend/list_maker.h"
#include "recmeter/recommend/prequential_spec.h"
#include "recmeter/recommend/ranking.h"

namespace recmeter {

// Who walks the groups.
struct TaskRunner {
  std::size_t threads = 1;
  // Runs every task once and returns when all are done; may be empty with one thread.
  std::function<void(std::span<const std::function<void()>> tasks)> run = {};
};

struct PrequentialCounts {
  std::uint64_t requests = 0;
  std::uint64_t events = 0;              // learned
  std::uint64_t warmup = 0;              // requests before enough had been learned: no list
  std::uint64_t targets = 0;             // of requests at feedback: items that the user acts on then
  std::uint64_t reachable = 0;           // of them, those that were candidates
  std::uint64_t known = 0;               // and those that the user had acted on before
  std::vector<std::uint64_t> bad_items;  // by recommender: items of made lists that may not be in them
};

class Prequential {
 public:
  // A list of a recommender, by its place in the configuration. Errors: the caller's, and end the run.
  using Take =
      std::function<Result<void>(std::size_t recommender, const ListRequest& request, std::span<const RankedItem> items)>;

  // All outlive it. `makers`: by recommender, of those that are not built in; null, or beyond the end: none. Of kind
  // `recorded` and `shown`, Take is given no items: its lists are the caller's.
  Prequential(const PrequentialSpec& spec, const LearningLog& log, std::vector<ListMaker*> makers = {});

  // `progress`: requests answered, now and then; false ends the run. Errors: interrupted; those of Take and of the models,
  // the first by the log of several.
  [[nodiscard]] Result<PrequentialCounts> run(const Take& take, const std::function<bool(std::uint64_t)>& progress,
                                              const TaskRunner& runner = {});

 private:
  const PrequentialSpec& spec_;
  const LearningLog& log_;
  std::vector<ListMaker*> makers_;
};

}  // namespace recmeter
