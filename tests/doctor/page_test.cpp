// docs/doctor.md against the table of checks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "doctor/check.h"

namespace recmeter::doctor {
namespace {

// Placeholders in italics.
std::string readable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "{{" || text.substr(i, 2) == "}}") {
      out += text[i++];
    } else {
      out += text[i] == '{' || text[i] == '}' ? '*' : text[i];
    }
  }
  return out;
}

std::string row_of(const Check& check) {
  return fmt::format("| `{}` | {} | {} | {} | {}{}{} |", check.code, to_string(check.weight), check.threshold,
                     readable(check.says), readable(check.cause), check.cause.empty() ? "" : ". ", readable(check.remedy));
}

TEST(DoctorPage, has_every_check_as_the_table_has_it) {
  std::ifstream file(std::string(RECMETER_SOURCE_DIR) + "/docs/doctor.md");
  std::stringstream page;
  page << file.rdbuf();
  std::string expected;
  for (const Check& check : all_checks()) expected += row_of(check) + "\n";
  const std::string header = "| code | weight | threshold | says | cause and remedy |\n|---|---|---|---|---|\n";
  EXPECT_NE(page.str().find(header + expected + "\n"), std::string::npos) << "the rows should be\n" << expected;
}

TEST(DoctorPage, a_code_is_there_once_and_what_it_hides_exists) {
  std::set<std::string_view> codes;
  for (const Check& check : all_checks()) EXPECT_TRUE(codes.insert(check.code).second) << check.code;
  for (const Check& check : all_checks()) {
    std::istringstream hidden{std::string(check.hides)};
    for (std::string code; hidden >> code;) {
      EXPECT_TRUE(code == "*" || codes.contains(code)) << check.code << " hides " << code;
    }
  }
}

}  // namespace
}  // namespace recmeter::doctor
