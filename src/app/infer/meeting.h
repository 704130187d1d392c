// Meeting: whether two columns join actions to the lists that they were taken on.
#pragma once

#include <cstddef>

#include "app/infer/log_sample.h"
#include "app/infer/time_guess.h"

namespace recmeter {

struct ListSide {
  const LogSample& sample;
  const ListColumn& items;
  const TimeGuess& time;
};
struct ActionSide {
  const LogSample& sample;
  const Column& item;
  const TimeGuess& time;
  bool beside_lists = false;  // actions stand in the records of lists, too
};

struct Meeting {
  std::size_t actions = 0;    // that have the key
  std::size_t in_any = 0;     // of these, whose item is in a list of the same key
  std::size_t in_latest = 0;  // in the newest list of the same key that was not shown later, within a day
  std::size_t keys = 0;       // different keys of lists
  std::size_t lists = 0;      // that have the key
  std::size_t one_list = 0;   // keys all of whose lists have the same items
  std::size_t several = 0;    // keys that have more than one list

  [[nodiscard]] double any_share() const { return share(in_any, actions); }
  [[nodiscard]] double latest_share() const { return share(in_latest, actions); }
  [[nodiscard]] double one_list_share() const { return share(one_list, keys); }

  [[nodiscard]] static double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

[[nodiscard]] Meeting meet(const ListSide& lists, const Column& list_key, const ActionSide& actions,
                           const Column& action_key);

}  // namespace recmeter
