// Popularity never looks ahead: a log that ends early says of its lists what the whole log says of them. A failure prints the
// seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter::laws {
namespace {

using support::BatchInput;
using support::RandomLog;

std::int64_t number_after(const std::string& line, const std::string& key) {
  return std::stoll(line.substr(line.find(key) + key.size()));
}

// By what tells a list and horizon apart: what is said of them, of lists whose rows had all come by `until`.
std::map<std::string, std::string> values_of_lists(const EvaluatorSpec& spec, const std::vector<BatchInput>& inputs,
                                                   std::int64_t until) {
  const auto result = support::run_engine(spec, inputs, {.shards = 3, .block_bytes = 500, .lists = true});
  std::map<std::string, std::string> values;
  for (std::size_t from = 0; from < result.lists.size();) {
    const std::size_t end = result.lists.find('\n', from);
    const std::string line = result.lists.substr(from, end - from);
    from = end + 1;
    if (number_after(line, ",\"ts\":") + spec.join.assemble.ms > until) continue;
    values[line.substr(0, line.find("\"segments\""))] = line.substr(line.rfind("\"metrics\""));
  }
  return values;
}

TEST(Popularity, of_a_list_is_the_same_whatever_comes_after_it) {
  std::size_t compared = 0;
  std::size_t said = 0;
  const std::uint64_t seeds = support::effort(150);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    support::Dice dice(seed);
    EvaluatorSpec spec = support::random_spec(seed);
    if (spec.join.key.by == JoinKey::By::list) continue;
    spec.metrics.requests = {{.name = "novelty"}, {.name = "popularity"}};
    const RandomLog log = support::orderly_log(seed, spec);
    std::int64_t first = plus_infinity.ms;
    std::int64_t last = 0;
    for (const auto& lines : log.lines) {
      for (const support::LogLine& line : lines) {
        first = std::min(first, line.ts);
        last = std::max(last, line.ts);
      }
    }
    if (last <= first) continue;
    const std::int64_t until = dice.between(first, last);
    std::vector<BatchInput> begun = log.inputs;
    for (std::size_t p = 0; p < begun.size(); ++p) {
      begun[p].bytes.clear();
      for (const support::LogLine& line : log.lines[p]) {
        if (line.ts < until) begun[p].bytes += line.text + "\n";
      }
    }
    const auto whole = values_of_lists(spec, log.inputs, until);
    ASSERT_EQ(values_of_lists(spec, begun, until), whole) << "seed " << seed;
    compared += whole.size();
    for (const auto& [list, values] : whole) said += values.find("\"popularity@") < values.find(":0.") ? 1U : 0U;
  }
  EXPECT_GT(compared, 6 * seeds);
  EXPECT_GT(said, seeds / 2) << "nothing was popular";
}

}  // namespace
}  // namespace recmeter::laws
