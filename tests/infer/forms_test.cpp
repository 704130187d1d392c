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
