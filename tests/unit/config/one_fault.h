// Configurations with one mistake, of which the one fault is told with its place and a remedy.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "loading.h"

namespace recmeter::testing {

struct Mistake {
  const char* name;
  const char* yaml;
  int line;
  const char* path;
  const char* message;  // words that the message holds
};

inline void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

inline void expect_one_fault(const Mistake& mistake) {
  const auto config = load(mistake.yaml);
  ASSERT_FALSE(config.has_value());
  ASSERT_EQ(config.error().size(), 1U) << all_text(config.error());
  const ConfigFault& fault = config.error()[0];
  EXPECT_EQ(fault.line, mistake.line) << to_text(fault);
  EXPECT_EQ(fault.path, mistake.path) << to_text(fault);
  EXPECT_NE(fault.message.find(mistake.message), std::string::npos) << to_text(fault);
  EXPECT_FALSE(fault.remedy.empty());
}

}  // namespace recmeter::testing
