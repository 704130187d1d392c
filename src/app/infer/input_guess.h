// InputGuess: how the records of a log, or of one of lists and one of actions, become events: which fields stand where.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/infer/action_words.h"
#include "app/infer/choice.h"
#include "app/infer/log_sample.h"
#include "app/infer/name_words.h"
#include "app/infer/segment_guess.h"
#include "app/infer/time_guess.h"

namespace recmeter {

// Of one input's records.
struct EventGuess {
  std::string type;                                         // "impression" or an action
  std::vector<std::pair<std::string, std::string>> when;    // path and pattern, as a configuration writes them
  std::vector<std::pair<std::string, std::string>> fields;  // of this event alone
  std::vector<std::pair<std::string, std::string>> entries;
  std::string evidence;
};

struct InputGuess {
  std::size_t number = 0;  // of its sample, from 0
  const LogSample* sample = nullptr;
  TimeGuess time;
  std::vector<Choice> choices;  // fields of every event, ts apart
  std::vector<EventGuess> events;
  std::vector<SegmentGuess> segments;
  EventTime first_list = plus_infinity;  // of an input that has segments
  int position_base = 1;                 // found with find_position_base()
};

struct LogGuess {
  std::vector<InputGuess> inputs;
  std::vector<ActionWord> actions;  // each once; none: lists alone
  bool joins_by_list = false;
  bool repeats_lists = false;  // a list comes again with each action on it
  bool has_lists = true;
  std::set<std::string> on_lists;    // of these actions: done to whole lists
  std::vector<std::string> unread;   // files of which nothing is known to be of lists
  std::optional<Duration> assemble;  // where the default takes too few rows
};

// The event is of the action that `word` stands for.
void add_action(LogGuess& guess, InputGuess& input, std::string_view word, EventGuess event);

// Adds the segments: columns that no other field is made of. Requires: the choices and the events are there.
void add_segments(InputGuess& input, const ListRecords& lists);

// Nothing: no time, or neither lists nor ratings were found. `attempt`: from 0, which of the lists that there may be.
// `samples` outlive what is found; at most two.
[[nodiscard]] std::optional<LogGuess> guess_log(const std::vector<LogSample>& samples, EventTime now, std::size_t attempt);

}  // namespace recmeter
