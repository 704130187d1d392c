// How likely each rank is looked at, as a user asks for it: the page, the JSON, the lines for the configuration and what they
// come to there; and what is refused.
#include <nlohmann/json.hpp>

#include "integration/cli/workplace.h"
#include "support/dice.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;
using support::Dice;

constexpr int seconds = 3000;

// A list a second, of three items: half of them in random order, the others by a variant of two, which swap the first two
// items in the even pages and the last two in the others. The longest horizon is over at the end.
std::string shop_log() {
  Dice dice(7);
  std::string log;
  for (int second = 0; second < seconds; ++second) {
    const std::int64_t ts = start_ms + 1000 * second;
    const std::string ids = R"("user_id":"u)" + std::to_string(second) + R"(","list_id":"l)" + std::to_string(second) + "\"";
    std::vector<std::string> items{"a", "b", "c"};
    const bool is_random = dice.percent(50);
    const bool is_even = dice.percent(50);
    const std::string variant = dice.pick<std::string>({"A", "B"});
    if (is_random) dice.shuffle(items);
    if (!is_random && variant == "B") std::swap(items[1], is_even ? items[0] : items[2]);
    for (std::string& item : items) item += is_even ? "0" : "1";
    log += R"({"type":"impression","ts":)" + std::to_string(ts) + "," + ids + R"(,"items":)" + json(items).dump() +
           R"(,"segments":{"policy":")" + (is_random ? "random" : "ranked") + "\"" +
           (is_random ? "" : R"(,"variant":")" + variant + "\"") + "}}\n";
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!dice.percent(60 / (i + 1))) continue;
      log += R"({"type":"click","ts":)" + std::to_string(ts + 500) + "," + ids + R"(,"item_id":")" + items[i] + "\"}\n";
    }
  }
  const std::int64_t end = start_ms + 1000 * seconds + 31 * 60'000;
  return log + R"({"type":"click","ts":)" + std::to_string(end) + R"(,"user_id":"nobody","item_id":"z"})" + "\n";
}

class ExaminationCommand : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("shop.jsonl", shop_log());
    scratch().put("shop.yaml", "join: {horizons: [10m, 30m]}\n");
  }

  // The value of coec@3 over the whole log, with the lines that `text` prints in the configuration.
  [[nodiscard]] double coec_with(const std::string& text, const std::string& segment) const {
    const std::size_t lines = text.find("metrics:\n");
    EXPECT_NE(lines, std::string::npos) << text;
    scratch().put("coec.yaml", "join: {horizons: [30m]}\nsegments: [[policy]]\n" + text.substr(lines) +
                                   "  names: [coec]\n  cutoffs: [3]\n");
    const Ended ended = run("replay -c coec.yaml shop.jsonl");
    EXPECT_EQ(ended.code, 0) << ended.err;
    for (const std::string& line : lines_of(ended.out)) {
      const json row = support::parsed_json(line);
      if (row["segment"] == json{{"policy", segment}}) return row["metrics"]["coec@3"]["value"];
    }
    ADD_FAILURE() << "no row of " << segment;
    return 0;
  }
};

