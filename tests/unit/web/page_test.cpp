#include "recmeter/web/page.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace recmeter::web {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(Page, has_charts_or_says_that_it_has_none) {
  for (const std::string_view part : {page(), page_csp(), report_head(), report_tail()}) {
    EXPECT_EQ(!part.empty(), has_charts());
  }
}

TEST(Page, is_one_document_with_a_policy_for_its_own_style_and_script) {
  if (!has_charts()) GTEST_SKIP() << "built without npm";
  EXPECT_TRUE(page().starts_with("<!doctype html>"));
  EXPECT_TRUE(page().ends_with("</html>\n"));
  EXPECT_TRUE(page_csp().starts_with("default-src 'none'; script-src 'sha256-"));
  EXPECT_FALSE(has(page_csp(), "unsafe"));
  EXPECT_FALSE(has(page_csp(), "\n"));
}

TEST(Page, report_holds_its_lines_in_an_element_of_their_own) {
  if (!has_charts()) GTEST_SKIP() << "built without npm";
  EXPECT_TRUE(report_head().starts_with("<!doctype html>"));
  EXPECT_TRUE(report_head().ends_with("<script type=\"application/json\" id=\"rows\">\n"));
  EXPECT_TRUE(report_tail().starts_with("</script>"));
  EXPECT_TRUE(report_tail().ends_with("</html>\n"));
}

TEST(Page, lines_of_a_report_cannot_end_their_element) {
  std::string out = "before ";
  append_report_lines(out, R"({"segment":{"v":"</script><!--<script>"}})");
  EXPECT_EQ(out, R"(before {"segment":{"v":"\u003c/script>\u003c!--\u003cscript>"}})");
  append_report_lines(out, "");
  append_report_lines(out, "\n<");
  EXPECT_TRUE(out.ends_with("}}\n\\u003c"));
}

TEST(Page, plain_tables_have_a_place_and_no_script) {
  const std::string whole = std::string(plain_head()) + "<table></table>" + std::string(plain_tail());
  EXPECT_TRUE(whole.starts_with("<!doctype html>"));
  EXPECT_TRUE(whole.ends_with("</html>\n"));
  EXPECT_FALSE(has(whole, "<script"));
  EXPECT_TRUE(has(plain_csp(), "default-src 'none'"));
}

}  // namespace
}  // namespace recmeter::web
