// Experiments against their oracle, on random logs; and the laws: the bytes of their rows depend on the events alone, and no
// other row depends on them. A failure prints the seed (support/effort.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/batch_comparison.h"
#include "support/batch_experiment.h"
#include "support/batch_metrics.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/parsed_json.h"
#include "support/partitioned_log.h"
#include "support/random_experiment.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter::support {
namespace {

void expect_equal(const BatchLook& expected, const ExperimentLook& actual) {
  EXPECT_EQ(expected.number, actual.number);
  EXPECT_EQ(expected.is_closed, actual.is_closed);
  EXPECT_EQ(expected.incomplete, actual.incomplete);
  EXPECT_EQ(expected.sample, actual.sample);
  for (std::size_t a = 0; a < expected.lists.size(); ++a) {
    EXPECT_EQ(expected.lists[a], actual.arms[a].lists) << "arm " << a;
    EXPECT_EQ(expected.users[a], actual.arms[a].users) << "arm " << a;
  }
  EXPECT_EQ(expected.mixed_users, actual.mixed_users);
  EXPECT_EQ(expected.mixed_lists, actual.mixed_lists);
  EXPECT_EQ(expected.other_lists, actual.other_lists);
  EXPECT_EQ(expected.nobody_lists, actual.nobody_lists);
  const auto [wins, losses, ties] = actual.draft.value_or(DraftCounts());
  EXPECT_EQ(expected.wins, wins);
  EXPECT_EQ(expected.losses, losses);
  EXPECT_EQ(expected.ties, ties);
  for (std::size_t m = 0; m < expected.uncut.size(); ++m) EXPECT_TRUE(expected.uncut[m] == actual.uncut[m]) << "metric " << m;
  for (std::size_t m = 0; m < expected.metrics.size(); ++m) {
    for (std::size_t a = 0; a < expected.lists.size(); ++a) {
      const BatchLook::Sums& should = expected.metrics[m][a];
      const SlotSums& is = actual.metrics[m][a];
      EXPECT_TRUE(should.s == is.s) << "metric " << m << ", arm " << a;
      EXPECT_TRUE(should.n == is.n) << "metric " << m << ", arm " << a;
      if (expected.sample > 0) continue;
      EXPECT_TRUE(should.x == is.x) << "metric " << m << ", arm " << a;
      EXPECT_TRUE(should.p == is.p) << "metric " << m << ", arm " << a;
      EXPECT_TRUE(should.m == is.m) << "metric " << m << ", arm " << a;
    }
  }
}

// What occurred in some look: a test of what never does says nothing.
struct Occurred {
  std::uint64_t closed = 0, sampled = 0, mixed = 0, others = 0, nobody = 0, before = 0, pooled = 0, drafted = 0, capped = 0,
                drafted_users = 0;

  void add(const EvaluatorSpec& spec, const EngineLook& seen) {
    const ExperimentLook& look = seen.look;
    const auto spec_of = std::ranges::find(spec.experiments, seen.experiment, &ExperimentSpec::name);
    closed += look.is_closed ? 1U : 0U;
    sampled += look.sample > 0 ? 1U : 0U;
    mixed += look.mixed_users;
    others += look.other_lists;
    drafted += look.draft ? look.draft->wins + look.draft->losses : 0;
    for (const auto& arm : look.arms) drafted_users += look.draft ? arm.users : 0;
    nobody += look.nobody_lists;
    pooled += spec_of->primary[0].metric.ends_with("/pooled") ? 1U : 0U;
    for (std::size_t m = 0; m < look.uncut.size(); ++m) {
      for (std::size_t a = 0; a < look.uncut[m].size(); ++a) {
        capped += look.uncut[m][a] > total_of(look.metrics[m][a].s) ? 1U : 0U;
      }
    }
    for (const auto& arms : look.metrics) {
      for (const SlotSums& sums : arms) before += total_of(sums.x) > 0 ? 1U : 0U;
    }
  }
};

void expect_looks(std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log, Occurred* occurred = nullptr) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto expected = looks_in_batch(spec, log.inputs);
  const EngineVariant variant{.shards = 1 + seed % 5, .block_bytes = seed % 3 == 0 ? 1 : 200 + seed % 3000};
  const EngineResult result = run_engine(spec, log.inputs, variant);
  for (std::size_t e = 0; e < spec.experiments.size(); ++e) {
    std::vector<const ExperimentLook*> looks;
    for (const EngineLook& look : result.looks) {
      if (look.experiment != spec.experiments[e].name) continue;
      looks.push_back(&look.look);
      if (occurred != nullptr) occurred->add(spec, look);
    }
    ASSERT_EQ(expected[e].size(), looks.size()) << spec.experiments[e].name;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      SCOPED_TRACE(spec.experiments[e].name + ", look " + std::to_string(looks[i]->number));
      expect_equal(expected[e][i], *looks[i]);
    }
  }
}

