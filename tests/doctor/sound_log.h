// SoundLog: a log as a careful shop writes it, with the rhythms of a real one, to plant faults in: days and nights, sessions,
// favourite items, clicks that fall with the rank, delays, purchases after clicks, an experiment by user, scores, a few
// segments.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/dice.h"

namespace recmeter::doctor {

using Record = nlohmann::json;  // of the native form, its `ts` in milliseconds

struct SoundLog {
  explicit SoundLog(std::uint64_t seed);

  std::vector<Record> lists;  // by time, as the two files have them
  std::vector<Record> feedback;
  // Of the configuration: keys of `inputs` for each file, by file and key; all others by their path, "join.key".
  std::map<std::string, std::map<std::string, std::string>> inputs;
  std::map<std::string, std::string> settings;
  support::Dice dice;

  // A record's time, as the file has it, where it is not the number.
  std::function<Record(const std::string& file, std::int64_t ts)> write_time;
  bool has_one_file = false;
  bool is_sorted = true;  // by time, when written

  void as_rows();  // lists become rows of one item each
};

// What the doctor says of it.
struct Said {
  std::string code;
  std::string remedy;
  std::vector<std::pair<std::string, std::string>> settings;
  std::string input;
  std::string sentence;
};
[[nodiscard]] std::vector<Said> examined(const SoundLog& log);
[[nodiscard]] bool says(const std::vector<Said>& said, const std::string& code);
// Its sentences, a line each.
[[nodiscard]] std::string told(const std::vector<Said>& said);
// The whole answer, as JSON.
[[nodiscard]] Record examination(const SoundLog& log);
// Writes files and configuration into `folder`, and gives their paths, the configuration's last.
std::vector<std::string> write_log(const SoundLog& log, const std::string& folder);

// Does what a finding's settings say.
void apply(const Said& said, SoundLog& log);

}  // namespace recmeter::doctor
