#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/why/why_run.h"
#include "unit/why/made_rows.h"

namespace recmeter::why {
namespace {

Answer answer_for(const std::vector<Row>& rows, const Request& request, std::size_t top = 8) {
  KeptMeans means(request.metric, keep_rule_of(request));
  for (const Row& row : rows) means.add(row);
  auto change = change_of(means, request);
  EXPECT_TRUE(change) << (change ? "" : change.error().context);
  return answer_of(request, change ? std::move(*change) : Change{}, {}, top);
}

std::vector<Row> two_hours(double home, double mail) {
  std::vector<Row> rows = made_hour(0, 0.5, 0.5);
  for (Row& row : made_hour(1, home, mail)) rows.push_back(std::move(row));
  return rows;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(WhyWords, say_how_much_by_what_and_the_largest_part) {
  const std::string words = words_of(answer_for(two_hours(0.5, 0.25), {.metric = "mrr@10"}));
  EXPECT_EQ(words,
            "mrr@10 fell by 25 % against the window before: fewer lists have something relevant (−25 %), and those that have "
            "it are as good; no single cause: the largest part is surface=mail, −25 % of the value before.");
}

// Rows have no interval of the difference, but those of the values.
TEST(WhyWords, of_rows_whose_intervals_overlap_say_that_it_may_be_chance) {
  std::vector<Row> rows = two_hours(0.5, 0.25);
  const auto words_with = [&](double half_width) {
    for (Row& row : rows) {
      MetricValue& metric = row.metrics.front();
      metric.ci = {*metric.value - half_width, *metric.value + half_width};
    }
    return words_of(answer_for(rows, {.metric = "mrr@10"}));
  };
  EXPECT_EQ(words_with(0.04),
            "mrr@10 fell by 25 % against the window before, which may be chance; no single cause: the largest part is "
            "surface=mail, −25 % of the value before.");
  EXPECT_FALSE(holds(words_with(0.03), "chance"));
}

// Five clicks, then two: no rule of thumb makes a change of that.
TEST(WhyWords, of_few_lists_with_something_relevant_say_how_many) {
  const auto words_of_hours = [](std::uint64_t lists, double before, double now) {
    const std::vector<Row> rows{made_row(0, {}, lists, before, 0.5), made_row(1, {}, lists, now, 0.5)};
    const Answer answer = answer_for(rows, {.metric = "mrr@10"});
    EXPECT_EQ(may_be_chance(answer), !words_of(answer).starts_with("mrr@10 fell")) << words_of(answer);
    return words_of(answer);
  };
  EXPECT_EQ(words_of_hours(100, 0.05, 0.02),
            "mrr@10 against the window before: 5 lists with something relevant, then 2: too few to say.");
  EXPECT_EQ(words_of_hours(100, 0.01, 0),
            "mrr@10 against the window before: 1 list with something relevant, then 0: too few to say.");
  EXPECT_TRUE(holds(words_of_hours(100, 0.9, 0.19), "then 19: too few")) << "the smaller side counts";
  EXPECT_TRUE(words_of_hours(100, 0.9, 0.2).starts_with("mrr@10 fell by 78 %"));
  const Answer values = answer_for({made_row(0, {}, 100, 0.06, 0.5), made_row(0, {{"surface", "home"}}, 50, 0.1, 0.5),
                                    made_row(0, {{"surface", "mail"}}, 50, 0.02, 0.5)},
                                   {.metric = "mrr@10", .key = "surface", .a = "home", .b = "mail"});
  EXPECT_EQ(words_of(values),
            "mrr@10: 5 lists with something relevant with surface=home, 1 with surface=mail: too few to say.");
}

TEST(WhyWords, of_values_without_an_interval_say_that_it_may_be_chance) {
  std::vector<Row> rows = two_hours(0.5, 0.25);
  for (Row& row : rows) row.metrics.front().ci.reset();
  EXPECT_TRUE(holds(words_of(answer_for(rows, {.metric = "mrr@10"})), "which may be chance"));
}

TEST(WhyWords, of_a_cause_begin_with_it) {
  Answer answer = answer_for(two_hours(0.5, 0.25), {.metric = "mrr@10"});
  answer.attribution.cause =
      Cause{.kind = CauseKind::segment, .key = "surface", .value = "mail", .factor = Factor::relevant_share, .part = -0.0625};
  EXPECT_EQ(words_of(answer),
            "mrr@10 fell by 25 % against the window before: it is surface=mail (−25 % of the value before): fewer of its "
            "lists have something "
            "relevant (−50 %), and those that have it are as good.");
  answer.attribution.cause = Cause{.kind = CauseKind::everywhere, .key = "surface", .part = -0.0625};
  EXPECT_TRUE(words_of(answer).ends_with("and those that have it are as good; everywhere alike.")) << words_of(answer);
}

TEST(WhyWords, of_two_values_compare_them) {
  const std::string words =
      words_of(answer_for(made_hour(0, 0.5, 0.25), {.metric = "mrr@10", .key = "surface", .a = "home", .b = "mail"}));
  EXPECT_TRUE(holds(words, "mrr@10 is 50 % lower with surface=mail than with surface=home")) << words;
}

TEST(WhyText, of_rows_says_what_is_not_known) {
  const std::string text = text_of(answer_for(two_hours(0.5, 0.25), {.metric = "mrr@10"}), 0);
  EXPECT_TRUE(text.starts_with("mrr@10 fell by 25 %")) << text;
  EXPECT_TRUE(holds(text, "no sums by user group")) << text;
  EXPECT_TRUE(holds(text, "after − before  −0.0625")) << text;
  EXPECT_TRUE(holds(text, "  lists before  after  value before")) << text;
}

TEST(WhyText, sums_what_top_hides) {
  std::vector<Row> rows;
  for (int hour = 0; hour < 2; ++hour) {
    rows.push_back(made_row(hour, {}, 30, 0.5 - 0.2 * hour, 0.5));
    for (const auto& [page, less] : {std::pair("a", 0.1), std::pair("b", 0.3), std::pair("c", 0.2)}) {
      rows.push_back(made_row(hour, {{"page", page}}, 10, 0.5 - less * hour, 0.5));
    }
  }
  const Answer answer = answer_for(rows, {.metric = "mrr@10"}, 1);
  const Shown shown = shown_of(answer.attribution.by[0], answer.top);
  ASSERT_EQ(shown.parts.size(), 1u);
  EXPECT_EQ(shown.parts[0].value, "b");
  EXPECT_EQ(shown.hidden, 2u);
  EXPECT_EQ(shown.within + shown.mix + shown.parts[0].within.amount + shown.parts[0].mix.amount,
            answer.attribution.difference.amount);
  EXPECT_TRUE(holds(text_of(answer, 0), "2 more (--top 0)"));
  EXPECT_TRUE(holds(json_of(answer), "\"values\": 2"));
}

// Numbers of the worked example of precision@2 by item group: docs/semantics.md, [S16.5].
TEST(WhyJson, has_item_groups_that_add_up_to_the_difference) {
  std::vector<Row> rows;
  for (int hour = 0; hour < 2; ++hour) {
    Row row = made_row(hour, {}, hour == 0 ? 200 : 210, 0, 0);
    MetricValue& metric = row.metrics.front();
    metric.key = "precision@2";
    metric.value = hour == 0 ? 40.0 / 400 : 36.0 / 420;
    ShownCounts shown;
    if (hour == 0) shown.groups = {{.shown = 200, .hits = 30}, {.shown = 0, .hits = 0}, {.shown = 180, .hits = 10}};
    if (hour == 1) shown.groups = {{.shown = 150, .hits = 20}, {.shown = 0, .hits = 0}, {.shown = 260, .hits = 16}};
    shown.groups_id = 7;
    metric.shown = std::make_shared<ShownCounts>(shown);
    rows.push_back(row);
  }
  const Request request{.metric = "precision@2"};
  KeptMeans means(request.metric, keep_rule_of(request));
  for (const Row& row : rows) means.add(row);
  MetricRule rule{.cutoff = 2, .item_group = "genre", .item_groups = {"A", "Z", "B"}, .item_groups_id = 7};
  const auto change = change_of(means, request);
  ASSERT_TRUE(change);
  const Answer answer = answer_of(request, *change, rule, 1);
  ASSERT_TRUE(answer.item_groups);
  EXPECT_EQ(answer.item_groups->rows.size(), 2u) << "nothing of Z was shown";
  const std::vector<double> expected{-0.007142857142857, 0.003198005698006, -0.006447521242130, -0.006421613497993,
                                     0.002528271899260};
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(answer.item_groups->parts.at(i), expected[i], 1e-12);
    sum += answer.item_groups->parts[i];
  }
  EXPECT_EQ(sum, answer.attribution.difference.amount);
  const std::string json = json_of(answer, 0);
  EXPECT_TRUE(holds(json, R"("item_groups":{"key":"genre","parts":[{"value":"A","shown":[200,150],"hits":[30,20],)")) << json;
  EXPECT_TRUE(holds(json, R"("rest":{"values":1,)")) << json;
  EXPECT_TRUE(holds(text_of(answer, 0), "items by genre")) << text_of(answer, 0);
  rule.item_groups_id = 8;
  EXPECT_FALSE(answer_of(request, *change, rule, 1).item_groups) << "of other groups";
}

TEST(WhyJson, has_its_members_in_order) {
  const std::string json = json_of(answer_for(two_hours(0.5, 0.25), {.metric = "mrr@10"}));
  std::size_t at = 0;
  for (const char* member :
       {"\"schema\": \"recmeter.why/1\"", "\"metric\"", "\"words\"", "\"may_be_chance\"", "\"a\"", "\"b\"",
        "\"difference\": -0.0625", "\"ci\": null", "\"by\"", "\"within_ci\": null", "\"rest\": null", "\"cause\": null",
        "\"factors\"", "\"ranks\": null", "\"item_groups\": null"}) {
    at = json.find(member, at);
    ASSERT_NE(at, std::string::npos) << member << "\n" << json;
  }
}

}  // namespace
}  // namespace recmeter::why
