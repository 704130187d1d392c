// Logs in the forms in which tools write them, known to infer without a question. [I3.24].
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/infer/proposal.h"
#include "config/load_config.h"
#include "infer/source_logs.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

struct Cells {
  std::vector<std::string> cells;
  [[nodiscard]] std::string by(std::string_view delimiter) const { return fmt::format("{}", fmt::join(cells, delimiter)); }
};

// How a file of lists and one of clicks are written: how a time, and how a row, its number from 0 (the header's is -1).
struct Form {
  std::function<std::string(std::int64_t)> time = [](std::int64_t ms) { return std::to_string(ms); };
  std::function<std::string(int, const Cells&)> row = [](int, const Cells& cells) { return cells.by(","); };
  std::string before = {};
};

class InferForms : public testing::Test {
 protected:
  std::vector<std::string> two_files(const Form& form) const {
    int shown_rows = 0, click_rows = 0;
    std::string shown = form.before + form.row(-1, {{"time", "user", "request", "items"}}) + "\n";
    std::string clicks = form.before + form.row(-1, {{"time", "user", "request", "item"}}) + "\n";
    for (const ShownList& list : lists) {
      const std::string items = fmt::format("{}", fmt::join(list.items, "|"));
      shown += form.row(shown_rows++, {{form.time(list.ts), list.user, list.id, items}}) + "\n";
      for (const auto& click : list.clicks) {
        clicks += form.row(click_rows++, {{form.time(click.ts), list.user, list.id, list.items[click.rank]}}) + "\n";
      }
    }
    return {scratch.put("shown", shown), scratch.put("clicks", clicks)};
  }

  // Every list and every click, and no question but for `doubts`.
  Proposal expect_all_of(const std::vector<std::string>& files, std::size_t doubts = 0) const {
    auto proposal = infer_configuration(files, now, never);
    if (!proposal) {
      ADD_FAILURE() << proposal.error().context;
      return {};
    }
    std::size_t clicks = 0;
    for (const ShownList& list : lists) clicks += list.clicks.size();
    EXPECT_EQ(proposal->report.lists, lists.size()) << proposal->config;
    EXPECT_EQ(proposal->report.feedback.credited, clicks) << proposal->config;
    EXPECT_EQ(proposal->report.events.invalid, 0U) << proposal->config;
    EXPECT_EQ(proposal->doubts.size(), doubts) << proposal->config;
    return std::move(*proposal);
  }

  const std::vector<ShownList> lists = make_lists(11, 300);
  Scratch scratch;
};

// pandas writes its index in front, without a name.
TEST_F(InferForms, columns_at_the_beginning_need_no_name) {
  const auto with_index = [](int number, const Cells& cells) {
    return (number < 0 ? "" : std::to_string(number)) + "," + cells.by(",");
  };
  const Proposal proposal = expect_all_of(two_files({.row = with_index}));
  EXPECT_EQ(proposal.config.find("header: false"), std::string::npos) << proposal.config;
  const auto with_two = [](int number, const Cells& cells) { return (number < 0 ? ",," : "0,7,") + cells.by(","); };
  (void)expect_all_of(two_files({.row = with_two}));
}

TEST_F(InferForms, a_name_of_a_column_may_be_long) {
  const auto with_long = [](int number, const Cells& cells) {
    return cells.by(",") + "," + (number < 0 ? "context_com_shop_" + std::string(100, 'x') : "a");
  };
  (void)expect_all_of(two_files({.row = with_long}));
}

std::string utc(std::int64_t ms, const std::string& format) {
  return fmt::format(fmt::runtime("{:" + format + "}"), fmt::gmtime(static_cast<std::time_t>(ms / 1000)));
}
std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

struct WrittenTime {
  std::string name;
  std::function<std::string(std::int64_t)> time;
  std::string unit;  // in what infer writes
  std::string doubt = {};
};

class InferTimes : public InferForms, public testing::WithParamInterface<WrittenTime> {};

TEST_P(InferTimes, are_read_with_the_question_that_is_open) {
  const WrittenTime& written = GetParam();
  const Proposal proposal = expect_all_of(two_files({.time = written.time}), written.doubt.empty() ? 0 : 2);
  EXPECT_NE(proposal.config.find("unit: " + written.unit), std::string::npos) << proposal.config;
  for (const Doubt& doubt : proposal.doubts)
    EXPECT_NE(doubt.sentence.find(written.doubt), std::string::npos) << doubt.sentence;
}

