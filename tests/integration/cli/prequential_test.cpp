// Recommenders that were not live, judged on a log: what may not change the rows, and what a user is told.
#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

constexpr const char* recommenders = R"(
  - {name: top, kind: popularity, period: 6h}
  - {name: fading, kind: popularity, half_life: 2h}
  - {name: knn, kind: item_knn}
  - {name: near, kind: covisit}
  - {name: own, kind: own_recency}
  - {name: factors, kind: isgd}
)";
constexpr const char* judged = R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [hit_rate, mrr, distinct_items], cutoffs: [5]}
)";

class Prequential : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    generate("--lists 3000 --users 150 --items 300 --seed 3 --duplicates 0.01 --disorder 5s");
    write("lanes.yaml", "", recommenders);
  }
  void write(const std::string& name, const std::string& rules, const std::string& who) const {
    scratch().put(name, std::string(judged) + rules + "recommenders:" + who);
  }
  [[nodiscard]] std::string rows(const std::string& arguments) const {
    const Ended ended = run("prequential --format jsonl " + arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  }
  // Of one recommender.
  [[nodiscard]] static std::vector<std::string> of(const std::string& name, const std::string& rows) {
    std::vector<std::string> out;
    for (const std::string& row : lines_of(rows)) {
      if (row.find(R"("segment":{"recommender":")" + name + R"(")") != std::string::npos) out.push_back(row);
    }
    return out;
  }
};

TEST_F(Prequential, has_the_same_rows_for_any_number_of_threads_and_any_order_within_the_lateness) {
  const std::string whole = rows("--config lanes.yaml log.jsonl -j1");
  EXPECT_EQ(of("knn", whole).size(), of("top", whole).size());
  EXPECT_GT(of("top", whole).size(), 20U);
  for (const char* threads : {"2", "8"}) EXPECT_EQ(rows(std::string("--config lanes.yaml log.jsonl -j") + threads), whole);
  auto lines = lines_of(scratch().get("log.jsonl"));
  std::erase(lines, "");
  std::mt19937_64 random(1);
  for (std::size_t first = 0; first + 20 < lines.size(); first += 20) {
    std::shuffle(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.begin() + static_cast<std::ptrdiff_t>(first + 20),
                 random);
  }
  std::string shuffled;
  for (const std::string& line : lines) shuffled += line + "\n";
  scratch().put("shuffled.jsonl", shuffled);
  EXPECT_EQ(rows("--config lanes.yaml shuffled.jsonl"), whole);
}

TEST_F(Prequential, one_recommender_more_changes_no_row_of_another) {
  const std::string whole = rows("--config lanes.yaml log.jsonl");
  write("one.yaml", "", "\n  - {name: knn, kind: item_knn}\n");
  EXPECT_EQ(of("knn", whole), of("knn", rows("--config one.yaml log.jsonl")));
}

TEST_F(Prequential, judges_recorded_lists_as_it_judged_those_that_were_recorded) {
  const std::string whole = rows("--config lanes.yaml log.jsonl --record recorded.jsonl");
  write("again.yaml", "", "\n  - {name: knn, kind: recorded, file: " + scratch().path("recorded.jsonl") + "}\n");
  const auto values = [](const std::vector<std::string>& of_lane) {
    std::vector<json> out;
    for (const std::string& row : of_lane) {
      out.push_back(support::parsed_json(row));
      out.back().erase("config");  // another definition
    }
    return out;
  };
  const auto again = values(of("knn", rows("--config again.yaml log.jsonl")));
  EXPECT_FALSE(again.empty());
  EXPECT_EQ(again, values(of("knn", whole)));
}

