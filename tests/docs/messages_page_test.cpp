// docs/messages.md against the code: every code of a message, with its exit code.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "app/console/exit_code.h"
#include "docs/page.h"
#include "recmeter/base/notice.h"

namespace recmeter::docs {
namespace {

TEST(DocsMessages, has_every_notice) {
  std::set<std::string> told;
  for (const auto& row : Page("docs/messages.md").table_rows("Notices")) told.insert(code_spans(row.front()).front());
  EXPECT_EQ(told, (std::set<std::string>(notice_names.begin(), notice_names.end())));
}

TEST(DocsMessages, has_every_error_with_its_exit_code) {
  std::set<std::string> told;
  for (const auto& row : Page("docs/messages.md").table_rows("Errors")) {
    told.insert(code_spans(row.front()).front() + " " + row.back());
  }
  std::set<std::string> meant;
  for (int code = 0; code <= static_cast<int>(Errc::interrupted); ++code) {
    const auto errc = static_cast<Errc>(code);
    meant.insert(std::string(to_string(errc)) + " " + std::to_string(static_cast<int>(exit_code_of(errc))));
  }
  EXPECT_EQ(told, meant);
}

}  // namespace
}  // namespace recmeter::docs
