// Faults of what happened when: times, copies and pieces. The others are in clock_faults.cpp and content_faults.cpp.
#include "doctor/faults.h"

#include <algorithm>

#include "doctor/changes.h"

namespace recmeter::doctor {

// style: long because it is a table
std::vector<Fault> faults_of_time() {
  const auto cut_hours = [](std::vector<Record> SoundLog::* records) {
    return [=](SoundLog& log) {
      const std::int64_t from =
          ts_of(log.lists.front()) / hour_ms * hour_ms + (12 + static_cast<std::int64_t>(log.dice.below(6))) * hour_ms;
      std::erase_if(log.*records,
                    [&](const Record& record) { return ts_of(record) >= from && ts_of(record) < from + hour_ms; });
    };
  };
  return {
      {"unit", "seconds", times("", [](std::int64_t ts) { return Record(ts / 1000); })},
      {"unit", "microseconds", times("", [](std::int64_t ts) { return Record(ts * 1000); })},
      {"unit", "text", times("", [](std::int64_t ts) { return Record(iso(ts, 'T', "Z")); })},
      {"unit", "blank", times("", [](std::int64_t ts) { return Record(iso(ts, ' ', "")); })},
      {"unit", "one_file", times("feedback.jsonl", [](std::int64_t ts) { return Record(ts / 1000); })},
      {"mixed-units", "", times("", [](std::int64_t ts) { return ts % 20 == 0 ? Record(ts / 1000) : Record(ts); }),
       [](SoundLog& log) { log.write_time = {}; }},
      {"zone", "local",
       [](SoundLog& log) {
         log.write_time = [](const std::string& file, std::int64_t ts) {
           return Record(iso(file == "feedback.jsonl" ? ts + 2 * hour_ms : ts, ' ', ""));
         };
         for (auto& [name, keys] : log.inputs) keys = {{"unit", "iso"}, {"zone", "UTC"}};
       }},
      {"zone", "number", times("feedback.jsonl", [](std::int64_t ts) { return Record(ts - 5 * hour_ms); }),
       [](SoundLog& log) { log.write_time = {}; }},
      {"before-list", "slow_clock",
       in_feedback(30, [](Record& record, SoundLog&) { record["ts"] = ts_of(record) - 45'000; })},
      {"before-list", "logged_late",
       in_lists(30,
                [](Record& record, SoundLog& log) {
                  record["ts"] = ts_of(record) + 2000 + static_cast<std::int64_t>(log.dice.below(60'000));
                })},
      {"before-list-far", "",
       in_feedback(10,
                   [](Record& record, SoundLog& log) {
                     record["ts"] = ts_of(record) - hour_ms - static_cast<std::int64_t>(log.dice.below(7'200'000));
                   }),
       [](SoundLog&) {}},
      {"late", "",
       [](SoundLog& log) {
         log.is_sorted = false;
         for (std::size_t i = 0; i + 300 < log.feedback.size(); i += 40) std::swap(log.feedback[i], log.feedback[i + 250]);
       }},
      {"coarse-time", "hours", times("", [](std::int64_t ts) { return Record(ts / hour_ms * hour_ms); }),
       [](SoundLog& log) { log.write_time = {}; }},
      {"coarse-time", "days", times("", [](std::int64_t ts) { return Record(ts / (24 * hour_ms) * (24 * hour_ms)); }),
       [](SoundLog& log) { log.write_time = {}; }},
      {"batch-time", "", times("", [](std::int64_t ts) { return Record(ts / hour_ms * hour_ms + hour_ms + 123); }),
       [](SoundLog& log) { log.write_time = {}; }},
      {"delay-zero", "",
       [](SoundLog& log) {
         std::map<std::string, std::int64_t> shown;
         for (const Record& list : log.lists) shown[list["list_id"]] = ts_of(list);
         for (Record& record : log.feedback) {
           if (record.contains("list_id")) record["ts"] = shown[record["list_id"]];
         }
       }},
      {"hours-missing", "", cut_hours(&SoundLog::lists)},
      {"feedback-hours-missing", "", cut_hours(&SoundLog::feedback)},
      {"rate-step", "",
       without(&SoundLog::feedback,
               [](const Record& record, SoundLog& log) {
                 return record["ts"] < ts_of(log.lists.front()) + 12 * hour_ms && log.dice.percent(70);
               })},
      {"horizon-short", "",
       both(
           [](SoundLog& log) {
             log.settings["join.horizons"] = "[20s]";
             log.settings["join.assemble"] = "10s";
           },
           [](SoundLog&) {})},
      {"log-short", "", [](SoundLog& log) { log.settings["join.horizons"] = "[2d]"; }},
  };
}

std::vector<Fault> faults_of_copies() {
  return {
      {"copied", "lists", again(&SoundLog::lists, 20, [](Record&) {})},
      {"copied", "feedback", again(&SoundLog::feedback, 20, [](Record&) {})},
      {"list-again", "", again(&SoundLog::lists, 20, [](Record& record) { record["ts"] = ts_of(record) + 40'000; })},
      {"impression-twice", "",
       again(&SoundLog::lists, 30,
             [](Record& record) {
               record["ts"] = ts_of(record) + 900;
               record["list_id"] = record["list_id"].get<std::string>() + "v";
             })},
      {"feedback-twice", "",
       again(&SoundLog::feedback, 20,
             [](Record& record) {
               record["ts"] = ts_of(record) + 300;
               record["event_id"] = record["event_id"].get<std::string>() + "b";
             })},
  };
}

// style: long because it is a table
std::vector<Fault> faults_of_pieces() {
  // A second widget of the page, under its list id.
  const auto widget = [](Record& record) {
    record["ts"] = ts_of(record) + 2000;
    for (Record& item : record["items"]) item = "w" + item.get<std::string>();
  };
  const auto buy_twice = [](SoundLog& log) {
    std::vector<Record> more;
    for (Record& record : log.feedback) {
      if (record["type"] != "purchase") continue;
      record["value"] = 10;
      if (!log.dice.percent(15)) continue;
      more.push_back(record);
      more.back()["ts"] = ts_of(record) + 5 * minute_ms;
    }
    log.feedback.insert(log.feedback.end(), more.begin(), more.end());
  };
  return {
      {"rows-late", "seconds",
       both([](SoundLog& log) { log.as_rows(); }, in_lists(100,
                                                           [](Record& record, SoundLog&) {
                                                             record["ts"] =
                                                                 ts_of(record) +
                                                                 (record["position"].get<std::int64_t>() - 1) * 4000;
                                                           }))},
      {"rows-late", "hours",
       both([](SoundLog& log) { log.as_rows(); }, in_lists(20,
                                                           [](Record& record, SoundLog& log) {
                                                             record["ts"] = ts_of(record) + static_cast<std::int64_t>(
                                                                                                log.dice.below(7'000'000));
                                                           }))},
      {"list-grows", "",
       [](SoundLog& log) {
         for (Record list : std::vector<Record>(log.lists)) {
           for (std::size_t more = log.dice.below(3); more > 0; --more) {
             list["ts"] = ts_of(list) + 20'000;
             list["items"].push_back("more" + std::to_string(more));
             list["scores"].push_back(0.01);
             log.lists.push_back(list);
           }
         }
       }},
      {"nothing-new", "",
       again(&SoundLog::lists, 20,
             [](Record& record) {
               record["ts"] = ts_of(record) + 3000;
               std::rotate(record["items"].begin(), record["items"].begin() + 1, record["items"].end());
             })},
      {"list-full", "",
       both([](SoundLog& log) { log.settings["limits.list_items"] = "11"; }, again(&SoundLog::lists, 20, widget)),
       [](SoundLog& log) { log.settings["limits.list_items"] = "1000"; }},
      {"lane-list-continued", "",
       [=](SoundLog& log) {
         log.settings["lanes.names"] = "[B]";
         const std::vector<Record> lists = log.lists;
         again(&SoundLog::lists, 30, widget)(log);
         for (Record candidate : lists) {
           candidate["type"] = "candidate";
           candidate["recommender"] = "B";
           candidate.erase("scores");
           log.lists.push_back(candidate);
         }
       }},
      {"event-id-again", "", buy_twice},
      {"once-again", "",
       [=](SoundLog& log) {
         buy_twice(log);
         std::erase_if(log.feedback, [](const Record& record) { return record["type"] != "purchase"; });
         log.settings["join.actions.purchase"] = "{gain: 3, once: event_id}";
       }},
      {"basket-lines", "",
       in_feedback(100,
                   [](Record& record, SoundLog&) {
                     if (record["type"] != "purchase") return;
                     record["items"] = {{{"item_id", record["item_id"]}, {"value", 10}},
                                        {{"item_id", record["item_id"]}, {"value", 5}}};
                     record.erase("item_id");
                   })},
  };
}

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.code;
}

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (const auto& some : {faults_of_time(), faults_of_clocks(), faults_of_copies(), faults_of_pieces(), faults_of_ids(),
                           faults_of_users(), faults_of_lists(), faults_of_values()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace recmeter::doctor