TEST_F(Prequential, ranks_shown_lists_again_with_their_segments) {
  write("again.yaml", "prequential: {at: impressions, candidates: list, exclude: none}\n",
        "\n  - {name: top, kind: popularity}\n");
  const std::string whole = rows("--config again.yaml log.jsonl --lists lists.jsonl --record recorded.jsonl");
  std::map<std::string, std::uint64_t> lists;
  for (const std::string& line : lines_of(whole)) {
    if (line.empty()) continue;
    const json row = support::parsed_json(line);
    if (row["window"] == "all") lists[row["segment"].dump()] += row["lists"].get<std::uint64_t>();
  }
  EXPECT_EQ((lists[R"({"recommender":"top"})"]), 3000U);
  EXPECT_EQ((lists[R"({"recommender":"top","variant":"A"})"] + lists[R"({"recommender":"top","variant":"B"})"]), 3000U);
  // The same items in another order.
  std::map<std::pair<std::int64_t, std::string>, std::vector<std::string>> shown;
  for (const std::string& line : lines_of(scratch().get("log.jsonl"))) {
    if (line.find(R"("impression")") == std::string::npos) continue;
    const json list = support::parsed_json(line);
    if (!list.contains("items")) continue;
    shown[{list["ts"], list["user_id"]}] = list["items"].get<std::vector<std::string>>();
  }
  std::size_t reordered = 0;
  for (const std::string& line : lines_of(scratch().get("recorded.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    auto before = shown.at({list["ts"], list["user_id"]});
    auto after = list["items"].get<std::vector<std::string>>();
    before.resize(std::min<std::size_t>(before.size(), 10));
    reordered += before != after ? 1U : 0U;
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(before, after);
  }
  EXPECT_GT(reordered, 1000U);
}

// A thumb on an answer is of no item: nothing is learnt from it, nothing is asked of it.
TEST_F(Prequential, learns_nothing_from_what_is_done_to_whole_lists) {
  const std::string log = scratch().get("log.jsonl");
  std::string with_thumbs;
  std::size_t thumbs = 0;
  for (const std::string& line : lines_of(log)) {
    if (line.empty()) continue;
    with_thumbs += line + "\n";
    const json event = support::parsed_json(line);
    if (event["type"] != "impression" || !event.contains("list_id")) continue;
    with_thumbs +=
        json{{"type", "thumb"}, {"ts", event["ts"]}, {"user_id", event["user_id"]}, {"list_id", event["list_id"]}}.dump() +
        "\n";
    ++thumbs;
  }
  ASSERT_GT(thumbs, 1000U);
  scratch().put("thumbs.jsonl", with_thumbs);
  const std::string actions = "join: {actions: {click: {gain: 1}, purchase: {gain: 3}, thumb: {on: list}}}\n";
  for (const char* rules : {"", "prequential: {at: impressions, candidates: list, exclude: none}\n"}) {
    write("thumbs.yaml", actions + rules, "\n  - {name: top, kind: popularity}\n  - {name: knn, kind: item_knn}\n");
    const std::string whole = rows("--config thumbs.yaml log.jsonl");
    EXPECT_EQ(rows("--config thumbs.yaml thumbs.jsonl"), whole) << rules;
    EXPECT_GT(of("top", whole).size(), 20U);
  }
}

TEST_F(Prequential, compares_predicted_ratings_with_those_given) {
  std::string log;
  for (int n = 0; n < 600; ++n) {
    const int user = n % 20;
    const int item = (n * 7 + n / 20) % 25;
    // Users of one kind like even items, those of the other odd ones.
    const int rating = (user % 2 == item % 2) ? 5 - n % 2 : 1 + n % 2;
    log += R"({"type":"rating","ts":)" + std::to_string(1'700'000'000'000 + n * 1000) + R"(,"user_id":"u)" +
           std::to_string(user) + R"(","item_id":"i)" + std::to_string(item) + R"(","value":)" + std::to_string(rating) +
           "}\n";
  }
  scratch().put("rated.jsonl", log);
  scratch().put("rated.yaml", R"(
join: {horizons: [1ms], assemble: 0s, actions: {rating: {gain: 1}}}
windows: [{name: all, size: all}]
metrics: {names: [mae], cutoffs: [5]}
prequential: {candidates: rated}
recommenders:
  - {name: taste, kind: user_knn, significance: 5}
  - {name: mean, kind: user_knn, threshold: 1}
)");
  std::map<std::string, double> mae;
  for (const std::string& line : lines_of(rows("--config rated.yaml rated.jsonl --record predicted.jsonl"))) {
    if (line.empty()) continue;
    const json row = support::parsed_json(line);
    EXPECT_EQ(row["lists"], 600);
    mae[row["segment"]["recommender"]] = row["metrics"]["mae"]["value"];
  }
  EXPECT_LT(mae.at("taste"), 1.2);
  EXPECT_GT(mae.at("mean"), 1.4) << "no neighbour is more similar than 1";
}

