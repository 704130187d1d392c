// Labels beside items: a list as long as that of the items that says which were clicked. [I3.24], [I3.31].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/infer/proposal.h"
#include "infer/arm_lists.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

std::vector<std::string> labels_of(const ArmList& list, bool purchases, const std::string& unset, const std::string& set) {
  std::vector<std::string> labels(list.items.size(), unset);
  for (const ArmList::Act& act : list.acts) {
    if (act.is_purchase == purchases) labels[act.rank] = set;
  }
  return labels;
}
std::string joined(const std::vector<std::string>& texts, const std::string& between) {
  return fmt::format("{}", fmt::join(texts, between));
}
std::string items_in_json(const ArmList& list) {
  return "[\"" + joined(list.items, "\",\"") + "\"]";
}
std::string record(const ArmList& list, const std::string& rest) {
  return fmt::format(R"({{"time":{},"request":"{}","user":"{}","variant":"{}",{}}})"
                     "\n",
                     list.ts, list.id, list.user, list.arm, rest);
}

struct LabelledLog {
  std::string name;
  std::string header = {};
  std::function<std::string(const ArmList&)> line;
  bool has_purchases = false;
};

std::string row(const ArmList& list, const std::string& rest) {
  return fmt::format("{},{},{},{},{}\n", list.ts, list.id, list.user, list.arm, rest);
}
constexpr const char* header = "time,request,user,variant,items,clicked\n";

class Labels : public testing::TestWithParam<LabelledLog> {};

TEST_P(Labels, say_what_was_clicked) {
  const auto lists = make_arm_lists(21, 400);
  std::string log = GetParam().header;
  for (const ArmList& list : lists) log += GetParam().line(list);
  const Scratch scratch;
  const std::string path = scratch.put("log", log);
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty()) << proposal->doubts.front().sentence << "\n" << proposal->config;
  EXPECT_EQ(proposal->report.events.invalid, 0U);
  const auto windows = replayed_by_arm(proposal->config, {path}, "variant");
  EXPECT_FALSE(windows.empty());
  for (const auto& [window, sums] : windows) expect_same(sums, sums_of(lists, GetParam().has_purchases), proposal->config);
}

INSTANTIATE_TEST_SUITE_P(
    Infer, Labels,
    testing::Values(
        LabelledLog{.name = "json_numbers",
                    .line =
                        [](const ArmList& list) {
                          return record(list, fmt::format(R"("items":{},"clicked":[{}])", items_in_json(list),
                                                          joined(labels_of(list, false, "0", "1"), ",")));
                        }},
        LabelledLog{.name = "json_booleans",
                    .line =
                        [](const ArmList& list) {
                          return record(list, fmt::format(R"("items":{},"is_clicked":[{}])", items_in_json(list),
                                                          joined(labels_of(list, false, "false", "true"), ",")));
                        }},
        LabelledLog{.name = "objects",
                    .line =
                        [](const ArmList& list) {
                          return record(list, fmt::format(R"("items":[{{"id":"{}"}}],"clicks":[{}])",
                                                          joined(list.items, "\"},{\"id\":\""),
                                                          joined(labels_of(list, false, "0", "1"), ",")));
                        }},
        LabelledLog{.name = "of_two_actions",
                    .line =
                        [](const ArmList& list) {
                          return record(list, fmt::format(R"("items":{},"clicked":[{}],"purchased":[{}])",
                                                          items_in_json(list), joined(labels_of(list, false, "0", "1"), ","),
                                                          joined(labels_of(list, true, "0", "1"), ",")));
                        },
                    .has_purchases = true},
        LabelledLog{.name = "missing_where_nothing_was_clicked",
                    .line =
                        [](const ArmList& list) {
                          const std::string labels = list.acts.empty() ? "" : joined(labels_of(list, false, "0", "1"), ",");
                          return record(list, fmt::format(R"("items":{},"clicked":[{}])", items_in_json(list), labels));
                        }},
        LabelledLog{.name = "text_with_blanks",
                    .header = header,
                    .line =
                        [](const ArmList& list) {
                          return row(list, joined(list.items, " ") + "," + joined(labels_of(list, false, "0", "1"), " "));
                        }},
        LabelledLog{.name = "python_texts",
                    .header = header,
                    .line =
                        [](const ArmList& list) {
                          return row(list, fmt::format(R"("['{}']","[{}]")", joined(list.items, "', '"),
                                                       joined(labels_of(list, false, "0", "1"), ", ")));
                        }},
        LabelledLog{.name = "python_booleans",
                    .header = header,
                    .line =
                        [](const ArmList& list) {
                          return row(list, fmt::format(R"("['{}']","[{}]")", joined(list.items, "', '"),
                                                       joined(labels_of(list, false, "False", "True"), ", ")));
                        }},
        LabelledLog{.name = "numpy_texts",
                    .header = header,
                    .line =
                        [](const ArmList& list) {
                          return row(list, fmt::format("['{}'],[{}]", joined(list.items, "' '"),
                                                       joined(labels_of(list, false, "0.", "1."), " ")));
                        }},
        LabelledLog{.name = "json_texts",
                    .header = header,
                    .line =
                        [](const ArmList& list) {
                          return row(list, fmt::format(R"("[""{}""]","[{}]")", joined(list.items, R"("","")"),
                                                       joined(labels_of(list, false, "false", "true"), ",")));
                        }}),
    [](const auto& each) { return each.param.name; });

