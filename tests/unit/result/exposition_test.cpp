#include "recmeter/result/exposition.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

using Kind = Exposition::Kind;

std::string sample_with(const std::string& label, ExpositionFormat format = ExpositionFormat::text) {
  Exposition out(format);
  out.family("x", Kind::gauge, "Of a test.");
  out.sample({{"of", label}}, std::uint64_t{1});
  const std::string text = out.take();
  return text.substr(text.find("\nx") + 1);
}

TEST(Exposition, describes_a_family_once_before_its_samples) {
  Exposition out(ExpositionFormat::text);
  out.family("lists", Kind::gauge, "Lists in the window.");
  out.sample({{"k", "1"}}, std::uint64_t{2});
  out.sample({}, 0.5);
  EXPECT_EQ(out.take(), "# HELP lists Lists in the window.\n# TYPE lists gauge\nlists{k=\"1\"} 2\nlists 0.5\n");
}

TEST(Exposition, names_a_counter_as_each_format_wants_it) {
  for (const auto& [format, described] :
       {std::pair(ExpositionFormat::text, "rows_total"), std::pair(ExpositionFormat::open_metrics, "rows")}) {
    Exposition out(format);
    out.family("rows", Kind::counter, "Rows.");
    out.sample({}, std::uint64_t{3});
    const std::string text = out.take();
    EXPECT_TRUE(text.starts_with("# HELP " + std::string(described) + " Rows.\n# TYPE " + described + " counter\n")) << text;
    EXPECT_NE(text.find("\nrows_total 3\n"), std::string::npos) << text;
  }
}

TEST(Exposition, ends_open_metrics_with_its_mark) {
  EXPECT_EQ(Exposition(ExpositionFormat::open_metrics).take(), "# EOF\n");
  EXPECT_EQ(Exposition(ExpositionFormat::text).take(), "");
}

TEST(Exposition, escapes_what_would_end_a_label) {
  EXPECT_EQ(sample_with("a\"b\\c\nd"), "x{of=\"a\\\"b\\\\c\\nd\"} 1\n");
}

TEST(Exposition, leaves_other_characters_as_they_are) {
  EXPECT_EQ(sample_with("\t{}=,\xC3\xA9\xF0\x9F\x98\x80"), "x{of=\"\t{}=,\xC3\xA9\xF0\x9F\x98\x80\"} 1\n");
}

TEST(Exposition, replaces_what_is_no_utf8_byte_by_byte) {
  EXPECT_EQ(sample_with("a\xFF\xC3"), "x{of=\"a\xEF\xBF\xBD\xEF\xBF\xBD\"} 1\n");
}

TEST(Exposition, replaces_nul_which_ends_the_text_for_a_scraper) {
  EXPECT_EQ(sample_with(std::string("a\0b", 3)),
            "x{of=\"a\xEF\xBF\xBD"
            "b\"} 1\n");
}

TEST(Exposition, escapes_once_beside_a_replacement_character) {
  EXPECT_EQ(sample_with("\xEF\xBF\xBD\"\\"), "x{of=\"\xEF\xBF\xBD\\\"\\\\\"} 1\n");
  EXPECT_EQ(sample_with("\xFF\"\n"), "x{of=\"\xEF\xBF\xBD\\\"\\n\"} 1\n");
}

TEST(Exposition, writes_a_name_with_nothing_but_word_characters) {
  EXPECT_EQ(exposition_name("ndcg_list@10/user-\xC3\xA9"), "ndcg_list_10_user___");
}

TEST(Exposition, writes_a_histogram_with_cumulative_buckets) {
  DurationHistogram took;
  took.add(Duration{1});
  took.add(Duration{2});
  took.add(Duration{90'000'000});  // beyond the last bucket
  for (const auto format : {ExpositionFormat::text, ExpositionFormat::open_metrics}) {
    Exposition out(format);
    out.histogram("wait_seconds", "How long.", took);
    const std::string text = out.take();
    EXPECT_TRUE(
        text.starts_with("# HELP wait_seconds How long.\n# TYPE wait_seconds histogram\n"
                         "wait_seconds_bucket{le=\"0.001\"} 1\nwait_seconds_bucket{le=\"0.005\"} 2\n"))
        << text;
    EXPECT_NE(text.find("wait_seconds_bucket{le=\"86400\"} 2\nwait_seconds_bucket{le=\"+Inf\"} 3\n"
                        "wait_seconds_sum 90000.003\nwait_seconds_count 3\n"),
              std::string::npos)
        << text;
  }
}

TEST(DurationHistogram, counts_each_duration_in_the_first_bucket_that_holds_it) {
  DurationHistogram took;
  for (const std::int64_t ms : {-5, 0, 1, 2, 86'400'000}) took.add(Duration{ms});
  EXPECT_EQ(took.count(0), 3U) << "below 0 is 0: clocks differ";
  EXPECT_EQ(took.count(1), 1U);
  EXPECT_EQ(took.count(DurationHistogram::ends_ms.size() - 1), 1U);
  EXPECT_EQ(took.count(), 5U);
  EXPECT_EQ(took.sum().ms, 86'400'003);
}

}  // namespace
}  // namespace recmeter