TEST_F(Prequential, writes_curves_that_add_up_to_its_rows) {
  scratch().put("curves.yaml", std::string("join: {horizons: [1ms], assemble: 0s, actions: {click: {gain: 1}}}\n"
                                           "windows: [{name: all, size: all}]\n"
                                           "metrics: {names: [{name: recall, unit: pooled}], cutoffs: [5]}\n"
                                           "recommenders:") +
                                   recommenders);
  std::map<std::string, double> recall;
  for (const std::string& line : lines_of(rows("--config curves.yaml log.jsonl --learning-curves curves.jsonl"))) {
    if (line.empty()) continue;
    const json row = support::parsed_json(line);
    recall[row["segment"]["recommender"]] = row["metrics"]["recall@5/pooled"]["value"];
  }
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> sums;
  for (const std::string& line : lines_of(scratch().get("curves.jsonl"))) {
    if (line.empty()) continue;
    const json point = support::parsed_json(line);
    EXPECT_EQ(point["schema"], "recmeter.learning_curve/1");
    auto& [hits, targets] = sums[{point["recommender"], point["by"]}];
    hits += point["hits"].get<double>();
    targets += point["targets"].get<double>();
  }
  EXPECT_EQ(sums.size(), 6U * 4U) << "each recommender by each kind of bucket";
  for (const auto& [of, sum] : sums)
    EXPECT_NEAR(sum.first / sum.second, recall.at(of.first), 1e-12) << of.first << " " << of.second;
}

TEST_F(Prequential, asks_every_so_often_for_those_who_acted_lately) {
  std::string log;
  for (const int minute : {10, 20, 70, 200}) {
    log += R"({"type":"click","ts":)" + std::to_string(1'700'002'800'000 + minute * 60'000) + R"(,"user_id":"u)" +
           std::to_string(minute) + R"(","item_id":"i"})" + "\n";
  }
  scratch().put("few.jsonl", log);
  write("every.yaml", "prequential: {at: every, every: 1h, active: 2h}\n", "\n  - {name: top, kind: popularity}\n");
  static_cast<void>(rows("--config every.yaml few.jsonl --record asked.jsonl"));
  std::vector<std::string> asked;
  for (const std::string& line : lines_of(scratch().get("asked.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    asked.push_back(std::to_string((list["ts"].get<std::int64_t>() - 1'700'002'800'000) / 60'000) + " " +
                    list["user_id"].get<std::string>());
  }
  EXPECT_EQ(asked, (std::vector<std::string>{"60 u10", "60 u20", "120 u10", "120 u20", "120 u70", "180 u70"}));
}

[[nodiscard]] std::string act(std::string_view type, std::int64_t second, std::string_view user, std::string_view item,
                              std::string_view more = "") {
  return R"({"type":")" + std::string(type) + R"(","ts":)" + std::to_string(1'700'002'800'000 + second * 1000) +
         R"(,"user_id":")" + std::string(user) + R"(","item_id":")" + std::string(item) + "\"" + std::string(more) + "}\n";
}
[[nodiscard]] std::string shown(std::int64_t second, std::string_view user, std::string_view list, std::string_view items,
                                std::string_view variant = "A") {
  return R"({"type":"impression","ts":)" + std::to_string(1'700'002'800'000 + second * 1000) + R"(,"user_id":")" +
         std::string(user) + R"(","list_id":")" + std::string(list) + R"(","items":[)" + std::string(items) +
         R"(],"segments":{"variant":")" + std::string(variant) + "\"}}\n";
}

