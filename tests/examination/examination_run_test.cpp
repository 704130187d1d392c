// From records to estimates: which lists count, at which rank an item does and what a click is, against plain loops over what
// was logged; and the same bytes however the log is cut and shuffled.
#include "app/examination/examination_run.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/load_config.h"
#include "examination/slow_estimate.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/parsed_json.h"
#include "unit/file/scratch.h"

namespace recmeter::examining {
namespace {

using nlohmann::json;
using support::Dice;

constexpr std::int64_t start_ms = 1'699'920'000'000;
constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t horizons[] = {minute_ms, 10 * minute_ms};
constexpr const char* yaml =
    "join: {horizons: [10m, 1m], skew: 0s, assemble: 10s, actions: {click: {gain: 2}, view: {gain: 0}}}\n"
    "time: {allowed_lateness: 5m}\n"
    "segments: [[country], [variant, country]]\n";

struct LoggedClick {
  std::string item;
  std::int64_t ts;
};
struct LoggedList {
  std::string user;
  std::string id;
  std::int64_t ts = 0;
  std::vector<std::string> items;  // "": a rank that was not logged
  std::string variant;             // "": without the key
  std::vector<LoggedClick> clicks;
};

struct Log {
  std::vector<LoggedList> lists;
  std::vector<json> records;  // by time

