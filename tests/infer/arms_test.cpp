// Arms of experiments, other segments, and by whose ids lists are joined. [I3.24].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <sstream>

#include "app/infer/arm_guess.h"
#include "app/infer/proposal.h"
#include "config/load_config.h"
#include "infer/source_logs.h"
#include "recmeter/experiment/arm_names.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

// By the digits of an id, which makes two halves of users as well as of lists.
std::size_t number_in(const std::string& id) {
  std::size_t number = 0;
  for (const char c : id) number = number * 31 + static_cast<unsigned char>(c);
  return number / 7;
}
std::string by_user(const ShownList& list, const std::vector<std::string>& values) {
  return values[number_in(list.user) % values.size()];
}
std::string by_list(const ShownList& list, const std::vector<std::string>& values) {
  return values[number_in(list.id) % values.size()];
}

// A column of lists beside those that each log has.
struct Extra {
  std::string name;
  std::vector<std::string> of;  // by list
};

template <class Value>
Extra extra(const std::string& name, const std::vector<ShownList>& lists, const std::vector<std::string>& values,
            Value value) {
  Extra column{.name = name, .of = {}};
  for (const ShownList& list : lists) column.of.push_back(value(list, values));
  return column;
}

std::string joined_items(const ShownList& list, const std::string& by) {
  return fmt::format("{}", fmt::join(list.items, by));
}

// A file of lists with the columns, and one of clicks without.
std::vector<std::string> csv_log(const Scratch& scratch, const std::vector<ShownList>& lists,
                                 const std::vector<Extra>& extras) {
  std::string shown = "at,visitor,request_id,products", done = "at,visitor,request_id,product\n";
  for (const Extra& column : extras) shown += "," + column.name;
  shown += '\n';
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const ShownList& list = lists[n];
    shown += fmt::format("{},{},{},{}", list.ts, list.user, list.id, joined_items(list, "|"));
    for (const Extra& column : extras) shown += "," + column.of[n];
    shown += '\n';
    for (const auto& click : list.clicks) {
      done += fmt::format("{},{},{},{}\n", click.ts, list.user, list.id, list.items[click.rank]);
    }
  }
  return {scratch.put("shown.csv", shown), scratch.put("done.csv", done)};
}

// Lists and clicks of one file; lists alone have the columns, some within an object.
std::vector<std::string> json_log(const Scratch& scratch, const std::vector<ShownList>& lists,
                                  const std::vector<Extra>& extras) {
  std::string log;
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const ShownList& list = lists[n];
    log +=
        fmt::format(R"({{"event":"shown","at":{},"visitor":"{}","request_id":"{}","products":["{}"],"context":{{"page":"x")",
                    list.ts, list.user, list.id, joined_items(list, R"(",")"));
    for (const Extra& column : extras) log += fmt::format(R"(,"{}":"{}")", column.name, column.of[n]);
    log += "}}\n";
    for (const auto& click : list.clicks) {
      log += fmt::format(R"({{"event":"click","at":{},"visitor":"{}","request_id":"{}","product":"{}"}})"
                         "\n",
                         click.ts, list.user, list.id, list.items[click.rank]);
    }
  }
  return {scratch.put("log.jsonl", log)};
}