// "recommender: second user items" of each list.
[[nodiscard]] std::vector<std::string> recorded(const std::string& lists) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(lists)) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    out.push_back(list["recommender"].get<std::string>() + ": " +
                  std::to_string((list["ts"].get<std::int64_t>() - 1'700'002'800'000) / 1000) + " " +
                  list["user_id"].get<std::string>() + " " + list["items"].dump());
  }
  return out;
}

constexpr const char* of_sales = R"(
join: {horizons: [30m, 1m], actions: {purchase: {gain: 1}, return: {undoes: purchase}}}
windows: [{name: all, size: all}]
segments: [[variant]]
metrics:
  cutoffs: [1]
  names:
    - {name: income, action: purchase}
    - {name: income_per_user, action: purchase}
    - {name: reward, action: purchase}
    - {name: ndcg_list, action: purchase, grade: value, as: sold}
    - hit_rate
)";

// By horizon and segment: each metric's value.
[[nodiscard]] std::map<std::string, json> values_of(const std::string& rows) {
  std::map<std::string, json> out;
  for (const std::string& line : lines_of(rows)) {
    if (line.empty()) continue;
    const json row = support::parsed_json(line);
    out[row["horizon"].get<std::string>() + row["segment"].dump()] = row["metrics"];
  }
  return out;
}

// [S12.12], its example: four lists, of which the last two of u1 hold b.
TEST_F(Prequential, counts_what_was_paid_once_in_the_latest_list_that_fits) {
  const std::string of_10 = R"(,"value":10)";
  scratch().put("sales.jsonl", act("purchase", 0, "u0", "a", of_10) + act("purchase", 10, "u0", "b", of_10) +
                                   act("purchase", 100, "u1", "a", of_10) + act("purchase", 160, "u1", "b", of_10));
  scratch().put("sales.yaml", std::string(of_sales) + "recommenders: [{name: top, kind: popularity}]\n");
  const auto all = values_of(rows("--config sales.yaml sales.jsonl --record lists.jsonl"));
  EXPECT_EQ(recorded(scratch().get("lists.jsonl")).size(), 4U);
  const json& half_hour = all.at(R"(30m{"recommender":"top"})");
  EXPECT_EQ(half_hour["income{action=purchase}"]["value"], 5);
  EXPECT_EQ(half_hour["income_per_user{action=purchase}"]["value"], 10);
  EXPECT_EQ(half_hour["hit_rate@1"]["value"], 0.5) << "a list still holds what it foresaw, whatever list was paid";
  EXPECT_EQ(all.at(R"(1m{"recommender":"top"})")["income{action=purchase}"]["value"], 5) << "b comes a minute later";
}

// The latest list takes what was returned of it, too.
TEST_F(Prequential, takes_back_what_was_returned_from_the_list_that_was_paid) {
  scratch().put("sales.jsonl", act("purchase", 0, "u0", "a") + act("purchase", 10, "u0", "b") +
                                   act("purchase", 100, "u1", "c") + act("purchase", 160, "u1", "b", R"(,"value":10)") +
                                   act("return", 170, "u1", "b", R"(,"value":4)"));
  scratch().put("sales.yaml", std::string(of_sales) + "recommenders: [{name: top, kind: popularity}]\n");
  const auto all = values_of(rows("--config sales.yaml sales.jsonl"));
  EXPECT_EQ(all.at(R"(30m{"recommender":"top"})")["income{action=purchase}"]["value"], 6.0 / 4);
}

