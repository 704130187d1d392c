// From raw logs to true values by what infer writes, unedited. [I3.24].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/infer/proposal.h"
#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "config/load_config.h"
#include "infer/source_logs.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

struct Totals {
  std::uint64_t lists = 0;
  double relevant = 0;    // items shown among the first five that were clicked
  double reciprocal = 0;  // the sum of reciprocal ranks of first clicks
};

// `share`: by how much of it a sum may differ.
bool is_near(const Totals& one, const Totals& other, double share = 1e-9) {
  return one.lists == other.lists && std::abs(one.relevant - other.relevant) <= share * other.relevant &&
         std::abs(one.reciprocal - other.reciprocal) <= share * other.reciprocal;
}
std::string text(const Totals& totals) {
  return std::to_string(totals.lists) + " lists, " + std::to_string(totals.relevant) + ", " +
         std::to_string(totals.reciprocal);
}

// By the definitions, from the truth and not from the log.
Totals truth(const std::vector<ShownList>& lists, bool has_lists_without_clicks) {
  Totals totals;
  for (const ShownList& list : lists) {
    if (list.clicks.empty() && !has_lists_without_clicks) continue;
    ++totals.lists;
    std::size_t first = list.items.size();
    for (const auto& click : list.clicks) {
      totals.relevant += click.rank < 5 ? 0.2 : 0;
      first = std::min(first, click.rank);
    }
    totals.reciprocal += first < list.items.size() ? 1 / static_cast<double>(first + 1) : 0;
  }
  return totals;
}

// Of lists of one slot each, of which Open Bandit has three places.
Totals truth_of_slots(const std::vector<ShownList>& lists) {
  Totals totals;
  for (const ShownList& list : lists) {
    totals.lists += list.items.size();
    for (const auto& click : list.clicks) {
      totals.relevant += 0.2;
      totals.reciprocal += 1 / static_cast<double>(click.rank % 3 + 1);
    }
  }
  return totals;
}

class Sums : public RowSink {
 public:
  Result<void> write(const Row& row) override {
    Totals& totals = of_[row.window];
    totals.lists += row.lists;
    for (const MetricValue& metric : row.metrics) {
      if (metric.key == "precision@5") totals.relevant += metric.numerator.value_or(0);
      if (metric.key == "mrr@10") totals.reciprocal += metric.numerator.value_or(0);
    }
    return {};
  }
  [[nodiscard]] const std::map<std::string, Totals>& of() const { return of_; }

 private:
  std::map<std::string, Totals> of_;  // by window
};

// What a replay by the configuration makes of whole logs.
std::map<std::string, Totals> replayed(const std::string& yaml, const std::vector<std::string>& files) {
  const auto config = load_config(yaml, "inferred.yaml", {.environment = {}, .read_catalog = {}});
  if (!config) {
    ADD_FAILURE() << config.error().front().message << "\n" << yaml;
    return {};
  }
  const bool names_files = std::ranges::any_of(config->inputs, [](const InputSpec& input) { return !input.files.empty(); });
  auto inputs = replay_inputs(*config, names_files ? std::vector<std::string>() : files, minus_infinity, {}, never);
  const auto plan = EvaluatorPlan::make(config->spec, inputs->lateness_max, false);
  ReplayOptions options;
  ThreadPool pool(1);
  EXPECT_TRUE(sort_inputs(*inputs, config->spec.time, {.when = SortWhen::automatic, .space = {}, .says_so = false},
                          LookThrough::whole, pool, {}));
  options.decoders = std::move(inputs->decoders);
  Sums sums;
  const auto report = Replay(*plan, std::move(inputs->partitions), std::move(options), pool, sums).run();
  EXPECT_TRUE(report);
  return sums.of();
}

std::vector<std::string> put(const Scratch& scratch, const SourceLog& log) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < log.files.size(); ++i) paths.push_back(scratch.put("log" + std::to_string(i), log.files[i]));
  return paths;
}

std::size_t lines_of(const std::string& yaml) {
  return static_cast<std::size_t>(std::ranges::count(yaml, '\n'));
}

class Source : public testing::TestWithParam<std::string> {};