TEST_F(ExaminationCommand, answers_with_a_page_and_in_json) {
  const Ended page = run("examination -c shop.yaml --uniform policy:random shop.jsonl");
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_NE(page.out.find("lists in random order: `policy` = random"), std::string::npos) << page.out;
  EXPECT_NE(page.out.find("times as many clicks at rank 3 as at rank 1"), std::string::npos) << page.out;
  const json answer = support::parsed_json(run("examination --json -c shop.yaml --uniform policy:random shop.jsonl").out);
  EXPECT_EQ(answer["schema"], "recmeter.examination/1");
  EXPECT_EQ(answer["from"], "uniform");
  EXPECT_EQ(answer["horizon_ms"], 30 * 60'000) << "the longest";
  ASSERT_EQ(answer["ranks"].size(), 3U);
  for (int rank : {2, 3}) {
    const json& at = answer["ranks"][static_cast<std::size_t>(rank - 1)];
    EXPECT_LE(at["ci"][0], 1.0 / rank) << at.dump();
    EXPECT_GE(at["ci"][1], 1.0 / rank) << at.dump();
  }
  const json short_one =
      support::parsed_json(run("examination --json -c shop.yaml --horizon 10m --variants variant shop.jsonl").out);
  EXPECT_EQ(short_one["horizon_ms"], 10 * 60'000);
  EXPECT_EQ(short_one["from"], "variants");
  EXPECT_EQ(short_one["lists"].size(), 2U);
}

TEST_F(ExaminationCommand, prints_lines_with_which_coec_is_1_on_the_log_they_are_of) {
  const Ended uniform = run("examination -c shop.yaml --uniform policy:random shop.jsonl");
  EXPECT_NEAR(coec_with(uniform.out, "random"), 1, 1e-5);
  const Ended variants = run("examination -c shop.yaml --variants variant shop.jsonl");
  EXPECT_NEAR(coec_with(variants.out, "ranked"), 1, 1e-5);
}

// First 0.5, by rank 1, 0.5 and 0.25. u1's list of three is clicked at 1 and 3; u2's of two at 2, twice; u3's of three not;
// u4's is empty. Expected: 0.875 + 0.75 + 0.875. Clicked: 3.
TEST_F(ExaminationCommand, gives_coec_as_it_is_computed_by_hand) {
  scratch().put("hand.yaml",
                "join: {horizons: [1m]}\n"
                "metrics: {names: [coec], cutoffs: [1, 3], examination: {first: 0.5, by_rank: [1, 0.5, 0.25]}}\n");
  const auto list = [](int user, const char* items) {
    return R"({"type":"impression","ts":)" + std::to_string(start_ms + 1000 * user) + R"(,"user_id":"u)" +
           std::to_string(user) + R"(","list_id":"l","items":)" + items + "}\n";
  };
  const auto act = [](int user, const char* item, int ms) {
    return R"({"type":"click","ts":)" + std::to_string(start_ms + 10'000 + ms) + R"(,"user_id":"u)" + std::to_string(user) +
           R"(","item_id":")" + item + "\"}\n";
  };
  scratch().put("hand.jsonl", list(1, R"(["a","b","c"])") + list(2, R"(["a","b"])") + list(3, R"(["a","b","c"])") +
                                  list(4, "[]") + act(1, "a", 0) + act(1, "c", 1) + act(2, "b", 2) + act(2, "b", 3) +
                                  act(9, "z", 300'000));
  const Ended ended = run("replay -c hand.yaml hand.jsonl");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json row = support::parsed_json(lines_of(ended.out).at(0));
  EXPECT_EQ(row["lists"], 4);
  EXPECT_DOUBLE_EQ(row["metrics"]["coec@3"]["value"], 3 / 2.5);
  EXPECT_DOUBLE_EQ(row["metrics"]["coec@1"]["value"], 1 / 1.5);
}

struct Refused {
  const char* arguments;
  int code;
  std::vector<std::string> parts;
};

TEST_F(ExaminationCommand, refuses_what_says_nothing_of_ranks) {
  const auto with_value = [](int i, const std::string& value) {
    std::string line = impression(i, 1000 * i);
    return line.insert(line.size() - 2, R"(,"segments":{"v":")" + value + "\"}");
  };
  std::string one;
  std::string many;
  for (int i = 0; i < 300; ++i) {
    one += with_value(i, "A");
    many += with_value(i, "v" + std::to_string(i));
  }
  const std::string end = click(1, 3'600'000);
  scratch().put("one.jsonl", one + end);
  scratch().put("many.jsonl", many + end);
  scratch().put("short.jsonl", one);
  scratch().put("hostile.jsonl", with_value(0, R"(\u001b[31mred\n)") + end);
  const std::vector<Refused> cases{
      {"shop.jsonl", 2, {"give one of --uniform KEY:VALUE", "--variants KEY"}},
      {"--uniform policy:random --variants variant shop.jsonl", 2, {"give one of --uniform KEY:VALUE", "--variants KEY"}},
      {"--uniform policy shop.jsonl", 2, {"--uniform: policy is not KEY:VALUE", "policy:random"}},
      {"--uniform :random shop.jsonl", 2, {"--uniform: :random is not KEY:VALUE", "policy:random"}},
      {"--uniform policy: shop.jsonl", 2, {"--uniform: policy: is not KEY:VALUE", "policy:random"}},
      {"--variants variant --horizon 7m shop.jsonl", 2, {"--horizon: 7m is none of join.horizons", "10m, 30m"}},
      {"--variants variant --horizon soon shop.jsonl", 2, {"--horizon: soon is not a time", "30m"}},
      {"--variants variant --min many shop.jsonl", 2, {"--min"}},
      {"--variants arm shop.jsonl", 1, {"no final list has `arm` among 3000 lists", "check the key"}},
      {"--uniform policy:rnd shop.jsonl", 1, {"`policy` = rnd", "it is ra", "check the key"}},
      {"--variants v one.jsonl", 2, {"all lists have `v` = A", "cannot be told apart", "--uniform"}},
      {"--variants v many.jsonl", 2, {"`v` has more than 256 values", "which variant it was"}},
      {"--variants v short.jsonl", 1, {"of 300 the horizon is not over", "the log goes on for the horizon"}},
      {"--variants v hostile.jsonl", 2, {"cannot be told apart"}},
      {"--uniform v:x hostile.jsonl", 1, {"`v` = x"}},
      {"--variants v empty.jsonl", 1, {"the log has no list", "name one with impressions"}},
      {"--variants v missing.jsonl", 1, {"missing.jsonl"}},
      {"--variants v -c missing.yaml shop.jsonl", 2, {"missing.yaml"}},
  };
  for (const Refused& refused : cases) {
    SCOPED_TRACE(refused.arguments);
    const bool has_config = std::string_view(refused.arguments).find("-c ") != std::string_view::npos;
    const Ended ended = run(std::string("examination ") + (has_config ? "" : "-c shop.yaml ") + refused.arguments);
    EXPECT_EQ(ended.code, refused.code) << ended.err;
    EXPECT_EQ(ended.out, "");
    expect_says(ended, refused.parts);
    if (std::string_view(refused.arguments).find("--min") == std::string_view::npos) expect_clean_messages(ended.err);
  }
}

}  // namespace
}  // namespace recmeter::test