TEST(Experiments, have_the_looks_that_trying_every_list_gives) {
  Occurred occurred;
  for_each_seed(150, 3000, [&](std::uint64_t seed) {
    const EvaluatorSpec base = random_spec(seed);
    const RandomLog log = random_log(seed, base);
    expect_looks(seed, with_experiments(base, seed, log), log, &occurred);
  });
  if (under_sanitizer || number_from_environment("RECMETER_SEED")) return;
  EXPECT_GT(occurred.closed, 0U);
  EXPECT_GT(occurred.sampled, 0U);
  EXPECT_GT(occurred.mixed, 0U);
  EXPECT_GT(occurred.others, 0U);
  EXPECT_GT(occurred.nobody, 0U);
  EXPECT_GT(occurred.before, 0U);
  EXPECT_GT(occurred.pooled, 0U);
  EXPECT_GT(occurred.drafted, 0U);
  EXPECT_GT(occurred.drafted_users, 0U);
  EXPECT_GT(occurred.capped, 0U);
}

// ln of what a bettor wins who bets on the arm of each user in turn as Polya's urn of c balls has it, at the odds of the
// plan; of the mean of four such. [S10.28].
double log_won(const std::vector<std::uint64_t>& counts, const std::vector<double>& planned) {
  std::vector<long double> won;
  for (const long double c : {10.0L, 100.0L, 1'000.0L, 10'000.0L}) {
    long double log = 0;
    std::uint64_t before = 0;
    for (std::size_t arm = 0; arm < counts.size(); ++arm) {
      for (std::uint64_t of_arm = 0; of_arm < counts[arm]; ++of_arm, ++before) {
        log += std::log((c * planned[arm] + static_cast<long double>(of_arm)) / (c + static_cast<long double>(before)) /
                        planned[arm]);
      }
    }
    won.push_back(std::exp(log));
  }
  return static_cast<double>(std::log((won[0] + won[1] + won[2] + won[3]) / 4));
}

void expect_close(const nlohmann::json& is, const std::optional<long double>& should, std::string_view name) {
  ASSERT_EQ(is.is_null(), !should) << name;
  if (!should) return;
  const auto expected = static_cast<double>(*should);
  EXPECT_NEAR(is.get<double>(), expected, 1e-9 * std::max(1.0, std::abs(expected))) << name;
}

void expect_range(const nlohmann::json& is, const BatchComparison::Range& should, std::string_view name) {
  ASSERT_EQ(is.is_null(), !should) << name;
  if (!should) return;
  expect_close(is[0], should->first, name);
  expect_close(is[1], should->second, name);
}

// A comparison of a row against the oracle's.
void expect_comparison(const nlohmann::json& row, const BatchComparison& should) {
  if (!should.missing.empty()) {
    EXPECT_EQ(row["missing"], should.missing);
    EXPECT_TRUE(row["log_e"].is_null() && row["absolute"].is_null() && row["few"].is_null());
    return;
  }
  EXPECT_TRUE(row["missing"].is_null());
  ASSERT_EQ(row["few"], should.is_few);
  expect_close(row["adjusted"][0], should.control, "control");
  expect_close(row["adjusted"][1], should.arm, "arm");
  expect_close(row["theta"], should.theta, "theta");
  expect_close(row["df"], should.df, "df");
  expect_close(row["z"], should.z, "z");
  expect_close(row["p"], should.p, "p");
  expect_close(row["log_e"], should.log_e, "log_e");
  expect_close(row["mde_now"], should.mde_now, "mde_now");
  expect_close(row["mde_fixed"], should.mde_fixed, "mde_fixed");
  const auto& decisive = row["relative"].is_null() ? row["absolute"] : row["relative"];
  expect_close(decisive["value"], should.value, "value");
  expect_range(decisive["ci"], should.ci, "ci");
  expect_range(decisive["cs"], should.cs, "cs");
  EXPECT_EQ(row["heavy"], should.df < 20);
}

