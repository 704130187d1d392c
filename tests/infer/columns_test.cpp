// Columns that a log has only in some forms: the user of a mail, flags of a table in another language.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>

#include "app/infer/proposal.h"
#include "recmeter/result/render.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

// A campaign's clicks come days later, when its recipient has had others.
TEST(JoinColumns, have_the_user_of_a_list_and_of_the_actions_that_name_it) {
  std::string log = "timestamp,event,recipient,campaign,products,product,variant\n";
  for (int n = 0; n < 400; ++n) {
    const auto line = [&](int hours, const char* event, const std::string& products, const std::string& product) {
      const EventTime at{1'772'438'400'000 + (std::int64_t{n} * 2 + hours) * 3'600'000};
      return fmt::format("{},{},r{},c{},{},{},{}\n", render_utc(at), event, n * 7 % 60, n, products, product,
                         n * 7 % 60 < 30 ? "A" : "B");
    };
    const int first = n * 13 % 90;
    log += line(0, "sent", fmt::format("p{}|p{}|p{}", first, first + 1, first + 2), "");
    if (n % 3 == 0) log += line(400, "click", "", fmt::format("p{}", first + 1));
  }
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("mail.csv", log)}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_NE(proposal->config.find("user_id: recipient "), std::string::npos) << proposal->config;
  EXPECT_EQ(proposal->config.find("key: list"), std::string::npos) << proposal->config;
  EXPECT_NE(proposal->config.find("variant is an arm: 60 of 60 users"), std::string::npos) << proposal->config;
}

// Flags as a table of another language has them.
TEST(RowFlags, are_known_in_several_languages) {
  for (const auto& [unset, set] : {std::pair{"nein", "ja"}, {"Non", "Oui"}, {"N", "Y"}, {"f", "t"}, {"no", "si"}}) {
    std::string log = "Zeitpunkt;Besucher;Anfrage;Rang;Artikel;Gruppe;Geklickt\n";
    for (int n = 0; n < 200; ++n) {
      for (int rank = 1; rank <= 5; ++rank) {
        log += fmt::format("{}.03.2026 {:02}:{:02}:00;b{};a{};{};p{};{};{}\n", 14 + n / 100, n % 24, n % 60, n % 30, n, rank,
                           (n * 3 + rank * 7) % 80, n % 30 < 15 ? "alt" : "neu", rank == 1 + n % 4 ? set : unset);
      }
    }
    const Scratch scratch;
    const auto proposal = infer_configuration({scratch.put("log.csv", log)}, now, never);
    ASSERT_TRUE(proposal) << proposal.error().context;
    EXPECT_EQ(proposal->report.lists, 200U) << set << "\n" << proposal->config;
    EXPECT_EQ(proposal->report.feedback.credited, 200U) << set;
    EXPECT_NE(proposal->config.find("control: alt}"), std::string::npos) << proposal->config;
  }
}

// A table of rows with two flags: of a click, and of one click in three.
std::string rows_with(const std::string& one, const std::string& other) {
  std::string log = "time,user,request,rank,sku," + one + "," + other + "\n";
  for (int n = 0; n < 200; ++n) {
    for (int rank = 1; rank <= 5; ++rank) {
      const bool is_set = rank == 1 + n % 4;
      log += fmt::format("{},b{},a{},{},p{},{},{}\n", 1'772'438'400'000 + 60'000 * n, n % 30, n, rank,
                         (n * 3 + rank * 7) % 80, is_set && n % 3 == 0 ? 1 : 0, is_set ? 1 : 0);
    }
  }
  return log;
}

TEST(RowFlags, are_each_an_action_where_their_names_say_so) {
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log.csv", rows_with("Gekauft", "Geklickt"))}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  EXPECT_TRUE(proposal->doubts.empty());
  EXPECT_EQ(proposal->report.feedback.credited, 267U) << proposal->config;
}

// The first of two is as good as the second.
TEST(RowFlags, are_asked_about_where_no_name_says_which_is_the_click) {
  const Scratch scratch;
  const auto proposal = infer_configuration({scratch.put("log.csv", rows_with("f1", "f2"))}, now, never);
  ASSERT_TRUE(proposal) << proposal.error().context;
  ASSERT_EQ(proposal->doubts.size(), 1U) << proposal->config;
  EXPECT_EQ(proposal->doubts.front().sentence, "were items clicked where f1 is set, or where f2 is?");
}

// Answers with the documents that were cited, and a file of thumbs on them, which name an answer by `id` and its number.
Proposal of_answers_and_thumbs(const Scratch& scratch, const std::string& id) {
  std::string answers, thumbs;
  for (int n = 0; n < 200; ++n) {
    answers +=
        fmt::format(R"({{"time":{},"answer_id":"a{}","user_id":"u{}","retrieved":["d{}","d{}","d{}"],"cited":["d{}"]}})"
                    "\n",
                    1'772'438'400'000 + 60'000 * n, n, n % 30, n % 50, n % 50 + 50, n % 50 + 100, n % 50 + 50 * (n % 3));
    if (n % 4 == 0) {
      thumbs += fmt::format(R"({{"time":{},"answer_id":"{}{}","user_id":"u{}","feedback":"thumbs_{}"}})"
                            "\n",
                            1'772'438'420'000 + 60'000 * n, id, n, n % 30, n % 8 == 0 ? "up" : "down");
    }
  }
  auto proposal = infer_configuration({scratch.put("thumbs", thumbs), scratch.put("answers", answers)}, now, never);
  EXPECT_TRUE(proposal) << proposal.error().context;
  EXPECT_EQ(proposal->report.lists, 200U) << proposal->config;
  EXPECT_EQ(proposal->report.events.invalid, 0U) << proposal->config;
  return std::move(*proposal);
}

TEST(OtherFiles, are_of_actions_on_whole_lists_where_they_name_these) {
  const Scratch scratch;
  const Proposal proposal = of_answers_and_thumbs(scratch, "a");
  EXPECT_TRUE(proposal.doubts.empty()) << proposal.doubts.front().sentence << "\n" << proposal.config;
  EXPECT_NE(proposal.config.find("actions: {cite: {gain: 1}, thumbs_down: {on: list}, like: {on: list}}"), std::string::npos)
      << proposal.config;
  EXPECT_EQ(proposal.report.events.feedback, 250U);
}

TEST(OtherFiles, are_named_where_nothing_in_them_is_of_the_lists) {
  const Scratch scratch;
  const Proposal proposal = of_answers_and_thumbs(scratch, "other");
  EXPECT_EQ(proposal.report.feedback.credited, 200U);
  ASSERT_EQ(proposal.doubts.size(), 1U);
  EXPECT_EQ(proposal.doubts.front().about, "the files");
}

}  // namespace
}  // namespace recmeter::test
