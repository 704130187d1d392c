// PairedLists: two or more variants of the lists that replay --lists wrote, compared once, by the slots of their users
// ([S10.23], paired: right where a user has lists of both). It is one look, and no verdict.
//
// Metrics that are no mean over lists are left out. Memory: 20 KiB for each horizon, variant and metric. Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/experiment/arm_times.h"
#include "recmeter/experiment/arm_users.h"
#include "recmeter/experiment/comparison.h"
#include "recmeter/metric/list_lengths.h"

namespace recmeter {

class PairedLists {
 public:
  // Tells whether a line of JSON is a list with its metrics.
  [[nodiscard]] static bool is_list(std::string_view json);
  // A line of a file whose lists are of one variant. Errors: input_corrupt: it is no list.
  [[nodiscard]] Result<void> add_of(const std::string& variant, std::string_view json);
  // The variant is the value of segment `key`; lists without it are left out.
  [[nodiscard]] Result<void> add_by(std::string_view key, std::string_view json);

  // Adds what the lists of a variant add up to.
  void add_sums(const std::string& horizon, const std::string& variant, const std::string& metric, const SlotSums& sums);

  // And when these were.
  void add_times(const std::string& variant, const ArmTimes& times) { times_[variant] += times; }

  struct Pair {
    std::string horizon;
    std::string metric;
    std::string arm;
    std::uint64_t lists_control = 0;  // with a value
    std::uint64_t lists_arm = 0;
    std::optional<double> control;  // the mean
    std::optional<double> value;
    Compared comparison;      // relative where the values allow it; or why they cannot be compared
    std::string unsure = {};  // why nothing can be said of how sure it is: "too few users in old"; "": the interval says it
  };
  // In the order of horizon, metric as first seen, arm. Empty: there is no such control, or nothing beside it.
  [[nodiscard]] std::vector<Pair> pairs(const std::string& control, double alpha) const;
  // In order.
  [[nodiscard]] std::vector<std::string> variants() const;
  // From when to when they have lists, by variant, where that is known.
  [[nodiscard]] const std::map<std::string, ArmTimes>& times() const { return times_; }
  // Segment keys of the lists that lack the one that they were to be told apart by.
  [[nodiscard]] const std::set<std::string>& keys() const { return keys_; }
  // By the users of lists that were read.
  [[nodiscard]] ArmsOfUsers arms_of_users() const { return users_.arms(); }
  // Metrics of the lists that were read: those of one cutoff, which is chosen as the first table of a replay chooses its, and
  // those that have none.
  [[nodiscard]] std::set<std::string> metrics_of_a_table() const;

 private:
  std::map<std::string, ListLengths> lengths_;  // by variant; of each list at each horizon
  std::map<std::string, ArmTimes> times_;
  std::set<std::string> keys_;
  ArmUsers users_;
  std::vector<std::string> metrics_;                                                    // keys, as first seen
  std::map<std::string, std::map<std::string, std::map<std::size_t, SlotSums>>> sums_;  // horizon, variant, metric
};

}  // namespace recmeter
