// WhyLines: why each mean over lists of a file of rows changed last, as `recmeter why` says it, a line of JSON each. Memory:
// the rows of a day. Thread safety: none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/why/kept_means.h"
#include "recmeter/result/row.h"

namespace recmeter {

class WhyLines {
 public:
  void add(const Row& row);
  // For metrics of which two windows can be compared, and differ by more than chance may make them.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  std::map<std::string, why::KeptMeans> means_;  // by metric
};

}  // namespace recmeter