WrittenTime as(const std::string& name, const std::string& format, const std::string& unit, const std::string& doubt = {}) {
  return {name, [format](std::int64_t ms) { return quoted(utc(ms, format)); }, unit, doubt};
}
std::string with_pattern(const std::string& pattern) {
  return "{pattern: '" + pattern + "'}";
}

INSTANTIATE_TEST_SUITE_P(
    Written, InferTimes,
    testing::Values(as("UTC_at_the_end", "%Y-%m-%d %H:%M:%S.250000 UTC", "iso "),
                    WrittenTime{"offset_without_colon",
                                [](std::int64_t ms) { return utc(ms + 3'600'000, "%Y-%m-%dT%H:%M:%S.250+0100"); }, "iso "},
                    as("hours_as_offset", "%Y-%m-%d %H:%M:%S+00", "iso "),
                    as("compact", "%Y%m%dT%H%M%SZ", with_pattern("%Y%m%dT%H%M%S%z")),
                    as("Ruby", "%Y-%m-%d %H:%M:%S +0000", with_pattern("%Y-%m-%d %H:%M:%S %z")),
                    as("mail", "%a, %d %b %Y %H:%M:%S +0000", with_pattern("%a, %d %b %Y %H:%M:%S %z")),
                    as("HTTP", "%a, %d %b %Y %H:%M:%S GMT", with_pattern("%a, %d %b %Y %H:%M:%S GMT")),
                    as("German", "%d.%m.%Y %H:%M:%S", with_pattern("%d.%m.%Y %H:%M:%S"), "zone"),
                    as("German_of_browsers", "%d.%m.%Y, %H:%M:%S", with_pattern("%d.%m.%Y, %H:%M:%S"), "zone"),
                    as("American", "%m/%d/%Y, %I:%M:%S %p", with_pattern("%m/%d/%Y, %I:%M:%S %p"), "zone"),
                    as("Kibana", "%b %d, %Y @ %H:%M:%S.000", with_pattern("%b %d, %Y @ %H:%M:%S.%f"), "zone"),
                    as("logging", "%Y-%m-%d %H:%M:%S,125", with_pattern("%Y-%m-%d %H:%M:%S,%f"), "zone"),
                    WrittenTime{"a_number_with_a_fraction_of_zero", [](std::int64_t ms) { return fmt::format("{}.0", ms); },
                                "ms "}),
    [](const auto& each) { return each.param.name; });