TEST_P(Source, is_known_and_gives_the_truth_by_what_infer_wrote) {
  const auto lists = make_lists(7, 400);
  const SourceLog log = log_of(GetParam(), lists);
  const Scratch scratch;
  const auto paths = put(scratch, log);
  const auto proposal = infer_configuration(paths, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->shape, GetParam());
  EXPECT_TRUE(proposal->doubts.empty());
  EXPECT_LE(lines_of(proposal->config), 15U) << proposal->config;
  if (GetParam() == "movielens") {  // without lists
    EXPECT_EQ(proposal->report.lists, 0U);
    EXPECT_EQ(proposal->report.events.invalid, 0U);
    return;
  }
  const Totals expected = GetParam() == "open-bandit" ? truth_of_slots(lists) : truth(lists, log.has_lists_without_clicks);
  const auto windows = replayed(proposal->config, paths);
  EXPECT_FALSE(windows.empty());
  for (const auto& [window, totals] : windows)
    EXPECT_TRUE(is_near(totals, expected)) << window << ": " << text(totals) << " for " << text(expected);
}

INSTANTIATE_TEST_SUITE_P(Infer, Source, testing::ValuesIn(source_names()), [](const auto& each) {
  std::string name = each.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

// Of logs in forms of their own, with usual names and with names that say nothing: nine of ten right without a doubt, and
// none wrong without one.
TEST(Infer, is_right_or_unsure_of_logs_whose_names_say_nothing) {
  std::size_t logs = 0, sure = 0;
  for (const std::string& form : own_names()) {
    for (const bool renamed : {false, true}) {
      for (unsigned seed = 1; seed <= 4; ++seed) {
        const auto lists = make_lists(seed, 300 + 50 * seed);
        const SourceLog log = own_log(form, renamed, lists);
        const Scratch scratch;
        const auto paths = put(scratch, log);
        const auto proposal = infer_configuration(paths, now, never);
        const std::string which = form + (renamed ? ", renamed, " : ", ") + std::to_string(seed);
        ASSERT_TRUE(proposal) << which << proposal.error().context;
        ++logs;
        // A zone is never guessed, and asking for it is no doubt about a field.
        const bool is_sure = std::ranges::none_of(proposal->doubts, [](const Doubt& doubt) { return doubt.about != "ts"; });
        if (!is_sure || proposal->config.empty()) continue;
        // Clicks that name no list count for the newest that has the item, which is not always the one they were on.
        const double share = form == "objects" ? 0.02 : 1e-9;
        const Totals expected = truth(lists, log.has_lists_without_clicks);
        const auto windows = replayed(proposal->config, paths);
        const bool is_right = !windows.empty() && std::ranges::all_of(windows, [&](const auto& each) {
          return is_near(each.second, expected, share);
        });
        EXPECT_TRUE(is_right) << which << ": wrong without a doubt\n"
                              << proposal->config << (windows.empty() ? "" : text(windows.begin()->second)) << " for "
                              << text(expected);
        sure += is_right ? 1U : 0U;
      }
    }
  }
  EXPECT_GE(sure * 10, logs * 9);
}

// Whole lists in a column of text, as each program writes one.
TEST(Infer, reads_lists_as_each_program_writes_them) {
  struct Form {
    const char* program;
    const char* open;
    const char* between;
    const char* close;
    const char* source;
  };
  constexpr std::array forms{
      Form{"Postgres", "{", ",", "}", "{at: results, list: ','}"},
      Form{"Python", "['", "', '", "']", "{at: results, list: ','}"},
      Form{"numpy", "['", "' '", "']", "{at: results, list: ' '}"},
      Form{"Athena", "[", ", ", "]", "{at: results, list: ','}"},
      Form{"Scala", "List(", ", ", ")", "{at: results, list: ','}"},
      Form{"Kibana", "", ", ", "", "{at: results, list: ','}"},
      Form{"group_concat", "", ",", "", "{at: results, split: ','}"},
      Form{"two bars", "", "||", "", "{at: results, split: '||'}"},
      Form{"two colons", "", "::", "", "{at: results, split: '::'}"},
  };
  const auto lists = make_lists(4, 300);
  for (const Form& form : forms) {
    SourceLog log = own_log("two_files", false, lists);
    std::istringstream lines(log.files.front());
    std::string shown, line;
    std::getline(lines, line);
    shown += line + "\n";
    for (const ShownList& list : lists) {
      std::getline(lines, line);
      shown += line.substr(0, line.rfind(',') + 1) + '"' + form.open +
               fmt::format("{}", fmt::join(list.items, form.between)) + form.close + "\"\n";
    }
    log.files.front() = shown;
    const Scratch scratch;
    const auto paths = put(scratch, log);
    const auto proposal = infer_configuration(paths, now, never);
    ASSERT_TRUE(proposal) << form.program << proposal.error().context;
    EXPECT_TRUE(proposal->doubts.empty()) << form.program << proposal->doubts.front().sentence;
    EXPECT_NE(proposal->config.find(form.source), std::string::npos) << form.program << "\n" << proposal->config;
    const auto windows = replayed(proposal->config, paths);
    EXPECT_FALSE(windows.empty()) << form.program;
    for (const auto& [window, totals] : windows)
      EXPECT_TRUE(is_near(totals, truth(lists, true))) << form.program << ": " << text(totals) << "\n" << proposal->config;
  }
}

TEST(Infer, shows_what_stands_in_records_where_it_finds_nothing) {
  const Scratch scratch;
  std::string log;
  for (int i = 0; i < 100; ++i)
    log += R"({"level":"info","line":)" + std::to_string(i) +
           R"(,"text":"started","none":NaN})"
           "\n";
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->config.empty());
  ASSERT_EQ(proposal->profile.size(), 4U);
  EXPECT_EQ(proposal->profile[1], "  level: in 100 % of the records, 1 values, such as info");
}

// What a file is taken for is told where it is hardly that, with the key that says it.
TEST(Infer, tells_what_a_file_is_read_as_where_most_of_it_is_none) {
  const Scratch scratch;
  std::string log = "item\n";
  for (int i = 0; i < 9; ++i) log += "a line of a program\n";
  const std::string path = scratch.put("log", log);
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->config.empty());
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(proposal->doubts.front().about, "the format");
  EXPECT_EQ(proposal->doubts.front().sentence, path +
                                                   ": 10 of 10 records that were looked at are unreadable; it is read as "
                                                   "JSON lines, since no format fits most of its first "
                                                   "lines; if it is in another format, set inputs.format");
}

