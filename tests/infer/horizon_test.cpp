// The horizon that infer writes is the one that the doctor advises. [I3.24].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "app/doctor/doctor_run.h"
#include "app/infer/proposal.h"
#include "config/load_config.h"
#include "infer/source_logs.h"
#include "support/dice.h"
#include "support/effort.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
constexpr std::int64_t minute_ms = 60'000, hour_ms = 60 * minute_ms;
const std::atomic<bool> never = false;

struct Done {
  std::int64_t ts = 0;
  std::string line;
};

// Lists of a user whose items no other list of theirs has; then what was done, by time.
class Log {
 public:
  explicit Log(std::size_t lists) {
    for (std::size_t n = 0; n < lists; ++n) {
      for (int rank = 0; rank < 6; ++rank)
        items_.push_back(fmt::format("p{}", (n * 7 + static_cast<std::size_t>(rank) * 11) % 400));
    }
    for (std::size_t n = 0; n < lists; ++n) {
      shown_ += fmt::format("{},{},r{},{}\n", ts_of(n), user_of(n), n,
                            fmt::join(items_.begin() + at(n), items_.begin() + at(n) + 6, "|"));
    }
  }

  // An order of that list whose id is its own.
  void order(std::size_t list) {
    done_.push_back({ts_of(list) + minute_ms, fmt::format("{},{},order-{},{},order\n", ts_of(list) + minute_ms, user_of(list),
                                                          list, items_[list * 6 + list % 6])});
  }

  void act(std::size_t list, std::string_view what, std::int64_t delay_ms, bool is_named) {
    done_.push_back(
        {ts_of(list) + delay_ms, fmt::format("{},{},{},{},{}\n", ts_of(list) + delay_ms, user_of(list),
                                             is_named ? fmt::format("r{}", list) : "", items_[list * 6 + list % 6], what)});
  }

  [[nodiscard]] std::vector<std::string> put(const Scratch& scratch) {
    std::ranges::stable_sort(done_, {}, &Done::ts);
    std::string done = "at,visitor,request_id,product,what\n";
    for (const Done& each : done_) done += each.line;
    return {scratch.put("shown.csv", "at,visitor,request_id,products\n" + shown_), scratch.put("done.csv", done)};
  }

 private:
  static std::int64_t ts_of(std::size_t list) { return 1'700'000'000'000 + static_cast<std::int64_t>(list) * 10 * minute_ms; }
  static std::string user_of(std::size_t list) { return fmt::format("v{}", list % 150); }
  static std::ptrdiff_t at(std::size_t list) { return static_cast<std::ptrdiff_t>(list * 6); }

  std::vector<std::string> items_;
  std::string shown_;
  std::vector<Done> done_;
};

struct Advice {
  std::vector<Duration> written;  // by infer
  Duration advised;               // by the doctor, who was given that
  bool is_too_short = false;
  std::string config;
};

Advice advice_on(const std::vector<std::string>& files) {
  const auto proposal = infer_configuration(files, now, never);
  EXPECT_TRUE(proposal);
  const auto config = load_config(proposal->config, "inferred.yaml", {.environment = {}, .read_catalog = {}});
  EXPECT_TRUE(config) << proposal->config;
  auto inputs = replay_inputs(*config, {}, minus_infinity, {}, never);
  EXPECT_TRUE(inputs);
  const Sorting sorting{.when = SortWhen::always, .space = {}, .says_so = false};
  const auto run = doctor::run_doctor(*config, std::move(*inputs), now, sorting, {}, never);
  EXPECT_TRUE(run);
  Advice advice{.written = config->spec.join.horizons, .advised = run->diagnosis.curve.advised, .config = proposal->config};
  for (const doctor::Finding& finding : run->diagnosis.findings) {
    advice.is_too_short = advice.is_too_short || (finding.check->code == "horizon-short" && finding.is_told());
  }
  return advice;
}

