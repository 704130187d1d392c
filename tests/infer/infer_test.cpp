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
#include "infer/inferred_replay.h"
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
  Sums sums;
  replay_inferred(yaml, files, sums);
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

// Nobody sees that a record is passed over, unless it is said.
TEST(Infer, says_which_words_of_the_column_of_actions_are_ignored) {
  const auto lists = make_lists(4, 400);
  const auto log = [&lists](bool has_others) {
    std::string text;
    for (const ShownList& list : lists) {
      text += fmt::format(R"({{"event":"shown","at":{},"visitor":"{}","request_id":"{}","products":["{}"]}})", list.ts,
                          list.user, list.id, fmt::join(list.items, R"(",")"));
      text += '\n';
      for (const auto& click : list.clicks) {
        text += fmt::format(R"({{"event":"click","at":{},"visitor":"{}","request_id":"{}","product":"{}"}})", click.ts,
                            list.user, list.id, list.items[click.rank]);
        text += '\n';
      }
      if (!has_others) continue;
      text += fmt::format(R"({{"event":"login","at":{},"visitor":"{}"}})", list.ts, list.user) + "\n";
      if (list.items.size() % 2 == 0 && list.ts % 2000 == 0) {
        text += fmt::format(R"({{"event":"heartbeat","at":{},"visitor":"{}"}})", list.ts, list.user) + "\n";
      }
    }
    return text;
  };
  const Scratch scratch;
  const auto with = infer_configuration({scratch.put("with.jsonl", log(true))}, now, never);
  ASSERT_TRUE(with) << with.error().context;
  EXPECT_NE(with->config.find("    # event has other words, which are ignored: login (400), heartbeat ("), std::string::npos)
      << with->config;
  const auto without = infer_configuration({scratch.put("without.jsonl", log(false))}, now, never);
  ASSERT_TRUE(without) << without.error().context;
  EXPECT_EQ(without->config.find("other words"), std::string::npos) << without->config;
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

}  // namespace
}  // namespace recmeter::test
