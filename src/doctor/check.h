// Check: one thing that can be wrong with a log, what it asks of the facts, and what it says of them. The table of all checks
// is in checks.cpp; each asks a pure function (time_checks.cpp ...). Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/delay_curve.h"
#include "doctor/facts.h"
#include "doctor/joined_log.h"
#include "doctor/wilson.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/time_form.h"

namespace recmeter::doctor {

// What is known of an input besides its events.
struct InputFacts {
  std::string name;
  TimeForm time;
  std::int64_t position_base = 1;
  Duration lateness;        // allowed
  Duration disorder;        // how far its events lie back at most
  std::string format = {};  // what it is read as, and why: "it is read as CSV, since ..."; "": a stream
};

struct Evidence {
  const Facts& facts;
  const JoinedLog& log;
  const DelayCurve& curve;
  const EvaluatorSpec& spec;
  std::span<const InputFacts> inputs;
  EventTime now;
};

// A key of the configuration and what to write there; of `inputs` it is meant for the entry of Judged::file.
struct Setting {
  std::string key;
  std::string value;
};

// What a check made of the facts. Words fill the placeholders of its texts; {share}, {cases} and {of} are there always.
struct Judged {
  Sureness sureness = Sureness::silent;
  std::uint64_t cases = 0;
  std::uint64_t of = 0;
  std::string file = {};  // "": all
  std::map<std::string, std::string, std::less<>> words = {};
  std::vector<Setting> settings = {};
  std::uint64_t enough = records_min;  // of fewer it says nothing, whatever they are
};

enum class Weight : std::uint8_t { error, warning, note };
[[nodiscard]] std::string_view to_string(Weight weight) noexcept;

struct Check {
  std::string_view code;
  Weight weight;
  double threshold;
  std::vector<Judged> (*judge)(const Evidence& evidence, double threshold);
  std::string_view says;
  std::string_view cause;
  std::string_view remedy;
  std::string_view hides;  // codes that follow from it, between blanks; "*": all behind it in the table
};

// In the order in which they are judged and told.
[[nodiscard]] std::span<const Check> all_checks();

// --- For those that judge

// A share by file: told of the one file that has all cases, where there are several.
class Tally {
 public:
  explicit Tally(const Evidence& evidence) : evidence_(evidence), files_(evidence.inputs.size()) {}
  void add(std::uint32_t file, std::uint64_t cases, std::uint64_t of) {
    files_[file].cases += cases;
    files_[file].of += of;
  }
  [[nodiscard]] Judged above(double threshold) const;
  [[nodiscard]] std::uint64_t cases() const;

 private:
  struct Count {
    std::uint64_t cases = 0;
    std::uint64_t of = 0;
  };
  const Evidence& evidence_;
  std::vector<Count> files_;
};

[[nodiscard]] Judged share_above(std::uint64_t cases, std::uint64_t of, double threshold);
[[nodiscard]] double share(std::uint64_t part, std::uint64_t whole);
[[nodiscard]] std::string percent(double share);
// The next of 1s, 2s, 5s, 10s, ... 1h, 2h, ... 7d; more in days.
[[nodiscard]] Duration rounded_up(std::int64_t ms);
[[nodiscard]] std::string round_span(std::int64_t ms);
// "+2.00 h", "350 ms".
[[nodiscard]] std::string signed_span(std::int64_t ms);
[[nodiscard]] std::string span_text(std::int64_t ms);

}  // namespace recmeter::doctor
