// Changes that plant faults in a sound log: of some records, of all, of how times are written; and the faults by subject.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "doctor/faults.h"

namespace recmeter::doctor {

inline constexpr std::int64_t minute_ms = 60'000;
inline constexpr std::int64_t hour_ms = 60 * minute_ms;

[[nodiscard]] std::int64_t ts_of(const Record& record);
// For records that are chosen by `share`: in percent.
[[nodiscard]] Change each(std::vector<Record> SoundLog::* records, std::size_t share,
                          const std::function<void(Record&, SoundLog&)>& change);
[[nodiscard]] Change in_lists(std::size_t share, const std::function<void(Record&, SoundLog&)>& change);
[[nodiscard]] Change in_feedback(std::size_t share, const std::function<void(Record&, SoundLog&)>& change);
// Adds what `change` makes of some records.
[[nodiscard]] Change again(std::vector<Record> SoundLog::* records, std::size_t share,
                           const std::function<void(Record&)>& change);
[[nodiscard]] Change without(std::vector<Record> SoundLog::* records,
                             const std::function<bool(const Record&, SoundLog&)>& is_lost);
// `of`: a file; "": all.
[[nodiscard]] Change times(const std::string& of, const std::function<Record(std::int64_t)>& written);
[[nodiscard]] Change both(const Change& first, const Change& second);
// As ISO 8601, with the milliseconds.
[[nodiscard]] std::string iso(std::int64_t ts, char between, const char* zone);

// faults.cpp
[[nodiscard]] std::vector<Fault> faults_of_time();
[[nodiscard]] std::vector<Fault> faults_of_copies();
[[nodiscard]] std::vector<Fault> faults_of_pieces();
// clock_faults.cpp
[[nodiscard]] std::vector<Fault> faults_of_clocks();
// content_faults.cpp
[[nodiscard]] std::vector<Fault> faults_of_ids();
[[nodiscard]] std::vector<Fault> faults_of_users();
[[nodiscard]] std::vector<Fault> faults_of_lists();
[[nodiscard]] std::vector<Fault> faults_of_values();

}  // namespace recmeter::doctor