// Orders of hours and days later name no list; there are few of them among clicks within minutes.
TEST(InferredHorizon, holds_rare_orders_that_come_long_after_the_clicks) {
  Log log(600);
  for (std::size_t n = 0; n < 600; n += 2) log.act(n, "click", 20'000 + static_cast<std::int64_t>(n) * 300, true);
  for (std::size_t n = 0; n < 16; ++n) log.act(n * 37, "order", (2 + static_cast<std::int64_t>(n) * 2) * hour_ms, false);
  const Scratch scratch;
  const Advice advice = advice_on(log.put(scratch));
  EXPECT_EQ(advice.written, std::vector{Duration{2 * one_day.ms}}) << advice.config;
  EXPECT_EQ(advice.advised, Duration{2 * one_day.ms});
  EXPECT_FALSE(advice.is_too_short);
  EXPECT_NE(advice.config.find("purchase needs it"), std::string::npos) << advice.config;
}

TEST(InferredHorizon, is_that_of_the_clicks_where_nothing_comes_later) {
  Log log(600);
  for (std::size_t n = 0; n < 600; n += 2) log.act(n, "click", 20'000 + static_cast<std::int64_t>(n) * 300, true);
  const Scratch scratch;
  EXPECT_EQ(advice_on(log.put(scratch)).written, std::vector{Duration{5 * one_minute.ms}});
}

// Who buys what was not recommended finds it in a list now and then, before as often as after.
TEST(InferredHorizon, is_not_made_longer_by_what_meets_lists_by_chance) {
  Log log(900);
  for (std::size_t n = 0; n < 900; n += 2) log.act(n, "click", 20'000 + static_cast<std::int64_t>(n) * 200, true);
  support::Dice dice(7);
  for (int n = 0; n < 300; ++n) {
    const auto list = static_cast<std::size_t>(dice.below(900)), other = static_cast<std::size_t>(dice.below(900));
    // As the same user has others: at a moment of another list.
    log.act(list, "order", (static_cast<std::int64_t>(other) - static_cast<std::int64_t>(list)) * 10 * minute_ms + 1000,
            false);
  }
  const Scratch scratch;
  const Advice advice = advice_on(log.put(scratch));
  EXPECT_LE(advice.written.front(), Duration{30 * one_minute.ms}) << advice.config;
  EXPECT_FALSE(advice.is_too_short);
}

// Among a thousand clicks thirty orders are no share of anything.
TEST(InferredActions, none_of_which_is_on_a_list_are_asked_about) {
  for (const std::size_t orders : {0U, 4U, 30U}) {
    Log log(1000);
    for (std::size_t n = 0; n < 1000; ++n) log.act(n, "click", 5'000, true);
    for (std::size_t n = 0; n < orders; ++n) log.order(n * 7);
    const Scratch scratch;
    const auto proposal = infer_configuration(log.put(scratch), now, never);
    ASSERT_TRUE(proposal);
    const auto asked = std::ranges::find(proposal->doubts, "purchase", &Doubt::about);
    ASSERT_EQ(asked != proposal->doubts.end(), orders == 30) << orders << "\n" << proposal->config;
    if (orders == 30) {
      EXPECT_TRUE(asked->sentence.starts_with("none of its 30 events is on a list by it")) << asked->sentence;
    }
  }
}

TEST(InferredHorizon, is_what_the_doctor_advises_on_it) {
  support::for_each_seed(12, 60, [](std::uint64_t seed) {
    support::Dice dice(seed);
    Log log(400);
    const std::vector<std::string> words{"click", "cart", "order"};
    const std::size_t kinds = 1 + dice.below(3);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      const auto scale = static_cast<std::int64_t>(1'000) << dice.below(19);
      const std::size_t every = kind == 0 ? 1 + dice.below(3) : 1 + dice.below(60);
      const bool is_named = kind == 0 || dice.percent(50);
      for (std::size_t n = dice.below(3); n < 400; n += every) {
        log.act(n, words[kind], 1'000 + static_cast<std::int64_t>(dice.below(static_cast<std::size_t>(scale))), is_named);
      }
    }
    const Scratch scratch;
    const Advice advice = advice_on(log.put(scratch));
    EXPECT_EQ(advice.written, std::vector{advice.advised}) << "seed " << seed << "\n" << advice.config;
    EXPECT_FALSE(advice.is_too_short) << "seed " << seed << "\n" << advice.config;
  });
}

}  // namespace
}  // namespace recmeter::test