  [[nodiscard]] std::int64_t end() const { return records.back()["ts"]; }
};

void add_list(Log& log, const LoggedList& list, Dice& dice) {
  json segments = json::object();
  if (!list.variant.empty()) segments["variant"] = list.variant;
  if (dice.percent(50)) segments["country"] = dice.pick<std::string>({"se", "no"});
  json record{{"type", "impression"}, {"user_id", list.user}, {"list_id", list.id}, {"segments", segments}};
  if (std::ranges::count(list.items, "") == 0) {
    record["ts"] = list.ts;
    record["items"] = list.items;
    log.records.push_back(record);
  }
  for (std::size_t i = 0; std::ranges::count(list.items, "") > 0 && i < list.items.size(); ++i) {
    if (list.items[i].empty()) continue;
    record["ts"] = list.ts + static_cast<std::int64_t>(i);
    record["item_id"] = list.items[i];
    record["position"] = i + 1;
    log.records.push_back(record);
  }
  json feedback{{"type", "click"}, {"user_id", list.user}, {"list_id", list.id}};
  for (const LoggedClick& click : list.clicks) {
    feedback["ts"] = click.ts;
    feedback["item_id"] = click.item;
    log.records.push_back(feedback);
    if (dice.percent(20)) log.records.push_back(feedback);
  }
  if (list.items.empty() || list.items.back().empty() || !dice.percent(20)) return;
  feedback["type"] = "view";  // worth nothing
  feedback["item_id"] = list.items.back();
  feedback["ts"] = list.ts + 5;
  log.records.push_back(feedback);
}

// Some items stand twice in a list, some lists come in rows of which one is missing, clicks come at once or late.
Log random_log(Dice& dice) {
  Log log;
  const std::vector<std::string> variants{"A", "B", "B", "c:1", ""};
  const std::int64_t slowest = dice.pick<std::int64_t>({minute_ms, 15 * minute_ms});
  for (int user = 0; user < 150; ++user) {
    const std::string& variant = dice.pick(variants);
    for (std::int64_t number = dice.between(1, 3); number > 0; --number) {
      LoggedList list{.user = "u" + std::to_string(user), .id = {}, .ts = {}, .items = {}, .variant = variant, .clicks = {}};
      list.id = list.user + "." + std::to_string(number);
      list.ts = start_ms + dice.between(0, 60 * minute_ms);
      const std::vector<std::string> order =
          variant == "A" ? std::vector<std::string>{"x", "y", "z", "w"} : std::vector<std::string>{"y", "x", "w", "z"};
      list.items.assign(order.begin(), order.begin() + dice.between(0, 4));
      if (list.items.size() > 2 && dice.percent(20)) list.items[2] = list.items[0];
      for (std::size_t i = 0; i < list.items.size(); ++i) {
        if (dice.percent(60)) list.clicks.push_back({list.items[i], list.ts + 10'000 + dice.between(0, slowest)});
      }
      if (list.items.size() > 1 && dice.percent(20)) list.items[dice.below(list.items.size() - 1)] = "";
      log.lists.push_back(list);
      add_list(log, list, dice);
    }
  }
  std::ranges::stable_sort(log.records, {}, [](const json& record) { return record["ts"].get<std::int64_t>(); });
  return log;
}

// What the log says of ranks, by the rules of the page. `random`: of that variant alone.
struct Counted {
  LookLog looks;
  std::map<std::string, std::uint64_t> lists;
  std::uint64_t other_lists = 0;
  std::uint64_t unfinished_lists = 0;
};

Counted counted(const Log& log, std::int64_t horizon, const std::optional<std::string>& random) {
  Counted out;
  for (const LoggedList& list : log.lists) {
    const auto first_row = std::ranges::find_if(list.items, [](const std::string& item) { return !item.empty(); });
    const std::int64_t opened = list.ts + (std::ranges::count(list.items, "") > 0 ? first_row - list.items.begin() : 0);
    if (list.variant.empty() || (random && list.variant != *random)) {
      ++out.other_lists;
      continue;
    }
    if (opened + horizon > log.end()) {
      ++out.unfinished_lists;
      continue;
    }
    const std::size_t group = XXH3_64bits(list.user.data(), list.user.size()) >> 58;
    ++out.lists[list.variant];
    out.looks.lists.push_back(group);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string& item = list.items[i];
      if (item.empty() || std::find(list.items.begin(), list.items.begin() + static_cast<std::ptrdiff_t>(i), item) !=
                              list.items.begin() + static_cast<std::ptrdiff_t>(i)) {
        continue;
      }
      const bool is_clicked = std::ranges::any_of(
          list.clicks, [&](const LoggedClick& click) { return click.item == item && click.ts < opened + horizon; });
      out.looks.looks.push_back({.item = static_cast<std::size_t>(item[0]),
                                 .rank = static_cast<std::uint32_t>(i + 1),
                                 .variant = static_cast<std::size_t>(list.variant[0]),
                                 .group = group,
                                 .is_clicked = is_clicked});
    }
  }
  return out;
}

struct Answer {
  std::string text;
  std::string json;
};

Answer answer_of(const std::vector<std::string>& files, const Request& request, SortWhen when) {
  const auto config = load_config(yaml, "test.yaml", process_context());
  if (!config) {
    ADD_FAILURE() << config.error().front().message;
    return {};
  }
  const std::atomic<bool> stop = false;
  auto inputs = replay_inputs(*config, files, minus_infinity, {}, stop);
  if (!inputs) {
    ADD_FAILURE() << inputs.error().context;
    return {};
  }
  const auto run =
      run_examination(*config, request, std::move(*inputs), {.when = when, .space = {}, .says_so = false}, {}, stop);
  if (!run) {
    ADD_FAILURE() << run.error().context;
    return {};
  }
  return {.text = text_of(*run, 100), .json = json_of(*run)};
}

std::string put(const test::Scratch& scratch, const char* name, const std::vector<json>& records) {
  std::string text;
  for (const json& record : records) text += record.dump() + "\n";
  return scratch.put(name, text);
}

void expect_near(const json& ours, const std::optional<double>& slow, const std::string& what) {
  ASSERT_EQ(ours.is_null(), !slow.has_value()) << what;
  if (!slow) return;
  EXPECT_NEAR(ours.get<double>(), *slow, 1e-9 * std::max(1.0, *slow)) << what;
}

void expect_ranks(const json& ours, const SlowExamined& slow, bool harvests) {
  expect_near(ours["first"], slow.first, "first");
  EXPECT_EQ(ours["left_out"]["moved"], harvests ? slow.moved : 0);
  ASSERT_EQ(ours["ranks"].size(), slow.ranks.size());
  for (std::size_t i = 0; i < slow.ranks.size(); ++i) {
    const json& at = ours["ranks"][i];
    const SlowRank& expected = slow.ranks[i];
    EXPECT_EQ(at["rank"], i + 1);
    EXPECT_EQ(at["shown"], expected.shown);
    EXPECT_EQ(at["clicked"], expected.clicked);
    EXPECT_EQ(at["reason"], expected.reason.empty() ? json() : json(expected.reason));
    EXPECT_EQ(at["comparisons"], harvests && i > 0 ? json(expected.comparisons) : json());
    expect_near(at["value"], expected.value, at.dump());
    ASSERT_EQ(at["ci"].is_null(), !expected.ci) << at.dump();
    if (!expected.ci) continue;
    expect_near(at["ci"][0], expected.ci->first, at.dump());
    expect_near(at["ci"][1], expected.ci->second, at.dump());
  }
}

TEST(ExaminationRun, counts_the_lists_items_and_clicks_of_the_log) {
  support::for_each_seed(30, 300, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Log log = random_log(dice);
    const test::Scratch scratch;
    const std::string file = put(scratch, "log.jsonl", log.records);
    Request request{.key = "variant", .random = {}, .horizon = {}, .min = 20};
    if (dice.percent(50)) request.random = dice.pick<std::string>({"A", "B", "c:1"});
    const std::int64_t horizon = horizons[dice.below(2)];
    if (horizon != horizons[1] || dice.percent(50)) request.horizon = Duration{horizon};
    const json answer = support::parsed_json(answer_of({file}, request, SortWhen::automatic).json);
    const Counted expected = counted(log, horizon, request.random);
    EXPECT_EQ(answer["schema"], "recmeter.examination/1");
    EXPECT_EQ(answer["horizon_ms"], horizon);
    EXPECT_EQ(answer["left_out"]["other_lists"], expected.other_lists);
    EXPECT_EQ(answer["left_out"]["unfinished_lists"], expected.unfinished_lists);
    std::map<std::string, std::uint64_t> lists;
    for (const json& of_value : answer["lists"]) lists[of_value["value"]] = of_value["lists"];
    EXPECT_EQ(lists, expected.lists);
    expect_ranks(answer,
                 request.random ? slow_random_order(expected.looks, 20, 0.95) : slow_harvested(expected.looks, 20, 0.95),
                 !request.random);
  });
}

TEST(ExaminationRun, is_the_same_bytes_however_the_log_is_cut_and_shuffled) {
  support::for_each_seed(6, 60, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Log log = random_log(dice);
    const test::Scratch scratch;
    std::vector<json> anyhow = log.records;
    dice.shuffle(anyhow);
    std::vector<std::pair<std::int64_t, json>> delayed;  // by less than the lateness
    for (const json& record : log.records)
      delayed.emplace_back(record["ts"].get<std::int64_t>() + dice.between(0, 280'000), record);
    std::ranges::stable_sort(delayed, {}, &std::pair<std::int64_t, json>::first);
    std::vector<json> within_lateness;
    for (const auto& [at, record] : delayed) within_lateness.push_back(record);
    std::vector<json> parts[3];
    for (const json& record : log.records) parts[dice.below(3)].push_back(record);
    const std::string sorted = put(scratch, "sorted.jsonl", log.records);
    const std::vector<std::vector<std::string>> others{
        {put(scratch, "anyhow.jsonl", anyhow)},
        {put(scratch, "within.jsonl", within_lateness)},
        {put(scratch, "part0.jsonl", parts[0]), put(scratch, "part1.jsonl", parts[1]),
         put(scratch, "part2.jsonl", parts[2])}};
    for (const std::optional<std::string>& random : {std::optional<std::string>(), std::optional<std::string>("B")}) {
      const Request request{.key = "variant", .random = random, .horizon = {}, .min = 20};
      const Answer expected = answer_of({sorted}, request, SortWhen::never);
      EXPECT_NE(expected.text.find("rank   over 1st  95 % interval"), std::string::npos) << expected.text;
      for (std::size_t i = 0; i < others.size(); ++i) {
        const Answer other = answer_of(others[i], request, i == 0 ? SortWhen::always : SortWhen::never);
        EXPECT_EQ(other.text, expected.text) << others[i].front();
        EXPECT_EQ(other.json, expected.json) << others[i].front();
      }
    }
  });
}

}  // namespace
}  // namespace recmeter::examining
