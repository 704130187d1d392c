// Faults of what a log holds: ids, users, lists and values.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "doctor/changes.h"

namespace recmeter::doctor {
namespace {

void reverse_items(Record& list, SoundLog& /*log*/) {
  std::reverse(list["items"].begin(), list["items"].end());
  if (list.contains("scores")) std::reverse(list["scores"].begin(), list["scores"].end());
}
void upper(Record& record, const char* key) {
  std::string text = record[key];
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  record[key] = text;
}

// An id of 19 digits for this one.
std::uint64_t large(const std::string& id) {
  constexpr std::uint64_t first = 1'610'521'604'143'000'000;
  return first + std::hash<std::string>()(id) % 999'999'999'999;
}
std::string as_double(std::uint64_t id) {
  return fmt::format("{:.0f}", static_cast<double>(id));
}

}  // namespace

// style: long because it is a table
std::vector<Fault> faults_of_ids() {
  return {
      {"list-id-form", "case",
       in_feedback(100,
                   [](Record& record, SoundLog&) {
                     if (record.contains("list_id")) upper(record, "list_id");
                   })},
      {"list-id-form", "prefix",
       in_feedback(100,
                   [](Record& record, SoundLog&) {
                     if (record.contains("list_id")) record["list_id"] = "{" + record["list_id"].get<std::string>() + "}";
                   })},
      {"ids-rounded", "items",
       [](SoundLog& log) {
         for (Record& list : log.lists) {
           for (auto& item : list["items"]) item = std::to_string(large(item));
         }
         for (Record& record : log.feedback) record["item_id"] = as_double(large(record["item_id"]));
       }},
      {"ids-rounded", "users",
       [](SoundLog& log) {
         for (Record& list : log.lists) list["user_id"] = std::to_string(large(list["user_id"]));
         for (Record& record : log.feedback) record["user_id"] = as_double(large(record["user_id"]));
       }},
      {"ids-rounded", "lists",
       [](SoundLog& log) {
         for (Record& list : log.lists) list["list_id"] = std::to_string(large(list["list_id"]));
         for (Record& record : log.feedback) {
           if (record.contains("list_id")) record["list_id"] = as_double(large(record["list_id"]));
         }
       }},
      {"list-id-foreign", "",
       in_feedback(100,
                   [](Record& record, SoundLog&) { record["list_id"] = "session-" + record["user_id"].get<std::string>(); }),
       in_feedback(100, [](Record& record, SoundLog&) { record.erase("list_id"); })},
      {"list-id-unknown", "",
       without(&SoundLog::lists,
               [](const Record& record, SoundLog&) { return ts_of(record) / hour_ms % 5 == 0 && ts_of(record) % 10 < 7; })},
      {"impressions-sampled", "by_list",
       without(&SoundLog::lists, [](const Record&, SoundLog& log) { return log.dice.percent(40); })},
      {"impressions-sampled", "by_user",
       without(&SoundLog::lists,
               [](const Record& record, SoundLog&) { return record["user_id"].get<std::string>().back() < '4'; })},
      {"list-id-stale", "",
       [](SoundLog& log) {
         std::map<std::string, std::vector<std::string>> of_user;
         for (const Record& list : log.lists) of_user[list["user_id"]].push_back(list["list_id"]);
         for (Record& record : log.feedback) {
           const auto& ids = of_user[record["user_id"]];
           const auto at = std::find(ids.begin(), ids.end(), record.value("list_id", ""));
           if (at != ids.end() && at != ids.begin() && log.dice.percent(30)) record["list_id"] = *(at - 1);
         }
       }},
      {"list-id-reused", "",
       [](SoundLog& log) {
         for (auto* records : {&log.lists, &log.feedback}) {
           for (Record& record : *records) {
             if (record.contains("list_id")) record["list_id"] = "page-" + record["user_id"].get<std::string>();
           }
         }
       }},
      {"list-id-reused", "of_rows",
       [](SoundLog& log) {
         constexpr std::int64_t later_ms = 40 * minute_ms;  // longer than a list id means one list
         std::map<std::string, std::int64_t> used;
         std::map<std::string, std::string> ids;
         for (const Record& list : log.lists) {
           const std::string page = "page-" + list["user_id"].get<std::string>();
           const auto at = used.find(page);
           if (at != used.end() && ts_of(list) - at->second < later_ms) continue;
           used[page] = ts_of(list);
           ids[list["list_id"]] = page;
         }
         for (auto* records : {&log.lists, &log.feedback}) {
           for (Record& record : *records) {
             const auto at = ids.find(record.value("list_id", ""));
             if (at != ids.end()) record["list_id"] = at->second;
           }
         }
         log.as_rows();
       }},
      {"item-id-form", "", in_feedback(40, [](Record& record, SoundLog&) { upper(record, "item_id"); })},
      {"item-not-in-list", "",
       in_feedback(20,
                   [](Record& record, SoundLog& log) { record["item_id"] = "other" + std::to_string(log.dice.below(500)); })},
      {"list-cut", "",
       [](SoundLog& log) {
         for (Record& list : log.lists) {
           const std::size_t kept = log.dice.percent(60) ? std::size_t{4} : std::size_t{6};
           while (list["items"].size() > kept) {
             list["items"].erase(list["items"].size() - 1);
             list["scores"].erase(list["scores"].size() - 1);
           }
         }
         // Half of the lists were shorter anyhow.
         std::map<std::string, std::size_t> length;
         for (const Record& list : log.lists) length[list["list_id"]] = list["items"].size();
         std::map<std::string, std::set<std::string>> items;
         for (const Record& list : log.lists) items[list["list_id"]] = {list["items"].begin(), list["items"].end()};
         std::erase_if(log.feedback, [&](const Record& record) {
           const std::string id = record.value("list_id", "");
           return length[id] == 4 && !items[id].contains(record["item_id"].get<std::string>());
         });
       }},
      {"user-id-form", "",
       in_feedback(100, [](Record& record, SoundLog&) { record["user_id"] = "U:" + record["user_id"].get<std::string>(); })},
      {"user-id-foreign", "",
       in_feedback(100, [](Record& record,
                           SoundLog&) { record["user_id"] = std::to_string(std::hash<std::string>()(record["user_id"])); })},
      {"user-id-changes", "",
       in_feedback(15,
                   [](Record& record, SoundLog&) { record["user_id"] = "login" + record["user_id"].get<std::string>(); })},
      {"nothing-joins", "",
       in_feedback(100,
                   [](Record& record, SoundLog& log) {
                     record.erase("list_id");
                     record["item_id"] = "product" + std::to_string(log.dice.below(500));
                   })},
      {"id-as-number", "number",
       [](SoundLog& log) {
         for (Record& record : log.feedback) record["item_id"] = std::stod(record["item_id"].get<std::string>().substr(3));
         for (Record& list : log.lists) {
           for (Record& item : list["items"]) item = std::stoll(item.get<std::string>().substr(3));
         }
       }},
      {"id-as-number", "text",
       in_feedback(
           50, [](Record& record, SoundLog&) { record["user_id"] = record["user_id"].get<std::string>().substr(4) + ".0"; })},
  };
}

// A user of few lists who clicks and buys all that they show.
void plant_tester(SoundLog& log) {
  const std::int64_t begin = ts_of(log.lists.front());
  constexpr std::size_t lists = 45;
  const std::size_t length = log.feedback.size() / (6 * lists) + 1;  // so that a quarter is its feedback
  for (std::size_t i = 0; i < lists; ++i) {
    Record list{{"type", "impression"},
                {"ts", begin + static_cast<std::int64_t>(log.dice.below(23 * hour_ms))},
                {"user_id", "tester"},
                {"list_id", "tester-" + std::to_string(i)},
                {"segments", {{"variant", "A"}, {"device", "phone"}}}};
    for (std::size_t rank = 0; rank < length; ++rank) {
      list["items"].push_back("sku" + std::to_string(2000 + length * i + rank));
      for (const char* type : {"click", "purchase"}) {
        log.feedback.push_back({{"type", type},
                                {"ts", ts_of(list) + 3000 + static_cast<std::int64_t>(rank) * 5000},
                                {"user_id", "tester"},
                                {"item_id", list["items"].back()},
                                {"list_id", list["list_id"]},
                                {"event_id", std::string(type) + std::to_string(i * length + rank)}});
      }
    }
    log.lists.push_back(std::move(list));
  }
}

std::vector<Fault> faults_of_users() {
  const auto list_of = [](const std::string& user, std::int64_t ts, std::size_t number) {
    return Record{{"type", "impression"},
                  {"ts", ts},
                  {"user_id", user},
                  {"list_id", user + "-" + std::to_string(number)},
                  {"items", {"sku7919", "sku5831", "sku3743", "sku1655"}},
                  {"segments", {{"variant", "A"}, {"device", "phone"}}}};
  };
  return {
      {"placeholder-user", "anonymous",
       [](SoundLog& log) {
         for (auto* records : {&log.lists, &log.feedback}) {
           for (Record& record : *records) {
             const std::string user = record["user_id"];
             if (user.back() == '7' && user.size() > 5) record["user_id"] = "anonymous";
           }
         }
       }},
      {"placeholder-item", "",
       in_lists(30, [](Record& record, SoundLog&) { record["items"][record["items"].size() - 1] = "null"; })},
      {"crowded-user", "",
       [=](SoundLog& log) {
         for (std::size_t i = 0; i < 470; ++i)
           log.lists.push_back(
               list_of("kiosk", ts_of(log.lists.front()) + static_cast<std::int64_t>(log.dice.below(23 * hour_ms)), i));
       }},
      {"busy-user", "", plant_tester},
      {"bots", "even",
       [=](SoundLog& log) {
         const std::int64_t from = ts_of(log.lists.front());
         for (std::size_t i = 0; i < 130; ++i)
           log.lists.push_back(list_of("monitor", from + static_cast<std::int64_t>(i) * 10 * minute_ms, i));
       }},
      {"bots", "acts",
       [=](SoundLog& log) {
         const std::int64_t from = ts_of(log.lists.front());
         for (std::size_t i = 0; i < 80; ++i) {
           log.lists.push_back(list_of("crawler", from + static_cast<std::int64_t>(log.dice.below(23 * hour_ms)), i));
           log.feedback.push_back({{"type", "click"},
                                   {"ts", ts_of(log.lists.back()) + 3000},
                                   {"user_id", "crawler"},
                                   {"item_id", "sku5831"},
                                   {"list_id", log.lists.back()["list_id"]},
                                   {"event_id", "c" + std::to_string(i)}});
         }
       }},
      {"arms-flap", "",
       in_lists(4, [](Record& record,
                      SoundLog&) { record["segments"]["variant"] = record["segments"]["variant"] == "A" ? "B" : "A"; })},
      {"arms-per-list", "",
       in_lists(100,
                [](Record& record, SoundLog& log) { record["segments"]["variant"] = log.dice.percent(50) ? "A" : "B"; })},
  };
}

// style: long because it is a table
std::vector<Fault> faults_of_lists() {
  const auto shuffle = [](Record& record, SoundLog& log) {
    std::vector<std::string> items = record["items"];
    log.dice.shuffle(items);
    record["items"] = items;
    record.erase("scores");
  };
  return {
      {"position-base", "",
       both([](SoundLog& log) { log.as_rows(); },
            in_lists(100, [](Record& record, SoundLog&) { record["position"] = record["position"].get<int>() - 1; }))},
      {"position-base", "entries",
       [](SoundLog& log) {
         log.inputs["lists.jsonl"]["fields"] = "{items.item_id: item_id, items.position: position}";
         for (Record& record : log.lists) {
           Record entries = Record::array();
           for (std::size_t i = record["items"].size(); i-- > 0;)
             entries.push_back(Record{{"item_id", record["items"][i]}, {"position", i}});
           record["items"] = entries;
           record.erase("scores");
         }
       }},
      {"position-base", "one",
       [](SoundLog& log) {
         log.as_rows();
         log.inputs["lists.jsonl"]["position_base"] = "0";
       }},
      {"feedback-position-base", "",
       [](SoundLog& log) {
         std::map<std::string, std::vector<std::string>> items;
         for (const Record& list : log.lists) items[list["list_id"]] = list["items"].get<std::vector<std::string>>();
         for (Record& record : log.feedback) {
           const auto& shown = items[record.value("list_id", "")];
           const auto at = std::find(shown.begin(), shown.end(), record["item_id"].get<std::string>());
           if (at != shown.end()) record["position"] = at - shown.begin() + 2;
         }
       }},
      {"position-clash", "",
       both([](SoundLog& log) { log.as_rows(); },
            again(&SoundLog::lists, 10,
                  [](Record& record) { record["item_id"] = "banner" + record["item_id"].get<std::string>(); }))},
      {"rows-missing", "",
       both([](SoundLog& log) { log.as_rows(); },
            without(&SoundLog::lists,
                    [](const Record& record, SoundLog& log) { return record["position"] < 4 && log.dice.percent(15); }))},
      {"item-repeated", "", in_lists(20, [](Record& record, SoundLog&) { record["items"][3] = record["items"][0]; })},
      {"empty-lists", "",
       again(&SoundLog::lists, 20,
             [](Record& record) {
               record["items"] = Record::array();
               record.erase("scores");
               record["list_id"] = record["list_id"].get<std::string>() + "e";
               record["ts"] = ts_of(record) + 20'000;
             })},
      {"single-item-lists", "",
       both([](SoundLog& log) { log.as_rows(); }, in_lists(100,
                                                           [](Record& record, SoundLog&) {
                                                             record["list_id"] = record["list_id"].get<std::string>() + "-" +
                                                                                 record["position"].dump();
                                                           }))},
      {"sorted-by-id", "",
       in_lists(90,
                [](Record& record, SoundLog&) {
                  std::vector<std::string> items = record["items"];
                  std::sort(items.begin(), items.end());
                  record["items"] = items;
                  record.erase("scores");
                })},
      {"order-lost", "", in_lists(100, shuffle)},
      {"order-reversed", "", in_lists(100, reverse_items), in_lists(100, reverse_items)},
      {"always-first", "",
       [](SoundLog& log) {
         std::map<std::string, std::set<std::string>> acted;
         for (const Record& record : log.feedback)
           acted[record.value("list_id", "")].insert(record["item_id"].get<std::string>());
         std::map<std::string, std::string> first;
         for (Record& list : log.lists) {
           std::vector<std::string> items = list["items"];
           const auto& clicked = acted[list["list_id"]];
           const auto at =
               std::find_if(items.begin(), items.end(), [&](const std::string& item) { return clicked.contains(item); });
           if (at != items.end()) std::rotate(items.begin(), at, at + 1);
           list["items"] = items;
           list.erase("scores");
           first[list["list_id"]] = items.front();
         }
         std::erase_if(log.feedback, [&](const Record& record) {
           return !record.contains("list_id") || record["item_id"] != first[record["list_id"]];
         });
       }},
      {"fold", "",
       [](SoundLog& log) {
         std::map<std::string, std::set<std::string>> seen;
         for (const Record& list : log.lists) seen[list["list_id"]] = {list["items"].begin(), list["items"].begin() + 4};
         std::erase_if(log.feedback, [&](const Record& record) {
           return !seen[record.value("list_id", "")].contains(record["item_id"].get<std::string>());
         });
       }},
      {"only-acted-lists", "",
       [](SoundLog& log) {
         std::set<std::string> acted;
         for (const Record& record : log.feedback) acted.insert(record.value("list_id", ""));
         std::erase_if(log.lists, [&](const Record& list) { return !acted.contains(list["list_id"].get<std::string>()); });
       }},
      {"action-on-all", "",
       [](SoundLog& log) {
         log.settings["join.actions.view"] = "{gain: 1}";
         for (const Record& list : log.lists) {
           for (const Record& item : list["items"]) {
             if (log.dice.percent(90))
               log.feedback.push_back({{"type", "view"},
                                       {"ts", ts_of(list) + 1000},
                                       {"user_id", list["user_id"]},
                                       {"list_id", list["list_id"]},
                                       {"item_id", item}});
           }
         }
       }},
      {"clicks-sampled", "",
       without(&SoundLog::feedback,
               [](const Record& record, SoundLog& log) { return record["type"] == "click" && log.dice.percent(40); })},
      {"type-unmapped", "",
       in_feedback(100,
                   [](Record& record, SoundLog&) {
                     if (record["type"] == "purchase") record["type"] = "add_to_cart";
                   })},
  };
}

std::vector<Fault> faults_of_values() {
  const auto propensity = [](const std::function<double(std::size_t)>& of) {
    return in_lists(100, [=](Record& record, SoundLog&) {
      record["propensities"] = Record::array();
      for (std::size_t i = 0; i < record["items"].size(); ++i) record["propensities"].push_back(of(i));
    });
  };
  return {
      {"segment-missing", "", in_lists(30, [](Record& record, SoundLog&) { record["segments"].erase("device"); })},
      {"segment-values", "",
       in_lists(100, [](Record& record,
                        SoundLog& log) { record["segments"]["query"] = "q" + std::to_string(log.dice.below(3000)); })},
      {"segment-spelling", "",
       in_lists(20,
                [](Record& record, SoundLog&) {
                  if (record["segments"]["device"] == "phone") record["segments"]["device"] = "Phone";
                })},
      {"basket-value", "",
       in_feedback(100,
                   [](Record& record, SoundLog& log) {
                     if (record["type"] != "purchase") return;
                     record["items"] = {{{"item_id", record["item_id"]}, {"value", 59.5}},
                                        {{"item_id", "sku" + std::to_string(log.dice.below(100))}, {"value", 59.5}}};
                     record.erase("item_id");
                   })},
      {"propensity-range", "", propensity([](std::size_t) { return 12.5; })},
      {"propensity-one", "", propensity([](std::size_t) { return 1.0; })},
      {"propensity-sum", "", propensity([](std::size_t) { return 0.2; })},
      {"scores-reversed", "",
       in_lists(100, [](Record& record, SoundLog&) { std::reverse(record["scores"].begin(), record["scores"].end()); })},
      {"scores-unordered", "",
       in_lists(100,
                [](Record& record, SoundLog& log) {
                  std::vector<double> scores = record["scores"];
                  log.dice.shuffle(scores);
                  record["scores"] = scores;
                })},
      {"rating-range", "",
       [](SoundLog& log) {
         log.settings["join.actions.rating"] = "{gain: 1}";
         const std::size_t count = log.feedback.size();
         for (std::size_t i = 0; i < count; ++i) {
           Record record = log.feedback[i];
           record["type"] = "rating";
           record["value"] = 1 + static_cast<int>(log.dice.below(10));
           log.feedback.push_back(record);
         }
       }},
      {"no-feedback", "", [](SoundLog& log) { log.feedback.clear(); }},
      {"no-impressions", "", [](SoundLog& log) { log.lists.clear(); }},
      {"invalid", "", in_lists(10, [](Record& record, SoundLog&) { record.erase("user_id"); })},
  };
}

}  // namespace recmeter::doctor
