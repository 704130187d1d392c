// TimePattern: times as texts of a form of their own, such as 11/14/2019 9:05:58 AM.
//
// A pattern's letters: %Y year (4 digits), %y (2 digits: 1970 to 2069), %m month, %d day, %b month's English name of three
// letters in any case, %H hour, %I hour of 12, %p AM or PM, %M minute, %S second, %f fraction of a second, %z offset, %% a
// percent sign, %a a weekday's English name of three letters in any case, which is not compared with the date; all else
// stands for itself. Numbers but %Y may have one digit or two. Thread safety: immutable after construction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recmeter/event/event_time_text.h"

namespace recmeter {

class TimePattern {
 public:
  explicit TimePattern(std::string pattern) : pattern_(std::move(pattern)) {}

  // Nothing when `text` is not of the form.
  [[nodiscard]] std::optional<CivilTime> parse(std::string_view text) const;

 private:
  std::string pattern_;
};

}  // namespace recmeter