// Of each recommender alone, whatever others there are; against the rule written down once more.
TEST_F(Prequential, pays_one_list_of_each_recommender_on_any_log) {
  std::mt19937_64 random(5);
  std::string log;
  struct Sale {
    std::int64_t second;
    std::string user, item;
    double value;
  };
  std::vector<Sale> sales;
  for (std::int64_t second = 0; sales.size() < 600;) {
    second += static_cast<std::int64_t>(random() % 90);
    const Sale sale{second, "u" + std::to_string(random() % 9), "i" + std::to_string(random() % 12),
                    static_cast<double>(random() % 40)};
    const auto is_same = [&](const Sale& s) { return s.second == sale.second && s.user == sale.user && s.item == sale.item; };
    if (std::ranges::any_of(sales, is_same)) continue;
    sales.push_back(sale);
    log += act("purchase", second, sale.user, sale.item, R"(,"value":)" + std::to_string(sale.value));
  }
  scratch().put("sales.jsonl", log);
  const std::string rules = std::string(of_sales) + "prequential: {exclude: none, length: 4}\nrecommenders:\n";
  scratch().put("sales.yaml", rules + "  - {name: top, kind: popularity}\n  - {name: new, kind: recency}\n");
  const auto all = values_of(rows("--config sales.yaml sales.jsonl --record lists.jsonl"));
  struct Made {
    std::int64_t second;
    std::string user;
    std::vector<std::string> items;
  };
  std::map<std::string, std::vector<Made>> lists;
  for (const std::string& line : lines_of(scratch().get("lists.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    lists[list["recommender"]].push_back(
        {(list["ts"].get<std::int64_t>() - 1'700'002'800'000) / 1000, list["user_id"], list["items"]});
  }
  ASSERT_EQ(lists.size(), 2U);
  for (const auto& [name, made] : lists) {
    for (const auto& [horizon, seconds] : {std::pair<std::string, std::int64_t>("30m", 1800), {"1m", 60}}) {
      double sum = 0;
      for (const Sale& sale : sales) {
        const bool is_paid = std::ranges::any_of(made, [&](const Made& list) {
          const std::int64_t delay = sale.second - list.second;
          return list.user == sale.user && delay >= 0 && delay < seconds &&
                 std::ranges::find(list.items, sale.item) != list.items.end();
        });
        sum += is_paid ? sale.value : 0;
      }
      const json& value = all.at(horizon + R"({"recommender":")" + name + "\"}")["income{action=purchase}"]["value"];
      EXPECT_GT(sum, 0);
      EXPECT_NEAR(value.get<double>(), sum / static_cast<double>(made.size()), 1e-6) << name << " " << horizon;
    }
  }
  scratch().put("one.yaml", rules + "  - {name: new, kind: recency}\n");
  EXPECT_EQ(of("new", rows("--config sales.yaml sales.jsonl")), of("new", rows("--config one.yaml sales.jsonl")));
}

// The tenth list and the eleventh, shown to one user at one time: the later is the one of the greater list id.
TEST_F(Prequential, pays_of_lists_of_one_time_the_last) {
  std::string log = act("purchase", 0, "u", "a", R"(,"value":1)");
  for (int n = 0; n < 9; ++n) log += shown(10 + n, "v", "l" + std::to_string(n), R"("a")");
  log += shown(60, "u", "m1", R"("a","b")", "A") + shown(60, "u", "m2", R"("a","b")", "B") +
         act("purchase", 70, "u", "b", R"(,"value":22)");
  scratch().put("sales.jsonl", log);
  scratch().put("sales.yaml", std::string(of_sales) +
                                  "prequential: {at: impressions, candidates: list, exclude: none}\n"
                                  "recommenders: [{name: top, kind: popularity}]\n");
  const auto all = values_of(rows("--config sales.yaml sales.jsonl"));
  EXPECT_EQ(all.at(R"(30m{"recommender":"top","variant":"A"})")["income{action=purchase}"]["value"], 0);
  EXPECT_EQ(all.at(R"(30m{"recommender":"top","variant":"B"})")["income{action=purchase}"]["value"], 22);
}