// The comparisons of a look, by the sums that trying every list gives.
class ComparisonOracle {
 public:
  ComparisonOracle(const EvaluatorSpec& spec, const ExperimentSpec& experiment) : experiment_(experiment) {
    if (experiment.draft) return;
    const auto columns = metric_columns(spec);
    for (const auto* tests : {&experiment.primary, &experiment.guardrails, &experiment.secondary}) {
      for (const MetricTest& test : *tests) {
        const auto column = std::ranges::find(columns, test.metric, &MetricColumn::key);
        ranges_.emplace_back(column->definition->low, column->definition->high);
        per_user_.push_back(column->definition->form == MetricForm::mean_over_users);
      }
    }
  }

  void expect(const nlohmann::json& row, const BatchLook& look) {
    std::size_t m = 0;
    for (const auto* tests : {&experiment_.primary, &experiment_.guardrails, &experiment_.secondary}) {
      for (const MetricTest& test : *tests) {
        SCOPED_TRACE(test.metric);
        const auto& comparisons = row["metrics"][m]["comparisons"];
        for (std::size_t c = 0; c < comparisons.size(); ++c) expect(comparisons[c], look, m, c, test, tests);
        ++m;
      }
    }
  }

  std::uint64_t few = 0, missing = 0, befores = 0;

 private:
  void expect(const nlohmann::json& row, const BatchLook& look, std::size_t m, std::size_t comparison, const MetricTest& test,
              const std::vector<MetricTest>* tests) {
    const std::size_t arms = experiment_.arms.values.size();
    const bool is_shared = tests != &experiment_.secondary;
    BatchRule rule{.is_absolute = test.is_absolute,
                   .is_paired = experiment_.assign == Assign::list,
                   .mde = test.mde,
                   .alpha = experiment_.alpha,
                   .alpha_all = experiment_.alpha / (is_shared ? static_cast<double>(tests->size() * (arms - 1)) : 1.0),
                   .is_last = look.is_closed,
                   .is_only = experiment_.duration == experiment_.every};
    BatchComparison should;
    if (experiment_.draft) {
      BatchLook::Sums both = look.metrics[0][0];
      for (std::size_t g = 0; g < both.s.size(); ++g) {
        both.s[g] += look.metrics[0][1].s[g];
        both.n[g] += look.metrics[0][1].n[g];
      }
      should = compare_draft_in_batch(both, rule);
    } else {
      std::tie(rule.low, rule.high) = ranges_[m];
      if (look.sample > 0 && per_user_[m]) {
        EXPECT_TRUE(row["log_e"].is_null() && row["missing"].is_null());
        return;
      }
      const std::size_t control = experiment_.arms.control;
      const std::size_t arm = comparison < control ? comparison : comparison + 1;
      BatchLook::Sums a = look.metrics[m][control], b = look.metrics[m][arm];
      if (look.sample > 0) {
        for (BatchLook::Sums* sums : {&a, &b}) sums->x = sums->p = sums->m = {};
      }
      should = compare_in_batch(a, b, rule);
      const bool has_before = experiment_.cuped_before.ms > 0 && is_shared && look.sample == 0;
      EXPECT_EQ(row.contains("before"), has_before);
      if (has_before && row.contains("before")) expect_before(row, a, b, rule, {m, comparison});
    }
    EXPECT_TRUE(row["more"].is_null() || !look.is_closed);
    expect_comparison(row, should);
    missing += should.missing.empty() ? 0U : 1U;
    few += should.is_few ? 1U : 0U;
  }

  // The time before as lists of the time since, without what was before it, and never the last look: [S10.38].
  void expect_before(const nlohmann::json& row, const BatchLook::Sums& a, const BatchLook::Sums& b, BatchRule rule,
                     std::pair<std::size_t, std::size_t> place) {
    rule.is_last = false;
    BatchLook::Sums control, arm;
    control.s = a.x, control.n = a.p, arm.s = b.x, arm.n = b.p;
    const BatchComparison should = compare_in_batch(control, arm, rule);
    const auto& before = row["before"];
    ++befores;
    ASSERT_EQ(before["log_e"].is_null(), !should.missing.empty());
    if (!should.missing.empty()) return;
    expect_close(before["log_e"], should.log_e, "log_e before");
    expect_close(before["values"][0], should.control, "control before");
    expect_close(before["values"][1], should.arm, "arm before");
    const bool is_apart = should.log_e >= std::log(50 / static_cast<long double>(rule.alpha_all));
    differed_[place] |= is_apart;
    EXPECT_EQ(before["flagged_at"].is_null(), !differed_[place]);
  }

  const ExperimentSpec& experiment_;
  std::map<std::pair<std::size_t, std::size_t>, bool> differed_;  // by metric and comparison
  std::vector<std::pair<double, double>> ranges_;                 // by metric
  std::vector<bool> per_user_;
};