std::string labelled(const std::vector<ArmList>& lists, const std::string& name, const std::string& more) {
  std::string log;
  for (const ArmList& list : lists) {
    log += record(list, fmt::format(R"("items":{},"{}":[{}]{})", items_in_json(list), name,
                                    joined(labels_of(list, false, "0", "1"), ","), more));
  }
  return log;
}

TEST(InferLabels, asks_for_what_labels_say_that_their_name_does_not) {
  const auto lists = make_arm_lists(21, 400);
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log", labelled(lists, "y", ""))}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U);
  EXPECT_EQ(proposal->doubts.front().about, "click");
  EXPECT_EQ(proposal->doubts.front().sentence, "were the entries clicked for which y is set?");
}

// A flag that an item has in every list is one of the item.
TEST(InferLabels, takes_no_property_of_items_for_what_was_done) {
  const auto lists = make_arm_lists(21, 400);
  std::string log;
  for (const ArmList& list : lists) {
    std::vector<std::string> is_new;
    for (const std::string& item : list.items) is_new.emplace_back(item.ends_with('7') ? "1" : "0");
    log += record(list, fmt::format(R"("items":{},"is_new":[{}])", items_in_json(list), joined(is_new, ",")));
    for (const ArmList::Act& act : list.acts) {
      if (act.is_purchase) continue;
      log += fmt::format(R"({{"time":{},"request":"{}","user":"{}","clicked_item":"{}"}})"
                         "\n",
                         act.ts, list.id, list.user, list.items[act.rank]);
    }
  }
  const Scratch scratch;
  const std::string path = scratch.put("log", log);
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  for (const auto& [window, sums] : replayed_by_arm(proposal->config, {path}, "variant"))
    expect_same(sums, sums_of(lists, false), proposal->config);
}

// Whose label a label is, nobody knows.
TEST(InferLabels, takes_no_list_of_another_length_for_labels) {
  const auto lists = make_arm_lists(21, 400);
  std::string log;
  for (const ArmList& list : lists) {
    std::vector<std::string> labels = labels_of(list, false, "0", "1");
    labels.push_back("0");
    log += record(list, fmt::format(R"("items":{},"clicked":[{}])", items_in_json(list), joined(labels, ",")));
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U) << proposal->config;
  EXPECT_EQ(proposal->doubts.front().about, "the actions");
}

// A row for each item, with what came into view as a flag of it and as a time.
std::string rows_of_views(const std::vector<ArmList>& lists, bool has_clicks) {
  std::string log = "time,request,user,variant,item,rank,viewed,viewed_at";
  log += has_clicks ? ",clicked\n" : "\n";
  for (const ArmList& list : lists) {
    const std::vector<std::string> labels = labels_of(list, false, "0", "1");
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      const bool is_seen = rank == 0 || labels[rank] == "1";
      log += fmt::format("{},{},{},{},{},{},{},{}", list.ts, list.id, list.user, list.arm, list.items[rank], rank + 1,
                         is_seen ? 1 : 0, is_seen ? std::to_string(list.ts + 1000) : "");
      log += has_clicks ? "," + labels[rank] + "\n" : "\n";
    }
  }
  return log;
}

TEST(InferLabels, takes_nothing_that_was_only_seen_for_a_click) {
  const auto lists = make_arm_lists(21, 400);
  const Scratch scratch;
  const std::string path = scratch.put("rows.csv", rows_of_views(lists, true));
  const auto proposal = infer_configuration({path}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty()) << proposal->doubts.front().sentence;
  for (const auto& [window, sums] : replayed_by_arm(proposal->config, {path}, "variant"))
    expect_same(sums, sums_of(lists, false), proposal->config);
  const auto alone = infer_configuration({scratch.put("views.csv", rows_of_views(lists, false))}, now, never);
  ASSERT_TRUE(alone) << alone.error().context;
  EXPECT_TRUE(alone->config.empty()) << alone->config;
  ASSERT_FALSE(alone->shortfall.missing.empty());
  EXPECT_TRUE(alone->shortfall.missing.front().nearest.starts_with("nearest is `viewed`; but it says what was seen"))
      << alone->shortfall.missing.front().nearest;
}

}  // namespace
}  // namespace recmeter::test