// Minutes are all that is told: a click may be of the minute before its list's, so only the form is looked at.
TEST_F(InferForms, times_to_the_minute_are_known) {
  for (const auto& [format, pattern] :
       {std::pair("%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M"), std::pair("%m/%d/%Y %I:%M %p", "%m/%d/%Y %I:%M %p")}) {
    const auto time = [format = format](std::int64_t ms) { return utc(ms, format); };
    const auto proposal = infer_configuration(two_files({.time = time}), now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_NE(proposal->config.find("unit: " + with_pattern(pattern)), std::string::npos) << proposal->config;
  }
}

// As Excel keeps them. A price may look so, too.
TEST_F(InferForms, days_of_excel_are_asked_for) {
  const auto days = [](std::int64_t ms) { return fmt::format("{:.8f}", static_cast<double>(ms) / 86'400'000 + 25'569); };
  const Proposal proposal = expect_all_of(two_files({.time = days}), 4);
  EXPECT_NE(proposal.config.find("unit: excel"), std::string::npos) << proposal.config;
  EXPECT_NE(proposal.config.find("UNSURE: are these days of Excel"), std::string::npos) << proposal.config;
}

// Dates in the order of users go back and forth by days, which max_step takes for wrong clocks.
TEST_F(InferForms, dates_without_times_are_said_and_read) {
  std::string shown = "day,customer,request,items\n", clicks = "day,customer,request,item\n";
  const auto day = [](int n) { return fmt::format("2026-03-{:02}", n % 12 + 1); };
  for (int n = 0; n < 360; ++n) {
    const std::string rest = fmt::format(",c{},r{},", n / 12, n);
    shown += fmt::format("{}{}a{}|b{}|c{}\n", day(n), rest, n % 40, n % 31, n % 23);
    if (n % 2 == 0) clicks += fmt::format("{}{}a{}\n", day(n), rest, n % 40);
  }
  const auto proposal = infer_configuration({scratch.put("shown", shown), scratch.put("clicks", clicks)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->report.lists, 360U) << proposal->config;
  EXPECT_EQ(proposal->report.feedback.credited, 180U) << proposal->config;
  EXPECT_EQ(proposal->report.events.future, 0U) << proposal->config;
  EXPECT_NE(proposal->config.find("max_step: 0s"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("horizons: [2d]"), std::string::npos) << proposal->config;
  ASSERT_EQ(proposal->doubts.size(), 2U);
  EXPECT_EQ(
      proposal->doubts.front().sentence,
      "these are dates without a time of day, so nothing tells what came first on a day; export the times if there are any");
}

// A date beside a time says no more than it.
TEST_F(InferForms, a_date_beside_a_time_is_no_time) {
  const auto with_date = [](int number, const Cells& cells) {
    return number < 0 ? "date," + cells.by(",") : cells.cells.front().substr(0, 10) + "," + cells.by(",");
  };
  const auto iso = [](std::int64_t ms) { return utc(ms, "%Y-%m-%dT%H:%M:%SZ"); };
  const Proposal proposal = expect_all_of(two_files({.time = iso, .row = with_date}));
  EXPECT_NE(proposal.config.find("ts: time"), std::string::npos) << proposal.config;
}

// As mongoexport writes all numbers.
TEST_F(InferForms, numbers_of_extended_JSON_are_read) {
  std::string log;
  const auto record = [&log](const char* kind, std::int64_t ts, const ShownList& list, const std::string& rest) {
    log += fmt::format(R"({{"kind":"{}","at":{{"$date":{{"$numberLong":"{}"}}}},"visitor":"{}","request":"{}",{}}})"
                       "\n",
                       kind, ts, list.user, list.id, rest);
  };
  for (const ShownList& list : lists) {
    record("shown", list.ts, list, fmt::format("\"products\":[\"{}\"]", fmt::join(list.items, "\",\"")));
    for (const auto& click : list.clicks) record("click", click.ts, list, "\"sku\":\"" + list.items[click.rank] + "\"");
  }
  const Proposal proposal = expect_all_of({scratch.put("log", log)});
  EXPECT_NE(proposal.config.find("text_numbers: true"), std::string::npos) << proposal.config;
}

// What passed through a float: [S2.13] reads such times in texts alone.
TEST_F(InferForms, times_with_a_fraction_of_zeros_are_made_texts) {
  std::string log;
  for (const ShownList& list : lists) {
    log += fmt::format(R"({{"at":{}.0,"visitor":"{}","request":"{}","products":["{}"]}})"
                       "\n",
                       list.ts, list.user, list.id, fmt::join(list.items, "\",\""));
    for (const auto& click : list.clicks) {
      log += fmt::format(R"({{"at":{}.0,"visitor":"{}","request":"{}","sku":"{}"}})"
                         "\n",
                         click.ts, list.user, list.id, list.items[click.rank]);
    }
  }
  const Proposal proposal = expect_all_of({scratch.put("log", log)});
  EXPECT_NE(proposal.config.find("ts: {join: [at]}"), std::string::npos) << proposal.config;
  EXPECT_NE(proposal.config.find("text_numbers: true"), std::string::npos) << proposal.config;
}

// pandas makes a column of times a column of floats where some are absent.
TEST_F(InferForms, a_time_of_a_click_may_have_a_fraction_of_zeros) {
  std::string log;
  for (const ShownList& list : lists) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const auto click = std::ranges::find(list.clicks, i, &ShownList::Click::rank);
      log += fmt::format(R"({{"shown_at":{},"request":"{}","user":"{}","item":"{}","rank":{},"clicked_at":{}}})"
                         "\n",
                         list.ts, list.id, list.user, list.items[i], i + 1,
                         click == list.clicks.end() ? "null" : fmt::format("{}.0", click->ts));
    }
  }
  const Proposal proposal = expect_all_of({scratch.put("log", log)});
  EXPECT_NE(proposal.config.find("ts: {join: [clicked_at]}"), std::string::npos) << proposal.config;
}

// A row an item, whose time is a number and whose place is a text.
TEST_F(InferForms, places_that_are_texts_are_read) {
  std::string log;
  for (const ShownList& list : lists) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const bool is_clicked = std::ranges::find(list.clicks, i, &ShownList::Click::rank) != list.clicks.end();
      log += fmt::format(R"({{"time":{},"request":"{}","user":"{}","item":"{}","rank":"{}","clicked":{}}})"
                         "\n",
                         list.ts, list.id, list.user, list.items[i], i + 1, is_clicked ? 1 : 0);
    }
  }
  const Proposal proposal = expect_all_of({scratch.put("log", log)});
  EXPECT_NE(proposal.config.find("text_numbers: true"), std::string::npos) << proposal.config;
}

// Firehose writes objects without line ends, other programs pretty ones.
TEST_F(InferForms, objects_one_behind_the_other_are_read) {
  for (const char* between : {"", " ", ",\n  "}) {
    std::string log;
    const auto record = [&](const char* kind, std::int64_t ts, const ShownList& list, const std::string& rest) {
      log += fmt::format(R"({{"kind":"{0}",{5}"at":{1},{5}"visitor":"{2}","request":"{3}",{4}}})", kind, ts, list.user,
                         list.id, rest, between[0] == ',' ? "\n  " : "");
      log += between[0] == ',' ? "\n" : between;
    };
    for (const ShownList& list : lists) {
      record("shown", list.ts, list, fmt::format("\"products\":[\"{}\"]", fmt::join(list.items, "\",\"")));
      for (const auto& click : list.clicks) record("click", click.ts, list, "\"sku\":\"" + list.items[click.rank] + "\"");
    }
    (void)expect_all_of({scratch.put("log", log)});
  }
}

std::string by_semicolon(int, const Cells& cells) {
  return cells.by(";");
}

TEST_F(InferForms, the_line_in_which_Excel_names_its_delimiter_is_skipped) {
  for (const char* line : {"sep=;\r\n", "\xEF\xBB\xBF\"SEP=;\"\n"}) {
    const Proposal proposal = expect_all_of(two_files({.row = by_semicolon, .before = line}));
    EXPECT_NE(proposal.config.find("csv: {skip: 1, delimiter: ';'}"), std::string::npos) << proposal.config;
  }
}

TEST_F(InferForms, lines_before_the_header_are_skipped) {
  const Proposal proposal = expect_all_of(two_files({.before = "Clicks and lists\n\nfor: \"all\" users, by hand\n"}));
  EXPECT_NE(proposal.config.find("csv: {skip: 3}"), std::string::npos) << proposal.config;
}

TEST_F(InferForms, comments_are_no_rows) {
  const Proposal leading = expect_all_of(two_files({.before = "# exported\n# by \"a tool, of ours\n"}));
  EXPECT_NE(leading.config.find("csv: {comment: '#'}"), std::string::npos) << leading.config;
  const auto between = [](int number, const Cells& cells) { return (number == 7 ? "# day 2\n" : "") + cells.by(","); };
  const Proposal later = expect_all_of(two_files({.row = between}));
  EXPECT_NE(later.config.find("csv: {comment: '#'}"), std::string::npos) << later.config;
}

TEST_F(InferForms, a_comment_with_the_names_of_the_columns_is_the_header) {
  const auto with_mark = [](int number, const Cells& cells) { return (number < 0 ? "#" : "") + cells.by("\t"); };
  const Proposal alone = expect_all_of(two_files({.row = with_mark}));
  EXPECT_NE(alone.config.find("ts: '#time'"), std::string::npos) << alone.config;
  EXPECT_EQ(alone.config.find("csv:"), std::string::npos) << alone.config;
  const Proposal second = expect_all_of(two_files({.row = with_mark, .before = "# version 2\n"}));
  EXPECT_NE(second.config.find("csv: {skip: 1}"), std::string::npos) << second.config;
}

TEST_F(InferForms, a_backslash_before_quotes_is_an_escape) {
  for (const char* text : {R"("12\" pan, red")", R"("a 12\"")", R"("{\"page\":1}")"}) {
    const auto with_text = [text](int number, const Cells& cells) {
      return cells.by(",") + "," + (number < 0 ? "query" : text);
    };
    const Proposal proposal = expect_all_of(two_files({.row = with_text}));
    EXPECT_NE(proposal.config.find("csv: {escape: '\\'}"), std::string::npos) << proposal.config;
  }
}

TEST_F(InferForms, an_escape_in_TSV_is_found_with_what_stands_for_nothing) {
  const auto as_mysql = [](int number, const Cells& cells) {
    return cells.by("\t") + "\t" + (number < 0 ? "query" : number % 2 == 0 ? "\\N" : "red\\\tpan\\\nof two lines");
  };
  const Proposal proposal = expect_all_of(two_files({.row = as_mysql}));
  EXPECT_NE(proposal.config.find("csv: {escape: '\\'}"), std::string::npos) << proposal.config;
  EXPECT_NE(proposal.config.find("absent: ['\\N']"), std::string::npos) << proposal.config;
}

TEST_F(InferForms, a_backslash_that_ends_a_text_in_quotes_is_none) {
  const auto with_path = [](int number, const Cells& cells) {
    return cells.by(",") + "," + (number < 0 ? "path" : R"("C:\new, folder\")");
  };
  const Proposal proposal = expect_all_of(two_files({.row = with_path}));
  EXPECT_EQ(proposal.config.find("csv:"), std::string::npos) << proposal.config;
}

TEST_F(InferForms, a_decimal_comma_is_said_where_a_number_is_read) {
  const auto seconds = [](std::int64_t ms) { return fmt::format("{},25", ms / 1000); };
  const Proposal times = expect_all_of(two_files({.time = seconds, .row = by_semicolon}));
  EXPECT_NE(times.config.find("csv: {decimal: ','}"), std::string::npos) << times.config;
  EXPECT_NE(times.config.find("unit: fractional_s"), std::string::npos) << times.config;
  const auto with_price = [](int number, const Cells& cells) {
    return cells.by(";") + ";" + (number < 0 ? "price" : fmt::format("{},{:02}", number, number % 100));
  };
  const Proposal unused = expect_all_of(two_files({.row = with_price}));
  EXPECT_EQ(unused.config.find("decimal"), std::string::npos) << unused.config;
}

TEST_F(InferForms, ratings_with_a_decimal_comma_are_numbers) {
  std::string log = "user;movie;stars;time\n";
  for (int i = 0; i < 400; ++i) {
    log += fmt::format("u{};m{};{};{}\n", i % 40, i * 7 % 90,
                       i % 2 == 0   ? "3"
                       : i % 3 == 0 ? "4,5"
                                    : "0,5",
                       1'700'000'000'000 + i * 60'000);
  }
  const auto proposal = infer_configuration({scratch.put("ratings", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_NE(proposal->config.find("csv: {decimal: ','}"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("value: stars"), std::string::npos) << proposal->config;
  EXPECT_EQ(proposal->trial.invalid, 0U) << proposal->config;
  EXPECT_EQ(proposal->trial.events, 400U) << proposal->config;
}

// A configuration has no control characters: a NUL would end it for many programs.
TEST_F(InferForms, names_and_words_with_control_characters_are_left_out) {
  std::string log;
  const auto record = [&log](std::int64_t ts, std::string_view kind, const ShownList& list, const std::string& rest) {
    log += fmt::format(R"({{"time":{},"a\u0000t":{},"what":"{}\u0000\n","kind":"{}","user":"{}","request":"{}",{}}})"
                       "\n",
                       ts, ts, kind, kind, list.user, list.id, rest);
  };
  for (const ShownList& list : lists) {
    record(list.ts, "shown", list, fmt::format("\"items\":[\"{}\"]", fmt::join(list.items, "\",\"")));
    for (const auto& click : list.clicks) record(click.ts, "click", list, "\"item\":\"" + list.items[click.rank] + "\"");
  }
  const Proposal proposal = expect_all_of({scratch.put("log", log)});
  const auto is_control = [](char c) { return c != '\n' && static_cast<unsigned char>(c) < 0x20; };
  EXPECT_TRUE(std::ranges::none_of(proposal.config, is_control)) << proposal.config;
}

}  // namespace
}  // namespace recmeter::test
