// From raw logs of others to values by what infer wrote, unedited; and the same values computed here by other means.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"
#include "support/shared_data.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

class RealLog : public Workplace {
 protected:
  // The row of all lists of the whole log, after two commands. `questions`: infer has some.
  json row_of(const std::string& path, bool questions = false) const {
    const Ended inferred = run("infer " + path);
    EXPECT_EQ(inferred.code, questions ? 3 : 0) << inferred.err;
    EXPECT_LE(std::ranges::count(inferred.out, '\n'), 15);
    scratch().put("log.yaml", inferred.out);
    std::istringstream rows(run("replay -c log.yaml -f jsonl " + path).out);
    json last;
    for (std::string line; std::getline(rows, line);) {
      const json row = support::parsed_json(line);
      if (row["segment"].empty()) last = row;
    }
    EXPECT_EQ(last["window"], "all");
    return last;
  }
  // Read by other means.
  std::vector<json> records_of(const std::string& path) const {
    std::vector<json> records;
    EXPECT_EQ(std::system(("gunzip -c " + path + " > " + scratch().path("records")).c_str()), 0);
    std::ifstream file(scratch().path("records"));
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) records.push_back(json::parse(line));
    }
    return records;
  }
};

// Those that are chosen.
template <class Choose>
std::string lines_of(const std::vector<json>& records, const Choose& is_chosen) {
  std::string lines;
  for (const json& record : records) {
    if (is_chosen(record)) lines += record.dump() + "\n";
  }
  return lines;
}

// "2025-01-24T09:19:57.781+0000": in UTC throughout.
std::int64_t milliseconds(const std::string& text) {
  std::tm time{};
  int rest = 0;
  EXPECT_EQ(std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%d.%3d", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour,
                        &time.tm_min, &time.tm_sec, &rest),
            7);
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return std::int64_t{timegm(&time)} * 1000 + rest;
}

struct Hit {
  std::string item;
  std::int64_t shown = 0;
};
struct Answer {
  std::int64_t time = 0;
  std::vector<Hit> hits;
};

