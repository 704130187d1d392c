// ListPair: a column of lists and the column of the items that actions are on, or what else tells them.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "app/infer/log_sample.h"
#include "app/infer/time_guess.h"

namespace recmeter {

// One of the inputs.
struct TimedSample {
  const LogSample* sample;
  const TimeGuess* time;
};

struct ListPair {
  const ListColumn* items = nullptr;
  const LogSample* list_sample = nullptr;
  const Column* item = nullptr;  // null: lists or flags in the record tell, or no action is known
  const LogSample* action_sample = nullptr;
  std::vector<const ListColumn*> flags = {};  // of its entries: each says that something was done
  const ListColumn* done = nullptr;           // a list of those of its entries that something was done to
  bool is_beside = false;                     // actions stand in the records of lists
  double score = 0;
};

// Best first. What the inputs refer to outlives them.
[[nodiscard]] std::vector<ListPair> find_pairs(const std::vector<TimedSample>& inputs);
// Lists of which no action is known; they have the name of such ones.
[[nodiscard]] std::optional<ListPair> find_lists_alone(const std::vector<TimedSample>& inputs);
// The items that some list has.
[[nodiscard]] std::unordered_set<Cell> vocabulary_of(const ListColumn& list);

}  // namespace recmeter