// [S12.1], [S12.2]: `0` stands for many people.
TEST_F(Prequential, learns_from_placeholder_users_and_asks_them_nothing) {
  scratch().put("some.jsonl", act("click", 0, "0", "z") + act("click", 1, "0", "z") + act("click", 2, "u", "a") +
                                  shown(3, "0", "l0", R"("a")") + shown(4, "u", "l1", R"("a","z")") +
                                  act("click", 5, "v", "b") + act("click", 3601, "0", "z"));
  const std::string known = "join: {not_users: ['0']}\n";
  const std::string who = "\n  - {name: top, kind: popularity}\n  - {name: users, kind: popularity, count: users}\n";
  write("some.yaml", known, who);
  static_cast<void>(rows("--config some.yaml some.jsonl --record lists.jsonl"));
  EXPECT_EQ(recorded(scratch().get("lists.jsonl")),
            (std::vector<std::string>{R"(top: 2 u ["z"])", R"(users: 2 u ["z"])", R"(top: 5 v ["z","a"])",
                                      R"(users: 5 v ["a","z"])"}));
  write("some.yaml", known + "prequential: {at: impressions}\n", who);
  static_cast<void>(rows("--config some.yaml some.jsonl --record lists.jsonl"));
  EXPECT_EQ(recorded(scratch().get("lists.jsonl")), (std::vector<std::string>{R"(top: 4 u ["z"])", R"(users: 4 u ["z"])"}));
  write("some.yaml", known + "prequential: {at: every, every: 30m}\n", "\n  - {name: top, kind: popularity}\n");
  static_cast<void>(rows("--config some.yaml some.jsonl --record lists.jsonl"));
  EXPECT_EQ(recorded(scratch().get("lists.jsonl")),
            (std::vector<std::string>{R"(top: 1800 u ["z","b"])", R"(top: 1800 v ["z","a"])", R"(top: 3600 u ["z","b"])",
                                      R"(top: 3600 v ["z","a"])"}))
      << "up to the last accepted feedback, whosever it is";
}

TEST_F(Prequential, takes_candidates_from_the_catalogue_whether_seen_or_not) {
  scratch().put("items.txt", "never_seen\n");
  write("catalog.yaml", "catalog: {file: " + scratch().path("items.txt") + "}\nprequential: {candidates: catalog}\n",
        "\n  - {name: top, kind: popularity}\n");
  static_cast<void>(rows("--config catalog.yaml log.jsonl --record asked.jsonl"));
  for (const std::string& line : lines_of(scratch().get("asked.jsonl"))) {
    if (line.empty()) continue;
    EXPECT_EQ(support::parsed_json(line)["items"], json::array({"never_seen"}));
  }
}

TEST_F(Prequential, tells_how_much_could_be_recommended) {
  const Ended ended = run("prequential --config lanes.yaml log.jsonl -o rows.jsonl");
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find(" requests, "), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("% could be recommended, "), std::string::npos) << ended.err;
}

TEST_F(Prequential, warns_where_people_come_back_to_things) {
  std::string log;
  for (int n = 0; n < 200; ++n) {
    log += R"({"type":"click","ts":)" + std::to_string(1'700'000'000'000 + n * 1000) + R"(,"user_id":"u","item_id":"i)" +
           std::to_string(n % 4) + "\"}\n";
  }
  scratch().put("back.jsonl", log);
  const Ended ended = run("prequential --config lanes.yaml back.jsonl -o rows.jsonl");
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("people come back to things here"), std::string::npos) << ended.err;
}

TEST_F(Prequential, loses_no_list_that_cannot_be_judged) {
  static_cast<void>(rows("--config lanes.yaml log.jsonl --record lists.jsonl"));
  std::string lists = scratch().get("lists.jsonl");
  const std::size_t item = lists.find(R"("items":[")", lists.rfind(R"("recommender":"knn")")) + 10;
  lists.insert(item, 1000, 'x');
  scratch().put("lists.jsonl", lists);
  write("theirs.yaml", "", "\n  - {name: knn, kind: recorded, file: " + scratch().path("lists.jsonl") + "}\n");
  const Ended ended = run("prequential --config theirs.yaml log.jsonl -o rows.jsonl");
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("a recorded list cannot be judged: "), std::string::npos) << ended.err;
}

struct Refused {
  std::string rules, who, said;
};