TEST(Experiments, have_comparisons_that_the_sums_of_every_list_give) {
  std::uint64_t few = 0, missing = 0, befores = 0;
  for_each_seed(100, 3000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const EvaluatorSpec base = random_spec(seed);
    const RandomLog log = random_log(seed, base);
    const EvaluatorSpec spec = with_experiments(base, seed, log);
    const auto looks = looks_in_batch(spec, log.inputs);
    std::vector<ComparisonOracle> oracles;
    for (const ExperimentSpec& experiment : spec.experiments) oracles.emplace_back(spec, experiment);
    std::istringstream rows(run_engine(spec, log.inputs, {}).experiments);
    for (std::string line; std::getline(rows, line);) {
      const nlohmann::json row = parsed_json(line);
      const auto e = static_cast<std::size_t>(
          std::ranges::find(spec.experiments, row["experiment"].get<std::string>(), &ExperimentSpec::name) -
          spec.experiments.begin());
      SCOPED_TRACE(spec.experiments[e].name + ", look " + std::to_string(row["look"].get<std::int64_t>()));
      oracles[e].expect(row, *std::ranges::find(looks[e], row["look"].get<std::int64_t>(), &BatchLook::number));
    }
    for (const ComparisonOracle& oracle : oracles) {
      few += oracle.few, missing += oracle.missing;
      befores += oracle.befores;
    }
  });
  if (under_sanitizer || number_from_environment("RECMETER_SEED")) return;
  EXPECT_GT(few, 0U);
  EXPECT_GT(missing, 0U);
  EXPECT_GT(befores, 0U);
}

// The rows of one experiment, by [S10.28], [S10.30] and [S10.32].
class RowOracle {
 public:
  void expect(const nlohmann::json& row, Assign assign) {
    std::vector<std::uint64_t> counts;
    std::vector<double> planned;
    for (const auto& arm : row["arms"]) {
      counts.push_back(arm[assign == Assign::user ? "users" : "lists"]);
      planned.push_back(arm["allocation"]);
    }
    const double log_e = row["srm"]["log_e"];
    EXPECT_NEAR(log_e, log_won(counts, planned), 1e-9 * std::max(1.0, std::abs(log_e)));
    if (flagged_at_.is_null() && log_e >= std::log(1000)) flagged_at_ = row["end"];
    EXPECT_EQ(row["srm"]["flagged_at"], flagged_at_);
    flagged += flagged_at_.is_null() ? 0U : 1U;

    const auto& said = row["verdict"];
    for (std::size_t arm = 1; arm < row["arms"].size(); ++arm) {
      const bool is_empty = row["arms"][0]["lists"] == 0 || row["arms"][arm]["lists"] == 0;
      EXPECT_EQ(said["arms"][row["arms"][arm]["arm"].get<std::string>()]["reason"] == "no_data", is_empty);
      empty += is_empty && row["closed"] ? 1U : 0U;
    }
    if (decided_.is_null() && said["verdict"] != "hold")
      decided_ = {{"verdict", said["verdict"]}, {"reason", said["reason"]}, {"at", row["end"]}};
    const std::string reason = said["reason"];
    const bool is_void = reason == "no_data" || reason == "srm" || reason == "mixed_users" || reason == "incomplete" ||
                         reason.starts_with("arms_differed_before:");
    nlohmann::json counts_now = {{"verdict", said["verdict"]}, {"reason", said["reason"]}, {"at", row["end"]}};
    if (!decided_.is_null() && !is_void) counts_now = decided_;
    nlohmann::json is = row["counts"];
    EXPECT_EQ(is.contains("arm"), row["arms"].size() > 2);
    is.erase("arm");
    EXPECT_EQ(is, counts_now);
  }

  std::uint64_t flagged = 0, empty = 0;

 private:
  nlohmann::json flagged_at_, decided_;
};

