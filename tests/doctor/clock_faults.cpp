// Faults of clocks in local time, in the nights in which summer time begins and ends.
#include <chrono>

#include "doctor/changes.h"

namespace recmeter::doctor {
namespace {

// On the clocks of Central Europe: 2025-03-30T01:00Z and 2025-10-26T01:00Z.
constexpr std::int64_t spring_ms = 1'743'296'400'000;
constexpr std::int64_t autumn_ms = 1'761'440'400'000;

std::int64_t ahead_ms(std::int64_t ts) {
  return ts >= spring_ms && ts < autumn_ms ? 2 * hour_ms : hour_ms;
}

// Half a day on each side of the night.
void move_to(std::int64_t switch_ms, SoundLog& log) {
  const std::int64_t by = (switch_ms - 13 * hour_ms) - ts_of(log.lists.front()) / hour_ms * hour_ms;
  for (auto* records : {&log.lists, &log.feedback}) {
    for (Record& record : *records) record["ts"] = ts_of(record) + by;
  }
}

std::string local_text(std::int64_t ts) {
  return iso(ts + ahead_ms(ts), ' ', "");
}

void use_zone(SoundLog& log, const std::string& file, const std::string& zone) {
  log.inputs[file] = {{"unit", "iso"}, {"zone", zone}};
}

void write_local(SoundLog& log, std::int64_t switch_ms, const std::string& zone) {
  move_to(switch_ms, log);
  log.write_time = [](const std::string&, std::int64_t ts) { return Record(local_text(ts)); };
  for (const char* file : {"lists.jsonl", "feedback.jsonl"}) use_zone(log, file, zone);
}

void name_zone(SoundLog& log) {
  for (auto& [file, keys] : log.inputs) {
    if (keys.contains("zone")) keys["zone"] = "Europe/Berlin";
  }
}

// With an offset, as the remedy asks.
void write_offsets(SoundLog& log) {
  log.write_time = [](const std::string&, std::int64_t ts) {
    return Record(iso(ts + ahead_ms(ts), 'T', ahead_ms(ts) == hour_ms ? "+01:00" : "+02:00"));
  };
  for (auto& [file, keys] : log.inputs) keys = {{"unit", "iso"}};
}

}  // namespace

// style: long because it is a table
std::vector<Fault> faults_of_clocks() {
  return {
      {"hour-skipped", "winter_offset", [](SoundLog& log) { write_local(log, spring_ms, "\"+01:00\""); }, name_zone},
      {"hour-skipped", "utc", [](SoundLog& log) { write_local(log, spring_ms, "UTC"); }, name_zone},
      {"hour-skipped", "one_file",
       [](SoundLog& log) {
         log.has_one_file = true;
         write_local(log, spring_ms, "UTC");
       },
       name_zone},
      {"hour-twice", "as_written", [](SoundLog& log) { write_local(log, autumn_ms, "UTC"); }, write_offsets},
      {"hour-twice", "sorted",
       [](SoundLog& log) {
         move_to(autumn_ms, log);
         for (auto* records : {&log.lists, &log.feedback}) {
           for (Record& record : *records) {
             record["true_ts"] = record["ts"];
             record["ts"] = ts_of(record) + ahead_ms(ts_of(record));
           }
         }
         log.write_time = [](const std::string&, std::int64_t ts) { return Record(iso(ts, ' ', "")); };
         for (const char* file : {"lists.jsonl", "feedback.jsonl"}) use_zone(log, file, "UTC");
       },
       [](SoundLog& log) {
         for (auto* records : {&log.lists, &log.feedback}) {
           for (Record& record : *records) record["ts"] = record["true_ts"];
         }
         write_offsets(log);
       }},
      {"clock-set", "forward",
       [](SoundLog& log) {
         move_to(spring_ms, log);
         log.write_time = [](const std::string& file, std::int64_t ts) {
           return file == "feedback.jsonl" ? Record(local_text(ts)) : Record(ts);
         };
         use_zone(log, "feedback.jsonl", "\"+01:00\"");
       },
       name_zone},
      {"clock-set", "back",
       [](SoundLog& log) {
         move_to(autumn_ms, log);
         log.write_time = [](const std::string& file, std::int64_t ts) {
           return file == "lists.jsonl" ? Record(local_text(ts)) : Record(ts);
         };
         use_zone(log, "lists.jsonl", "\"+02:00\"");
       },
       write_offsets},
      {"clock-set", "numbers",
       [](SoundLog& log) {
         move_to(spring_ms, log);
         log.write_time = [](const std::string& file, std::int64_t ts) {
           return Record(file == "feedback.jsonl" && ts >= spring_ms ? ts + hour_ms : ts);
         };
       },
       [](SoundLog& log) { log.write_time = {}; }},
  };
}

}  // namespace recmeter::doctor