TEST_F(Prequential, refuses_what_cannot_be) {
  for (const auto& [rules, who, said] : std::vector<Refused>{
           {"", " []\n", "no recommender is configured"},
           {"prequential: {candidates: list}\n", "\n  - {name: a}\n", "list needs at: impressions"},
           {"prequential: {at: feedback}\n", "\n  - {name: a, kind: shown}\n", "kind: shown needs at: impressions"},
           {"prequential: {at: every, context: [page]}\n", "\n  - {name: a}\n", "context needs at: impressions"},
           {"prequential: {context: [page, page]}\n", "\n  - {name: a}\n", "is there twice"},
           {"prequential: {context: [page]}\n", "\n  - {name: a, context: page}\n", "is of covisit and item_knn alone"},
           {"prequential: {context: [list_id]}\n", "\n  - {name: a, kind: covisit, context: page}\n",
            "`page` is no segment key in prequential.context"},
           {"prequential: {candidates: recent}\n", "\n  - {name: a}\n", "recent needs to know how recent"},
           {"prequential: {candidates: catalog}\n", "\n  - {name: a}\n", "catalog needs the items of one"},
           {"prequential: {candidates: rated}\n", "\n  - {name: a}\n", "rated asks what a user will rate"},
           {"", "\n  - {name: a, kind: user_knn}\n", "predicts ratings, and learns none"},
           {"", "\n  - {name: logged}\n", "is the name of the lists that were shown"},
           {"", "\n  - {name: a}\n  - {name: a}\n", "is the name of another recommender"},
           {"", "\n  - {kind: random}\n", "has no `name`"},
           {"", "\n  - {name: a, kind: recorded}\n", "is recorded, and no file is named"},
           {"", "\n  - {name: a, kind: mf}\n", "popularity"},
           {"limits: {recommender_pairs: 5}\n", "\n  - {name: knn, kind: item_knn}\n",
            "recommender knn reached limits.recommender_pairs (5)"},
           {"lanes: {names: [B]}\n", "\n  - {name: a}\n", "which `recmeter replay` judges"},
           {"join: {key: list}\n", "\n  - {name: a}\n", "join.key: list has none"}}) {
    write("refused.yaml", rules, who);
    const Ended ended = run("prequential --config refused.yaml log.jsonl -o rows.jsonl");
    EXPECT_EQ(ended.code, 2) << said;
    EXPECT_NE(ended.err.find(said), std::string::npos) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(scratch().path("rows.jsonl")));
  }
}

TEST_F(Prequential, says_which_line_is_no_list) {
  scratch().put("theirs.jsonl", R"({"type":"candidate","recommender":"a","ts":1,"user_id":"u","items":["b"]})"
                                "\n{\"ts\":5}\n");
  write("theirs.yaml", "", "\n  - {name: a, kind: recorded, file: " + scratch().path("theirs.jsonl") + "}\n");
  const Ended ended = run("prequential --config theirs.yaml log.jsonl -o rows.jsonl");
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("theirs.jsonl, line 2: this is not a list of a recommender"), std::string::npos) << ended.err;
  for (const char* numbers : {R"("scores":[1e9])", R"("scores":[1,2])", R"("scores":["a"])", R"("confidence":[2])"}) {
    scratch().put(
        "theirs.jsonl",
        std::string(R"({"type":"candidate","recommender":"a","ts":1,"user_id":"u","items":["b"],)") + numbers + "}\n");
    const Ended bad = run("prequential --config theirs.yaml log.jsonl -o rows.jsonl");
    EXPECT_EQ(bad.code, 1);
    EXPECT_NE(bad.err.find("theirs.jsonl, line 1: scores are from -1e8 to 1e8"), std::string::npos) << bad.err;
  }
}

TEST_F(Prequential, lets_no_lists_of_recommenders_fall_together) {
  write("many.yaml", "limits: {segment_values: 1}\nprequential: {at: impressions}\n",
        "\n  - {name: top, kind: popularity}\n");
  const Ended ended = run("prequential --config many.yaml log.jsonl -o rows.jsonl");
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("more values than limits.segment_values allows; raise it"), std::string::npos) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(scratch().path("rows.jsonl")));
}

TEST_F(Prequential, tells_of_each_kind) {
  EXPECT_NE(run("recommenders").out.find("item_knn"), std::string::npos);
  EXPECT_NE(run("recommenders isgd").out.find("Vinagre"), std::string::npos);
  EXPECT_EQ(run("recommenders mf").code, 2);
  EXPECT_EQ(support::parsed_json(run("--json recommenders").out).size(), 11U);
}

}  // namespace
}  // namespace recmeter::test