TEST(Experiments, have_rows_that_say_what_counts_and_whether_the_split_is_as_planned) {
  std::uint64_t flagged = 0, empty = 0;
  for_each_seed(100, 3000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const EvaluatorSpec base = random_spec(seed);
    const RandomLog log = random_log(seed, base);
    EvaluatorSpec spec = with_experiments(base, seed, log);
    for (ExperimentSpec& experiment : spec.experiments) {
      if (seed % 3 != 0 || experiment.draft) continue;
      for (double& share : experiment.allocation) share = 0.02 / static_cast<double>(experiment.allocation.size() - 1);
      experiment.allocation.front() = 0.98;  // hardly ever so: it is flagged
    }
    std::map<std::string, RowOracle> oracles;
    std::istringstream rows(run_engine(spec, log.inputs, {}).experiments);
    for (std::string line; std::getline(rows, line);) {
      const nlohmann::json row = parsed_json(line);
      const auto of = std::ranges::find(spec.experiments, row["experiment"].get<std::string>(), &ExperimentSpec::name);
      oracles[of->name].expect(row, of->assign);
    }
    for (const auto& [name, oracle] : oracles) flagged += oracle.flagged, empty += oracle.empty;
  });
  if (under_sanitizer || number_from_environment("RECMETER_SEED")) return;
  EXPECT_GT(flagged, 0U);
  EXPECT_GT(empty, 0U);
}

TEST(Experiments, have_rows_whose_bytes_depend_on_the_events_alone) {
  for_each_seed(15, 1000, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const EvaluatorSpec base = random_spec(seed);
    const RandomLog log = orderly_log(seed, base);
    const EvaluatorSpec spec = with_experiments(base, seed, log);
    const EngineResult one = run_engine(spec, log.inputs, {});
    expect_looks(seed, spec, log);
    const auto same = [&](const RandomLog& other, const EngineVariant& variant) {
      EXPECT_EQ(one.experiments, run_engine(spec, other.inputs, variant).experiments);
    };
    same(log, {.shards = 2, .block_bytes = 700, .threads = 2});
    same(log, {.shards = 8, .block_bytes = 64, .reverse_tasks = true});
    same(shuffled_within_lateness(log, seed), {.shards = 8, .block_bytes = 300, .threads = 8});
    same(split_otherwise(log, seed, 3), {.shards = 3, .block_bytes = 5000});
  });
}

TEST(Experiments, of_parts_are_those_of_one_run_unless_members_are_a_sample) {
  std::uint64_t merged = 0, refused = 0;
  for_each_seed(60, 2000, [&](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const EvaluatorSpec base = random_spec(seed);
    const RandomLog log = random_log(seed, base);
    const EvaluatorSpec spec = with_experiments(base, seed, log);
    if (!can_be_parted(spec)) return;
    const auto count = 1 + static_cast<std::uint32_t>(seed % 5);
    Dice dice(seed);
    const bool is_by_partitions = seed % 3 == 0;
    const RandomLog parted = is_by_partitions ? support::in_partitions(spec, log, count, dice) : log;
    const EngineResult whole = run_engine(spec, parted.inputs, {});
    std::vector<std::string> partials;
    if (is_by_partitions) partials = support::parts_by_partitions(spec, parted, count, count, dice);
    for (std::uint32_t part = 0; !is_by_partitions && part < count; ++part) {
      partials.push_back(run_part(spec, log.inputs, {.shards = 1 + seed % 3, .block_bytes = 500}, {part, count}));
    }
    if (seed % 2 == 0) partials = {merge_to_partial(spec, partials)};
    const auto result = try_merge_to_rows(spec, partials, {});
    if (!result) {
      EXPECT_EQ(result.error().code, Errc::config_invalid);
      EXPECT_NE(result.error().context.find("more members than limits.experiment_users"), std::string::npos);
      EXPECT_LT(spec.limits.experiment_users, 5U);
      ++refused;
      return;
    }
    EXPECT_EQ(result->experiments, whole.experiments);
    EXPECT_EQ(result->bytes, whole.bytes);
    merged += whole.looks.size();
    for (const EngineLook& look : whole.looks) EXPECT_EQ(look.look.sample, 0);
  });
  if (under_sanitizer || number_from_environment("RECMETER_SEED")) return;
  EXPECT_GT(merged, 0U);
  EXPECT_GT(refused, 0U);
}

TEST(Experiments, change_no_other_row) {
  for_each_seed(15, 1000, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const EvaluatorSpec base = with_whole_window(random_spec(seed), seed);
    const RandomLog log = random_log(seed, base);
    const EvaluatorSpec with = with_experiments(base, seed, log);
    EvaluatorSpec without = with;
    without.experiments.clear();
    const EngineVariant variant{.shards = 1 + seed % 3, .block_bytes = 500, .lists = true};
    const EngineResult plain = run_engine(without, log.inputs, variant);
    const EngineResult result = run_engine(with, log.inputs, variant);
    EXPECT_EQ(plain.bytes, result.bytes);
    EXPECT_EQ(plain.lists, result.lists);
  });
}

}  // namespace
}  // namespace recmeter::support