// The lists of one query id: an answer within ten seconds of the list before has its new hits behind that list's, a later one
// is a list of its own. [S3.20].
std::vector<Answer> lists_of(std::map<std::int64_t, std::vector<std::string>> answers) {
  std::vector<Answer> lists;
  for (const auto& [time, hits] : answers) {
    if (lists.empty() || time - lists.back().time >= 10'000) lists.push_back({time, {}});
    for (const std::string& item : hits) {
      const auto is_there = [&](const Hit& hit) { return hit.item == item; };
      if (std::ranges::none_of(lists.back().hits, is_there)) lists.back().hits.push_back({item, time});
    }
  }
  return lists;
}

// Pages and the search engine write a document of each query, the pages' without hits. No action comes later than a day.
TEST_F(RealLog, of_a_search_engine_gives_the_values_of_its_hits) {
  const std::string path = support::shared_data("ubi/ubi_queries_events.ndjson.gz");
  if (!support::has_shared_data("ubi/ubi_queries_events.ndjson.gz")) GTEST_SKIP() << "SKIPPED: no UBI log at " << path;
  std::map<std::string, std::map<std::int64_t, std::vector<std::string>>> answers;
  const std::vector<json> records = records_of(path);
  for (const json& record : records) {
    if (!record.contains("query_response_hit_ids") || record["query_response_hit_ids"].empty()) continue;
    answers[record["query_id"]].emplace(milliseconds(record["timestamp"]), record["query_response_hit_ids"]);
  }
  std::map<std::string, std::vector<Answer>> queries;
  std::size_t count = 0;
  for (const auto& [id, of_query] : answers) count += (queries[id] = lists_of(of_query)).size();
  std::set<std::tuple<std::string, std::size_t, std::size_t>> acted;  // query, list, rank from 0
  for (const json& record : records) {
    const std::string action = record.value("action_name", "");
    if (action != "click" && action != "product_click" && action != "add_to_cart" && action != "purchase") continue;
    const auto query = queries.find(record["query_id"]);
    if (query == queries.end()) continue;
    const std::int64_t time = milliseconds(record["timestamp"]);
    const std::string item = record["event_attributes"]["object"]["object_id"];
    bool is_credited = false;
    for (std::size_t list = query->second.size(); list-- > 0 && !is_credited;) {  // the latest that holds it
      const std::vector<Hit>& hits = query->second[list].hits;
      for (std::size_t i = 0; i < hits.size() && !is_credited; ++i) {
        is_credited = hits[i].item == item && hits[i].shown <= time;
        if (is_credited) acted.emplace(query->first, list, i);
      }
    }
  }
  double precision = 0, reciprocal = 0;
  std::map<std::pair<std::string, std::size_t>, std::size_t> first;  // by list: its first rank that was acted on, from 1
  for (const auto& [id, list, rank] : acted) {
    precision += rank < 5 ? 0.2 : 0;
    first.try_emplace({id, list}, rank + 1);
  }
  for (const auto& [list, rank] : first) reciprocal += rank <= 10 ? 1 / static_cast<double>(rank) : 0;
  const auto lists = static_cast<double>(count);
  const auto is_no_impression = [](const json& record) {
    return record.contains("timestamp") && record.value("action_name", "") != "impression";
  };
  scratch().put("hits.jsonl", lines_of(records, is_no_impression));
  const json row = row_of(scratch().path("hits.jsonl"));
  EXPECT_EQ(row["lists"], count);
  EXPECT_NEAR(row["metrics"]["precision@5"]["value"], precision / lists, 1e-9);
  EXPECT_NEAR(row["metrics"]["mrr@10"]["value"], reciprocal / lists, 1e-9);
  EXPECT_GT(precision / lists, 0.1) << "most of the log's clicks are on hits";
}

// Queries without hits, whose page says what it showed; then the whole log, in which two pages count from other numbers.
TEST_F(RealLog, of_a_search_engine_makes_lists_of_impression_events) {
  const std::string path = support::shared_data("ubi/ubi_queries_events.ndjson.gz");
  if (!support::has_shared_data("ubi/ubi_queries_events.ndjson.gz")) GTEST_SKIP() << "SKIPPED: no UBI log at " << path;
  const std::vector<json> records = records_of(path);
  const auto is_of_page = [](const json& record) { return record.value("application", "") == "esci_ubi_sample"; };
  std::map<std::string, std::map<int, std::string>> shown;
  for (const json& record : records) {
    if (!is_of_page(record) || record.value("action_name", "") != "impression") continue;
    const json& attributes = record["event_attributes"];
    shown[record["query_id"]][attributes["position"]["ordinal"]] = attributes["object"]["object_id"];
  }
  std::map<std::string, int> first;  // rank that was acted on, from 1
  for (const json& record : records) {
    const std::string action = record.value("action_name", "");
    if (!is_of_page(record) || (action != "click" && action != "add_to_cart" && action != "purchase")) continue;
    for (const auto& [ordinal, item] : shown[record["query_id"]]) {
      if (item != record["event_attributes"]["object"]["object_id"].get<std::string>()) continue;
      const auto [at, is_new] = first.try_emplace(record["query_id"], ordinal + 1);
      at->second = std::min(at->second, ordinal + 1);
    }
  }
  double reciprocal = 0;
  for (const auto& [list, rank] : first) reciprocal += 1.0 / rank;
  scratch().put("page.jsonl", lines_of(records, is_of_page));
  const json row = row_of(scratch().path("page.jsonl"));
  EXPECT_EQ(row["lists"], shown.size());
  EXPECT_NEAR(row["metrics"]["mrr@10"]["value"], reciprocal / static_cast<double>(shown.size()), 1e-9);
  EXPECT_EQ(row_of(path, true)["lists"], 288U);
}

TEST_F(RealLog, of_a_shop_gives_the_share_of_slots_that_were_clicked) {
  const std::string path = support::shared_data("obd/men.jsonl.gz");
  if (!support::has_shared_data("obd/men.jsonl.gz")) GTEST_SKIP() << "SKIPPED: no Open Bandit data at " << path;
  std::set<std::string> shown, clicked;
  for (const json& record : records_of(path)) (record["type"] == "click" ? clicked : shown).insert(record["list_id"]);
  const json row = row_of(path);
  EXPECT_EQ(row["lists"], shown.size());
  EXPECT_NEAR(row["metrics"]["hit_rate@5"]["value"], static_cast<double>(clicked.size()) / static_cast<double>(shown.size()),
              1e-9);
}

// Each log in several parts, that read it all or are made of a stamp of it, is one run of it ([S11.4]).
TEST_F(RealLog, in_parts_is_one_run_read_or_stamped) {
  for (const char* log : {"ubi/ubi_queries_events.ndjson.gz", "obd/men.jsonl.gz"}) {
    if (!support::has_shared_data(log)) GTEST_SKIP() << "SKIPPED: no shared data at " << support::shared_data(log);
    const std::string path = support::shared_data(log);
    scratch().put("log.yaml", run("infer " + path).out);
    const Ended whole = run("replay -c log.yaml -f jsonl --output whole.jsonl --report whole.json " + path);
    ASSERT_EQ(whole.code, 0) << whole.err;
    ASSERT_NE(scratch().get("whole.jsonl"), "");
    ASSERT_EQ(run("stamp -c log.yaml --output stamped.tsv " + path).code, 0);
    for (const int count : {1, 3, 8}) {
      std::string read, stamped;
      for (int part = 0; part < count; ++part) {
        const std::string number = std::to_string(part);
        const std::string of = "replay -c log.yaml --part " + number + "/" + std::to_string(count) + " --partials ";
        EXPECT_EQ(run(of + "r" + number + ".rmp " + path).code, 0);
        EXPECT_EQ(run(of + "s" + number + ".rmp --stamped stamped.tsv").code, 0);
        read.insert(0, " r" + number + ".rmp");
        stamped += " s" + number + ".rmp";
      }
      for (const std::string& parts : {read, stamped}) {
        ASSERT_EQ(run("merge -f jsonl --output merged.jsonl --report merged.json" + parts).code, 0);
        EXPECT_EQ(scratch().get("merged.jsonl"), scratch().get("whole.jsonl")) << log << parts;
        json reports[2] = {json::parse(scratch().get("merged.json")), json::parse(scratch().get("whole.json"))};
        for (json& report : reports) {
          for (const char* taken : {"wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max"})
            report.erase(taken);
        }
        EXPECT_EQ(reports[0], reports[1]) << log << parts;
      }
    }
  }
}

}  // namespace
}  // namespace recmeter::test
