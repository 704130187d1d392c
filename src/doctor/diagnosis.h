// Diagnosis: what the doctor has found: findings, the delay curve, the profile. Pure but for nothing; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/check.h"
#include "doctor/profile.h"

namespace recmeter::doctor {

struct Finding {
  const Check* check = nullptr;
  Sureness sureness = Sureness::silent;
  std::uint64_t cases = 0;
  std::uint64_t of = 0;
  std::string file;       // "": all
  std::string statistic;  // what was found, in words; of a silent one what was counted, and nothing else is there
  std::string cause;      // "": it says itself
  std::string remedy;
  std::vector<Setting> settings;
  std::string hidden_by;  // a finding of which this one follows; "": none

  [[nodiscard]] bool is_told() const { return sureness != Sureness::silent && hidden_by.empty(); }
};

struct Diagnosis {
  std::vector<Finding> findings;  // the silent and the hidden ones, too; by weight
  DelayCurve curve;
  Profile profile;
  std::uint64_t events = 0;
  std::uint64_t sampled_one_in = 1;
  std::size_t checks = 0;        // that had something to look at
  std::size_t checks_short = 0;  // of these: had too few records to say anything

  // The gravest weight among those told.
  [[nodiscard]] std::optional<Weight> gravest() const;
};

[[nodiscard]] Diagnosis diagnose(const Facts& facts, const EvaluatorSpec& spec, std::span<const InputFacts> inputs,
                                 EventTime now);

[[nodiscard]] std::string grouped(std::uint64_t count);  // 8,412

}  // namespace recmeter::doctor
