// RotatedNames: what files of rows are called when their period is over, and which of them are there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter::file {

class RotatedNames {
 public:
  // Of windows.jsonl: windows.LABEL.jsonl, and with .open at the end until the state knows of it.
  explicit RotatedNames(const std::string& path);

  [[nodiscard]] std::string closed(std::string_view label) const;
  [[nodiscard]] std::string open(std::string_view label) const { return closed(label) + ".open"; }
  // Labels of the files that are there under such names with .open; sorted, which is in the order of time.
  [[nodiscard]] std::vector<std::string> open_labels() const;
  // That names have changed survives the machine.
  void sync() const;

 private:
  std::string directory_;
  std::string first_;  // windows.
  std::string last_;   // .jsonl
};

// Of the period that begins there: 2023-11-14, and the time of day where periods are no whole days.
[[nodiscard]] std::string period_label(EventTime start, Duration length);

}  // namespace recmeter::file
