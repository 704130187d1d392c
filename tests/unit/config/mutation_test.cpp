// Random edits of good configurations: never a crash, always a configuration or faults that can be shown.
#include <gtest/gtest.h>

#include <random>

#include "config/file_text.h"
#include "loading.h"

namespace recmeter::testing {
namespace {

constexpr std::string_view everything = R"(
threads: 2
inputs: [{topic: a, fields: {user_id: user.id}, types: {x: click}, unit: s}, b.jsonl]
join: {horizons: [30m, 1h], actions: {click: {gain: 1}, buy: {gain: 3, after: click, horizon: 1h}}, not_users: [no]}
segments: [[variant], {keys: [a, b], keep: [[x, y]]}]
catalog: {size: 10}
metrics: {names: [precision, {name: ndcg_list, as: n2, gain: exp2}, snips]}
ratings: {min: 1, max: 5, extremes: [2, 4]}
lanes: {names: [B]}
off_policy: {propensities: marginal, reward: grade, min_ess: 100, max_weight_share: 0.1, logging: unknown}
kafka: {brokers: "a:1,b:2", start: -3d, properties: {sasl.password: "${SECRET:-x}"}}
dead_letter: {topic: d, fates: [late]}
state: {dir: s}
publish: {every: 1s, file: {path: p}, kafka: {topic: t}, http: {listen: "[::1]:80"}}
)";

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  void edit(std::string& text) {
    static constexpr std::string_view parts[] = {"[",    "]",  "{",  "}",     ": ",  "- ", "\n",    "\n  ",
                                                 "\t",   "${", "}",  "$$",    "&a ", "*a", "!!",    "|\n",
                                                 ">",    "'",  "\"", "#",     "~",   "? ", "\xff",  "\x01",
                                                 "é",    "%",  "@",  "---\n", "0",   "-1", "1e999", "99999999999999999999d",
                                                 "null", ".",  ",",  "<<: "};
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0: text.insert(at, parts[below(std::size(parts))]); break;
      case 1: text.erase(at, below(20)); break;
      case 2: text.insert(at, text.substr(below(text.size() + 1), below(60))); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      default: text.insert(at, std::string(below(40), "[{ -"[below(4)])); break;
    }
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(random_() % end); }
  std::mt19937_64 random_;
};

TEST(Mutations, end_in_a_configuration_or_in_faults) {
  const std::vector<std::string> seeds{std::string(everything),
                                       *config::read_file(RECMETER_SOURCE_DIR "/configs/replay.yaml", 1 << 20),
                                       *config::read_file(RECMETER_SOURCE_DIR "/configs/ubi.yaml", 1 << 20)};
  std::size_t good = 0, bad = 0;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Mutator mutator(seed);
    std::string text = seeds[seed % seeds.size()];
    for (std::uint64_t i = 0; i <= seed % 4; ++i) mutator.edit(text);
    const auto config = load(text);
    config ? ++good : ++bad;
    if (config) {
      EXPECT_EQ(config->spec.config_hash.size(), 16U) << "seed " << seed;
      continue;
    }
    ASSERT_FALSE(config.error().empty()) << "seed " << seed;
    for (const ConfigFault& fault : config.error()) {
      EXPECT_FALSE(fault.message.empty()) << "seed " << seed;
      EXPECT_FALSE(fault.remedy.empty()) << "seed " << seed << to_text(fault);
      EXPECT_GE(fault.line, 1) << "seed " << seed;
      EXPECT_EQ(to_text(fault).find('\n'), std::string::npos) << "seed " << seed;
    }
  }
  EXPECT_GT(good, 100U);
  EXPECT_GT(bad, 1000U);
}

}  // namespace
}  // namespace recmeter::testing
