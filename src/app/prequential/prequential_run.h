// prequential_run: recommenders that were not live, judged on a log: they predict, are judged, and learn, in event time, and
// rows come out as of a replay, with the segment `recommender` in front of the others. docs/prequential.md.
//
// What flows where: the log is read once for what it teaches (read_learning_log); the recommenders' lists and all feedback
// become a log of their own (LaneLog), which is replayed. So lists of recommenders are joined, windowed and measured by what
// measures live ones, with one difference: nobody touched them, so feedback counts in every list that would have held its
// item (join.credit: every_touch), whatever list it names.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/prequential/external_recommender.h"
#include "app/prequential/read_learning_log.h"
#include "recmeter/base/result.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/recommend/prequential.h"

namespace recmeter {

// Items of the first k ranks of lists, and those that were on the list shown then: no other can have been acted on.
// [S12.13]
struct JudgedItems {
  std::uint64_t items = 0;
  std::uint64_t shown = 0;  // of them
};

struct ListCounts {
  std::uint64_t lists = 0;
  std::uint64_t empty = 0;               // of them
  std::vector<JudgedItems> judged = {};  // by cutoff, with at: impressions
};

struct PrequentialOptions {
  Sorting sorting;
  std::size_t threads = 1;
  file::AtomicFile* record = nullptr;                                // where lists go as candidate records; null: nowhere
  file::AtomicFile* learning_curves = nullptr;                       // where learning curves go; null: nowhere
  std::function<Result<void>(const ScoredLine&)> scored_lists = {};  // may be empty
  std::function<void(const ReplayProgress&)> reading = {};           // may be empty, all three
  std::function<void(std::uint64_t requests, std::uint64_t of)> predicting = {};
  std::function<void(const ReplayProgress&)> judging = {};
  std::function<void(EvaluatorPlan&)> planned = {};  // what judges the lists, before it begins; may be empty, both
  // While that plan is there, with what is known of the lists by recommender.
  std::function<void(const ListTally&, std::span<const ListCounts>)> tallied = {};
  // A line that a recommender in another program wrote to its standard error; may be empty. One call at a time, on any
  // thread, while none of the above is called.
  std::function<void(std::string_view recommender, std::string_view line)> complaint = {};
};

struct PrequentialResult {
  PrequentialCounts counts;
  std::vector<ListCounts> lists;          // by recommender, as configured
  std::vector<ExternalAnswers> external;  // of recommenders in other programs, as configured
  Report read;                            // of the log; wall time of the whole run
  std::uint64_t rows_final = 0;           // written
  std::uint64_t rows_truncated = 0;
};

// Errors: config_invalid where no recommender is configured, or the join is by list; input_corrupt: recorded lists that are
// none; those of reading, of the sink and of recommenders in other programs; interrupted.
[[nodiscard]] Result<PrequentialResult> prequential_run(const Config& config, ReplayInputs inputs,
                                                        const PrequentialOptions& options, RowSink& rows,
                                                        const std::atomic<bool>& stop);

}  // namespace recmeter