// Half a record is no reason to take the others for something else.
TEST(Infer, reads_a_log_whose_first_line_is_cut) {
  const auto lists = make_lists(4, 300);
  const Scratch scratch;
  for (const char* first : {"\"u1\",\"items\":[\"a\",\"b\"]}\n", "[\"a\",\"b\"]}\n", "# of Monday, all shops\n", "\n"}) {
    const std::string path = scratch.put("log", first + own_log("tagged", true, lists).files.front());
    const auto proposal = infer_configuration({path}, now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_TRUE(proposal->doubts.empty()) << first;
    const auto windows = replayed(proposal->config, {path});
    EXPECT_FALSE(windows.empty()) << first;
    for (const auto& [window, totals] : windows)
      EXPECT_TRUE(is_near(totals, truth(lists, true))) << window << ": " << text(totals) << "\n" << proposal->config;
  }
}

TEST(Infer, asks_which_of_two_times_counts_and_whose_clock_it_is) {
  const Scratch scratch;
  const auto lists = make_lists(3, 300);
  std::string log = own_log("tagged", true, lists).files.front();
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  const auto flags = infer_configuration({scratch.put("flags", own_log("flags", true, lists).files.front())}, now, never);
  ASSERT_TRUE(flags);
  ASSERT_EQ(flags->doubts.size(), 1U);
  EXPECT_NE(flags->doubts.front().sentence.find("zone"), std::string::npos);
  EXPECT_NE(flags->config.find("zone: UTC                               # UNSURE"), std::string::npos) << flags->config;
}

// Lists of two variants on three pages, and what was done with them, called by `word`.
std::vector<std::string> shop_logs(const Scratch& scratch, const std::string& word) {
  std::string shown = "request,visitor,shown_at,products,page_type,ab,height\n", done = "at,visitor,request,product,what\n";
  for (int n = 0; n < 600; ++n) {
    const std::string id = "r" + std::to_string(n), user = "v" + std::to_string(n % 90);
    const auto time = [n](int second) { return fmt::format("2023-11-14T{:02}:{:02}:{:02}Z", n / 60, n % 60, second); };
    const std::string first = "p" + std::to_string(n % 50);
    shown += fmt::format("{},{},{},{}|p{}|p{},page {},{},{}\n", id, user, time(0), first, n % 50 + 50, n % 50 + 100, n % 3,
                         n % 2 == 0 ? "A" : "B", n % 5);
    if (n % 2 == 0) done += fmt::format("{},{},{},{},{}\n", time(20), user, id, first, word);
    if (n % 6 == 0) done += fmt::format("{},{},{},{},buy\n", time(40), user, id, first);
  }
  return {scratch.put("shown.csv", shown), scratch.put("done.csv", done)};
}

TEST(Infer, names_columns_of_few_values_and_makes_rows_of_arms) {
  const Scratch scratch;
  const auto proposal = infer_configuration(shop_logs(scratch, "click"), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  const std::string& yaml = proposal->config;
  EXPECT_NE(yaml.find("segments: {ab: ab, page_type: page_type}"), std::string::npos) << yaml;
  EXPECT_NE(yaml.find("\nsegments: [[ab], [page_type]] "), std::string::npos) << yaml;
}

// What Python writes for a number that is not there; as a value of a segment it would make the record invalid.
TEST(Infer, leaves_out_columns_with_numbers_that_are_none) {
  const Scratch scratch;
  const auto lists = make_lists(4, 300);
  for (const char* name : {"price", "bucket"}) {
    std::istringstream lines(own_log("tagged", true, lists).files.front());
    std::string log, line;
    for (int n = 0; std::getline(lines, line); ++n) {
      line.pop_back();
      log += fmt::format("{},\"{}\":{}}}\n", line, name, n % 20 == 0 ? "NaN" : n % 2 == 0 ? "3.5" : "4");
    }
    const std::string path = scratch.put(name, log);
    const auto proposal = infer_configuration({path}, now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_EQ(proposal->report.events.invalid, 0U) << proposal->config;
    EXPECT_EQ(proposal->report.lists, lists.size());
  }
}

// The log of docs/tutorial.md: clicks do not name a list, though each list has an id.
TEST(Infer, takes_an_id_of_lists_that_no_action_names) {
  const std::string folder = RECMETER_SOURCE_DIR "/examples/shop/";
  const auto proposal = infer_configuration({folder + "shown.csv", folder + "actions.csv"}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  EXPECT_NE(proposal->config.find("list_id: search "), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("\nsegments: [[ranker]] "), std::string::npos) << proposal->config;
}

TEST(Infer, asks_whether_a_view_is_a_click) {
  const Scratch scratch;
  const auto proposal = infer_configuration(shop_logs(scratch, "view_item"), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(proposal->doubts.front().about, "view");
  EXPECT_NE(proposal->config.find("# UNSURE: is it a click on the list"), std::string::npos) << proposal->config;
}

// Columns that names do not tell apart are quoted once, as a configuration has them.
TEST(Infer, quotes_columns_once) {
  const Scratch scratch;
  std::string log;
  for (int i = 0; i < 300; ++i) log += fmt::format("{}\t{}\t{}\t{}\n", 1'700'000'000 + i, i % 70, i % 5 + 1, i % 90);
  const auto proposal = infer_configuration({scratch.put("ratings", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 2U);
  EXPECT_EQ(proposal->doubts[0].sentence, "'$2' (70 values) or '$4' (90 values)?");
  EXPECT_EQ(proposal->doubts[1].sentence, "'$4' (90 values) or '$2' (70 values)?");
}

// Who clicks three times on an item is credited once, and was on the list each time.
TEST(Infer, takes_repeated_actions_as_joined) {
  const Scratch scratch;
  std::string log;
  for (const ShownList& list : make_lists(5, 200)) {
    log += fmt::format(R"({{"type":"impression","ts":{},"list_id":"{}","user_id":"{}","items":["{}"]}})"
                       "\n",
                       list.ts, list.id, list.user, list.items[0]);
    for (int again = 0; again < 3; ++again) {
      log += fmt::format(R"({{"type":"click","ts":{},"list_id":"{}","user_id":"{}","item_id":"{}"}})"
                         "\n",
                         list.ts + again, list.id, list.user, list.items[0]);
    }
  }
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->report.feedback.repeated, 400U);
  EXPECT_TRUE(proposal->doubts.empty()) << proposal->doubts.front().sentence;
}

// Few values are versions or countries as often as they are what happened, and tomorrow there is another one.
TEST(Infer, takes_a_column_of_few_values_for_what_happened_only_where_they_say_so) {
  const auto lists = make_lists(4, 400);
  const auto log = [&lists](const Scratch& scratch, const std::string& name, const std::vector<std::string>& versions) {
    SourceLog made = own_log("two_files", false, lists);
    std::istringstream lines(made.files.back());
    std::string clicks, line;
    std::getline(lines, line);
    clicks = line + ",app\n";
    for (std::size_t n = 0; std::getline(lines, line); ++n) clicks += line + "," + versions[n % versions.size()] + "\n";
    return std::vector{scratch.put(name + "_shown", made.files.front()), scratch.put(name + "_clicks", clicks)};
  };
  const Scratch scratch;
  const auto proposal = infer_configuration(log(scratch, "today", {"5.1.0", "5.2.0"}), now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty()) << proposal->doubts.front().sentence;
  const auto tomorrow = log(scratch, "tomorrow", {"5.2.0", "5.3.0"});
  std::string config = proposal->config;
  for (std::size_t at = 0; (at = config.find("today_", at)) != std::string::npos;) config.replace(at, 5, "tomorrow");
  const auto windows = replayed(config, tomorrow);
  EXPECT_FALSE(windows.empty());
  for (const auto& [window, totals] : windows)
    EXPECT_TRUE(is_near(totals, truth(lists, true))) << window << ": " << text(totals) << "\n" << config;
}

// What users did in a session, each at its time, is no list that was shown to them.
TEST(Infer, takes_no_times_for_items) {
  const Scratch scratch;
  std::string sessions, shown;
  for (const ShownList& list : make_lists(4, 300)) {
    std::string views, items;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::int64_t at = list.ts / 1000 + static_cast<std::int64_t>(20 * i);
      views += fmt::format(R"({}{{"at":{},"page":"{}"}})", i == 0 ? "" : ",", at, list.items[i]);
      items += fmt::format(R"({}{{"sku":"{}","seen":{}}})", i == 0 ? "" : ",", list.items[i], at * 1000);
    }
    sessions += fmt::format(R"({{"session":"{}","visitor":"{}","started":{},"views":[{}]}})"
                            "\n",
                            list.id, list.user, list.ts / 1000, views);
    shown += fmt::format(R"({{"ts":{},"uid":"{}","rid":"{}","items":[{}]}})"
                         "\n",
                         list.ts, list.user, list.id, items);
  }
  const auto none = infer_configuration({scratch.put("sessions", sessions)}, now, never);
  ASSERT_TRUE(none) << none.error().context;
  EXPECT_TRUE(none->config.empty()) << none->config;
  const auto alone = infer_configuration({scratch.put("shown", shown)}, now, never);
  ASSERT_TRUE(alone) << alone.error().context;
  EXPECT_EQ(alone->report.lists, 300U);
  EXPECT_EQ(alone->report.events.feedback, 0U);
  ASSERT_EQ(alone->doubts.size(), 1U);
  EXPECT_EQ(alone->doubts.front().about, "the actions");
}

TEST(Infer, doubts_actions_that_are_the_first_item_of_every_list_at_its_time) {
  const Scratch scratch;
  std::string log;
  for (const ShownList& list : make_lists(4, 200)) {
    log += fmt::format(R"({{"type":"impression","ts":{0},"list_id":"{1}","user_id":"{2}","items":{3}}})"
                       "\n"
                       R"({{"type":"click","ts":{0},"list_id":"{1}","user_id":"{2}","item_id":"{4}"}})"
                       "\n",
                       list.ts, list.id, list.user, "[\"" + fmt::format("{}", fmt::join(list.items, "\",\"")) + "\"]",
                       list.items.front());
  }
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(
      proposal->doubts.front().sentence,
      "200 of 200 are on the first item of their list, at the list's own time: were they done, or is it the list again?");
}

// Two widgets of a page, or one list in two parts: the log looks the same.
TEST(Infer, asks_whether_lists_that_go_on_under_their_id_are_lists_of_their_own) {
  const auto doubts = [](int widgets, std::int64_t apart_ms) {
    std::string log;
    for (int n = 0; n < 100; ++n) {
      const std::int64_t ts = 1'700'000'000'000 + 600'000 * n;
      const auto shown = [&](std::int64_t at, const char* items) {
        return fmt::format(R"({{"type":"impression","ts":{},"list_id":"page-{}","user_id":"u{}","items":[{}]}})"
                           "\n",
                           at, n, n % 7, items);
      };
      log += shown(ts, R"("a","b")");
      if (n < widgets) log += shown(ts + apart_ms, R"("c","d")");
      log += fmt::format(R"({{"type":"click","ts":{},"user_id":"u{}","item_id":"a"}})"
                         "\n",
                         ts + 20'000, n % 7);
    }
    const Scratch scratch;
    const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
    EXPECT_TRUE(proposal) << proposal.error().context;
    std::vector<std::string> about;
    for (const Doubt& doubt : proposal->doubts) about.push_back(doubt.about);
    return about;
  };
  EXPECT_EQ(doubts(5, 400), std::vector<std::string>{"whole_lists"});
  EXPECT_EQ(doubts(4, 400), std::vector<std::string>{}) << "fewer than 5 %";
  EXPECT_EQ(doubts(100, 10'000), std::vector<std::string>{}) << "assembled: a list of its own";
}

// Of cards that come into view one after another, the last comes when most clicks were done.
TEST(Infer, writes_no_horizon_that_is_shorter_than_assemble) {
  std::string log = "time,event,visitor,request_id,sku,slot\n";
  for (int n = 0; n < 300; ++n) {
    const auto time = [n](int second) { return std::to_string(1'700'000'000 + 600 * n + second); };
    const std::string of = fmt::format(",v{},r{},", n % 60, n);
    for (int slot = 1; slot <= 6; ++slot) {
      log += fmt::format("{},shown{}p{},{}\n", time(20 * slot), of, (n + 7 * slot) % 90, slot);
      if (slot == 1) log += fmt::format("{},click{}p{},\n", time(30), of, (n + 7) % 90);
    }
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_NE(proposal->config.find("assemble: 2m"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("horizons: [5m]"), std::string::npos) << proposal->config;
  EXPECT_EQ(proposal->report.lists, 300U);
  EXPECT_EQ(proposal->report.feedback.credited, 300U);
}

// A bulk export says before each record where it belongs.
TEST(Infer, passes_over_the_lines_of_a_bulk_export) {
  const auto lists = make_lists(4, 300);
  std::string log = own_log("tagged", true, lists).files.front(), bulk;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at) + 1;
    bulk += "{\"index\":{\"_index\":\"shop\",\"_id\":\"" + std::to_string(at) + "\"}}\n" + log.substr(at, end - at);
    at = end;
  }
  const Scratch scratch;
  const std::string path = scratch.put("bulk", bulk);
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  EXPECT_EQ(proposal->report.events.invalid, 0U);
  const auto windows = replayed(proposal->config, {path});
  EXPECT_FALSE(windows.empty());
  for (const auto& [window, totals] : windows)
    EXPECT_TRUE(is_near(totals, truth(lists, true))) << window << ": " << text(totals) << "\n" << proposal->config;
}

// What this process has read from files.
std::uint64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  io >> name >> bytes;
  EXPECT_EQ(name, "rchar:");
  return bytes;
}

TEST(Infer, reads_no_more_of_a_longer_log) {
  const Scratch scratch;
  std::string log = own_log("tagged", false, make_lists(6, 12'000)).files.front();
  while (log.size() < 16'000'000) log += log;
  const auto read_for = [&](const std::string& path) {
    const std::uint64_t before = bytes_read();
    EXPECT_TRUE(infer_configuration({path}, now, never));
    return bytes_read() - before;
  };
  const std::string path = scratch.put("log", log), longer = scratch.put("longer", log + log);
  const std::uint64_t of_log = read_for(path);
  EXPECT_LT(read_for(longer), of_log + log.size() / 4);
}

TEST(Infer, finds_the_array_of_a_document) {
  std::istringstream lines(log_of("ubi", make_lists(2, 200)).files.front());
  std::string documents, line;
  std::getline(lines, line);  // of the bulk export
  while (std::getline(lines, line)) documents += (documents.empty() ? "" : ",") + ("{\"_source\":" + line + "}");
  const Scratch scratch;
  const auto proposal =
      infer_configuration({scratch.put("answer.json", "{\"took\":1,\"hits\":{\"hits\":[" + documents + "]}}")}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->shape, "ubi-hits");
}

TEST(Infer, tells_of_a_file_that_is_not_there) {
  const auto proposal = infer_configuration({"/nonexistent/log"}, now, never);
  ASSERT_FALSE(proposal);
  EXPECT_EQ(proposal.error().code, Errc::input_missing);
}

}  // namespace
}  // namespace recmeter::test
