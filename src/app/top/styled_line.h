// StyledLine: one line of a terminal, made of pieces with a look, cut to the columns there are.
//
// Text may be anything: it is made harmless here (app/messages.h), so nothing that passes through steers a terminal. Wide
// characters count two columns, combining ones none (Unicode 15's blocks, coarsely). Thread safety: none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter::top {

enum class Look { plain, strong, faint, alarm };

class StyledLine {
 public:
  StyledLine& add(std::string_view text, Look look = Look::plain);
  // Blanks up to this column; at least one, where something stands there already.
  StyledLine& to_column(std::size_t column);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  // At most `columns_max` columns, the last an ellipsis where something is cut off; 0: any number. Looks as ANSI sequences,
  // which leave the line plain at its end; without `color` there are none.
  [[nodiscard]] std::string render(std::size_t columns_max, bool color) const;

 private:
  std::vector<std::pair<std::string, Look>> pieces_;
  std::size_t columns_ = 0;
};

// Of harmless text.
[[nodiscard]] std::size_t columns_of(std::string_view text);
// The longest beginning that has at most so many columns.
[[nodiscard]] std::string_view beginning_of(std::string_view text, std::size_t columns);

}  // namespace recmeter::top
