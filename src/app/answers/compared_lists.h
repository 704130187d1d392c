// ComparedLists: the lists of the values of a segment key, or of files, at one look, and what is said of them. [S10.33].
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"
#include "recmeter/base/result.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

inline constexpr double alpha_of_lists = 0.05;
inline constexpr std::size_t compared_line_bytes_max = std::size_t{16} << 20;  // of a row or a list
inline constexpr std::string_view by_file = "file";                            // each file is a variant

// The values to compare, and how a table shows them.
struct ComparedLists {
  PairedLists paired = {};
  std::set<std::string> shown = {};  // metrics of the table
  std::string headline = {};         // "": the first that is known for something
  Better headline_better = Better::higher;
  std::map<std::string, Better> better = {};  // by metric, where the log says it; else by what a key is known for
  bool has_too_many = false;                  // values of the key
  std::set<std::string> keys = {};  // segment keys that the log has; filled where no list has the one that is asked for
  ArmsOfUsers users = ArmsOfUsers::unknown;
  bool is_acted_on = true;
};

struct ComparisonRequest {
  std::string by;       // the segment key
  std::string control;  // "": by its name
};

struct ListsAnswer {
  PairedAnswer table;                    // of the metrics that are shown
  std::vector<PairedLists::Pair> pairs;  // of all metrics
};

// Tells whether a file begins with a list that `replay --lists` wrote. A stream is not read for it. Errors: the file's.
[[nodiscard]] Result<bool> begins_with_list(const std::string& path, const std::atomic<bool>& stop);
// Lists as `replay --lists` wrote them. Errors: those of the files; input_corrupt: a line is no list.
[[nodiscard]] Result<ComparedLists> read_list_files(const std::vector<std::string>& paths, const std::string& by,
                                                    const std::atomic<bool>& stop);

// Errors: config_invalid: there is nothing to compare, and why. `lists` is used up.
[[nodiscard]] Result<ListsAnswer> answer_of(const ComparisonRequest& asked, const ComparedLists& lists);

// The sentence of a pair, with whether it is better where that is known of its metric.
[[nodiscard]] std::string words_of(const PairedLists::Pair& pair, const ChosenControl& control, const ComparedLists& lists);
// End of the sentence: "not decided", "better at this one look", or why nothing can be said.
[[nodiscard]] std::string decision_of(const PairedLists::Pair& pair, const ChosenControl& control,
                                      const ComparedLists& lists);

}  // namespace recmeter
