// A Markdown page of this repository, as tests of the documentation look at it: headings, tables, fenced blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter::docs {

class Page {
 public:
  // `path`: from the root of the checkout. Fails the running test when the page cannot be read.
  explicit Page(const std::string& path);

  // Texts of headings, without the #.
  [[nodiscard]] std::vector<std::string> headings() const;
  // Cells of the table rows below the heading `section`, up to the next heading; without header and rule.
  [[nodiscard]] std::vector<std::vector<std::string>> table_rows(std::string_view section) const;
  [[nodiscard]] bool has_line(std::string_view line) const;
  // Bodies of the blocks fenced as ```language.
  [[nodiscard]] std::vector<std::string> blocks(std::string_view language) const;

 private:
  std::vector<std::string> lines_;
};

// What stands in backquotes in a cell, in order.
[[nodiscard]] std::vector<std::string> code_spans(std::string_view cell);

}  // namespace recmeter::docs