// A row for each item, with a click as a flag of it.
std::vector<std::string> row_log(const Scratch& scratch, const std::vector<ShownList>& lists,
                                 const std::vector<Extra>& extras) {
  std::string log = "at,visitor,request_id,product,rank,clicked";
  for (const Extra& column : extras) log += "," + column.name;
  log += '\n';
  for (std::size_t n = 0; n < lists.size(); ++n) {
    for (std::size_t rank = 0; rank < lists[n].items.size(); ++rank) {
      const bool is_clicked = std::ranges::find(lists[n].clicks, rank, &ShownList::Click::rank) != lists[n].clicks.end();
      log += fmt::format("{},{},{},{},{},{}", lists[n].ts, lists[n].user, lists[n].id, lists[n].items[rank], rank + 1,
                         is_clicked ? 1 : 0);
      for (const Extra& column : extras) log += "," + column.of[n];
      log += '\n';
    }
  }
  return {scratch.put("rows.csv", log)};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The configuration with its experiments uncommented, as its user would.
std::string with_experiments(const std::string& yaml) {
  std::istringstream lines(yaml);
  std::string out, line;
  bool is_within = false;
  while (std::getline(lines, line)) {
    is_within = line.starts_with("# experiments:") || (is_within && line.starts_with("#  "));
    out += (is_within ? line.substr(2) : line) + "\n";
  }
  return out;
}

Config loaded(const std::string& yaml) {
  const auto config = load_config(yaml, "inferred.yaml", {.environment = {}, .read_catalog = {}});
  EXPECT_TRUE(config) << config.error().front().message << "\n" << yaml;
  return config ? *config : Config();
}

TEST(Arms, have_names_of_which_a_whole_word_says_so) {
  for (const char* name : {"variant", "ranker", "abTest", "ab_layout", "AB", "experiment_group", "algo", "properties.model",
                           "search_engine", "test-cohort", "bucket", "treatment", "modelVersion"}) {
    EXPECT_TRUE(is_arm_name(name)) << name;
  }
  for (const char* name : {"device", "country", "farm", "latest", "grouping", "bucketed", "tablet", "alarm", "phone_model",
                           "device.model", "age_group", "product.variant", "variants.device"}) {
    EXPECT_FALSE(is_arm_name(name)) << name;
  }
}

TEST(Arms, have_the_value_that_is_called_so_as_their_control_else_the_most_frequent) {
  struct Case {
    std::vector<Cell> values;
    std::string control;
  };
  for (const Case& each : {Case{{"new", "old"}, "old"}, Case{{"B", "A", "C"}, "A"}, Case{{"Treatment", "Control"}, "Control"},
                           Case{{"x1", "baseline"}, "baseline"}, Case{{"lstm", "als", "als"}, "als"},
                           Case{{"1", "0", "1"}, "0"}, Case{{"p", "q"}, "p"}}) {
    const ArmGuess guess = guess_arm("variant", each.values, {});
    EXPECT_TRUE(guess.is_arm) << each.control;
    EXPECT_EQ(guess.control, each.control);
    EXPECT_TRUE(has(guess.evidence, each.control + " is the control")) << guess.evidence;
  }
}

TEST(Arms, are_of_one_value_a_user_and_each_of_5_percent) {
  std::vector<Cell> values, users;
  std::vector<std::string> ids;
  for (int n = 0; n < 100; ++n) ids.push_back("u" + std::to_string(n));
  const auto add = [&](const std::string& user, Cell value) {
    users.emplace_back(user);
    values.push_back(value);
  };
  for (std::size_t n = 0; n < ids.size(); ++n) {
    for (int list = 0; list < 2; ++list) add(ids[n], n < 5 ? "new" : "usual");
  }
  EXPECT_TRUE(guess_arm("ranker", values, users).is_arm);
  add(ids[50], "new");
  EXPECT_TRUE(guess_arm("ranker", values, users).is_arm);
  add(ids[51], "new");
  EXPECT_EQ(guess_arm("ranker", values, users).evidence, "2 of 100 users with several lists have several values");
  values.resize(200);
  users.resize(200);
  values[8] = values[9] = "usual";
  EXPECT_EQ(guess_arm("ranker", values, users).evidence, "4 of 100 users have the value new");
  EXPECT_EQ(guess_arm("ranker", {"a", "b", "c", "d", "e", "f"}, {}).evidence, "it has 6 values, and experiments two to five");
}

using Writer = std::vector<std::string> (*)(const Scratch&, const std::vector<ShownList>&, const std::vector<Extra>&);

class ArmsOf : public testing::TestWithParam<Writer> {};

TEST_P(ArmsOf, a_log_are_segments_and_an_experiment_to_uncomment) {
  const auto lists = make_lists(3, 400);
  for (const auto& [name, values, control] :
       {std::tuple("ranker", std::vector<std::string>{"old", "new"}, "old"),
        std::tuple("abTest", std::vector<std::string>{"treatment", "control"}, "control"),
        std::tuple("experiment_group", std::vector<std::string>{"g1", "g2", "baseline"}, "baseline"),
        std::tuple("kind_of_day", std::vector<std::string>{"B", "A"}, "A")}) {
    const Scratch scratch;
    const std::vector extras{extra(name, lists, values, by_user), extra("device", lists, {"phone", "desktop"}, by_user)};
    const auto proposal = infer_configuration(GetParam()(scratch, lists, extras), now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    const std::string& yaml = proposal->config;
    EXPECT_TRUE(has(yaml, fmt::format("\nsegments: [[{}], [device]] ", name))) << yaml;
    EXPECT_TRUE(has(yaml, fmt::format("# {} is an arm: ", name))) << yaml;
    EXPECT_FALSE(has(yaml, "# device is")) << yaml;
    EXPECT_FALSE(has(yaml, "key: list")) << yaml;
    ASSERT_EQ(proposal->arms.size(), 1U);
    EXPECT_EQ(proposal->arms.front().key, name);
    EXPECT_EQ(proposal->arms.front().values.size(), values.size());
    EXPECT_EQ(proposal->arms.front().control, control);
    const Config plain = loaded(yaml);
    EXPECT_TRUE(plain.spec.experiments.empty());
    EXPECT_EQ(plain.spec.segments.size(), 2U);
    const Config config = loaded(with_experiments(yaml));
    ASSERT_EQ(config.spec.experiments.size(), 1U) << yaml;
    const ExperimentSpec& experiment = config.spec.experiments.front();
    EXPECT_EQ(experiment.arms.key, name);
    EXPECT_EQ(experiment.arms.values[experiment.arms.control], control);
    EXPECT_EQ(experiment.assign, Assign::user);
    EXPECT_LE(experiment.start.ms, lists.front().ts);
    EXPECT_GT(experiment.start.ms + experiment.every.ms, lists.front().ts);
    EXPECT_EQ(experiment.cuped_before.ms, 0) << "nothing is known of users from before";
    ASSERT_EQ(experiment.primary.size(), 1U);
    EXPECT_EQ(experiment.primary.front().metric, "precision@5") << "half of the lists reach it";
    EXPECT_GE(experiment.primary.front().mde, 0.02) << "400 lists of two hours";
    EXPECT_TRUE(has(yaml, "by 400 lists of 2 hours; see recmeter compare --plan")) << yaml;
  }
}

// Five days of the old ranker, then an experiment.
TEST_P(ArmsOf, a_log_that_begin_within_it_are_adjusted_by_the_time_before) {
  auto lists = make_lists(3, 1600);
  constexpr std::int64_t slower = 30;  // times
  for (ShownList& list : lists) {
    const std::int64_t moved = (list.ts - 1'700'000'000'000) * (slower - 1);
    list.ts += moved;
    for (auto& click : list.clicks) click.ts += moved;
  }
  const std::int64_t begins = lists.front().ts + 5 * one_day.ms + one_hour.ms;
  Extra arm{.name = "ranker", .of = {}};
  for (const ShownList& list : lists) arm.of.push_back(list.ts < begins ? "old" : by_user(list, {"old", "new"}));
  const Scratch scratch;
  const auto proposal = infer_configuration(GetParam()(scratch, lists, {arm}), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->arms.size(), 1U) << proposal->config;
  const Config config = loaded(with_experiments(proposal->config));
  ASSERT_EQ(config.spec.experiments.size(), 1U) << proposal->config;
  const ExperimentSpec& experiment = config.spec.experiments.front();
  EXPECT_EQ(experiment.cuped_before, Duration{5 * one_day.ms}) << proposal->config;
  EXPECT_GE(experiment.start.ms + experiment.every.ms, begins);
  EXPECT_LE(experiment.start.ms, begins + experiment.every.ms);
  EXPECT_GE(experiment.start.ms - experiment.cuped_before.ms + experiment.every.ms, lists.front().ts) << "the log has it";
}

TEST_P(ArmsOf, a_log_are_none_where_they_change_from_list_to_list) {
  const auto lists = make_lists(3, 400);
  const Scratch scratch;
  const auto proposal =
      infer_configuration(GetParam()(scratch, lists, {extra("variant", lists, {"A", "B"}, by_list)}), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(has(proposal->config, "\nsegments: [[variant]] ")) << proposal->config;
  EXPECT_TRUE(has(proposal->config, "# variant is no arm: ")) << proposal->config;
  EXPECT_FALSE(has(proposal->config, "experiments:")) << proposal->config;
  EXPECT_TRUE(proposal->arms.empty());
}

std::string log_name(const testing::TestParamInfo<Writer>& each) {
  const std::vector<std::string> names{"csv", "json", "rows"};
  return names[each.index];
}

INSTANTIATE_TEST_SUITE_P(Infer, ArmsOf, testing::Values(csv_log, json_log, row_log), log_name);

// Who is not known is in no arm: lists are compared.
TEST(Infer, proposes_an_experiment_of_lists_where_users_are_not_known) {
  const auto lists = make_lists(3, 400);
  std::string log = "at,request_id,product,rank,clicked,variant\n";
  for (const ShownList& list : lists) {
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      const bool is_clicked = std::ranges::find(list.clicks, rank, &ShownList::Click::rank) != list.clicks.end();
      log += fmt::format("{},{},{},{},{},{}\n", list.ts, list.id, list.items[rank], rank + 1, is_clicked ? 1 : 0,
                         by_list(list, {"A", "B"}));
    }
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("rows.csv", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(has(proposal->config, "\n  key: list ")) << proposal->config;
  const Config config = loaded(with_experiments(proposal->config));
  ASSERT_EQ(config.spec.experiments.size(), 1U) << proposal->config;
  EXPECT_EQ(config.spec.experiments.front().assign, Assign::list);
}

// A login between a list and its click gives the click another user.
TEST(Infer, joins_by_list_where_actions_have_other_users_than_their_lists) {
  auto lists = make_lists(3, 400);
  const Scratch scratch;
  const std::string first = csv_log(scratch, lists, {}).front();
  const auto with_logins = [&](std::size_t every) {
    std::string done = "at,visitor,request_id,product\n";
    std::size_t n = 0;
    for (const ShownList& list : lists) {
      for (const auto& click : list.clicks) {
        const std::string user = ++n % every == 0 ? "known" + list.user : list.user;
        done += fmt::format("{},{},{},{}\n", click.ts, user, list.id, list.items[click.rank]);
      }
    }
    return std::vector{first, scratch.put("done.csv", done)};
  };
  for (const std::size_t every : {3U, 1000U}) {
    const auto proposal = infer_configuration(with_logins(every), now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_EQ(has(proposal->config, "\n  key: list "), every == 3) << proposal->config;
    EXPECT_TRUE(has(proposal->config, "user_id: visitor ")) << proposal->config;
  }
}

// Rows that are known by who saw them when: a click of its own has another time, and names no list.
TEST(Infer, joins_clicks_on_rows_of_a_user_and_moment_by_the_user) {
  const auto lists = make_lists(3, 400);
  std::string log = "at,event,visitor,product,rank\n";
  std::size_t clicks = 0;
  for (const ShownList& list : lists) {
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      log += fmt::format("{},shown,{},{},{}\n", list.ts, list.user, list.items[rank], rank + 1);
    }
    for (const auto& click : list.clicks) {
      log += fmt::format("{},click,{},{},\n", click.ts, list.user, list.items[click.rank]);
      ++clicks;
    }
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("rows.csv", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_FALSE(has(proposal->config, "key: list")) << proposal->config;
  EXPECT_EQ(proposal->report.lists, lists.size());
  EXPECT_GE((proposal->report.feedback.credited + proposal->report.feedback.repeated) * 100, clicks * 98) << proposal->config;
}

}  // namespace
}  // namespace recmeter::test
