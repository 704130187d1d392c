// A generated log in memory, for tests.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/generate/traffic_generator.h"

namespace recmeter::generate {

struct CollectedLog {
  struct Line {
    std::uint32_t file;
    std::string text;
    EventTime place;
  };
  std::vector<Line> lines;
  Truth truth;
};

class CollectingSink final : public RecordSink {
 public:
  explicit CollectingSink(std::vector<CollectedLog::Line>& lines) : lines_(lines) {}
  [[nodiscard]] Result<void> write(std::uint32_t file, EventTime place, std::string_view record) override {
    lines_.push_back({file, std::string(record), place});
    return {};
  }

 private:
  std::vector<CollectedLog::Line>& lines_;
};

class NullSink final : public RecordSink {
 public:
  [[nodiscard]] Result<void> write(std::uint32_t, EventTime, std::string_view) override { return {}; }
};

inline CollectedLog collect(const TrafficSpec& spec, Split split = Split::none) {
  CollectedLog log;
  const auto good = check_spec(spec);
  EXPECT_TRUE(good) << (good ? "" : good.error().context);
  CollectingSink sink(log.lines);
  TrafficGenerator generator(spec, split, sink);
  log.truth = generator.run().value();
  return log;
}

inline Truth truth_of(const TrafficSpec& spec) {
  NullSink sink;
  TrafficGenerator generator(spec, Split::none, sink);
  return generator.run().value();
}

inline TrafficSpec small_spec(std::uint64_t lists = 5000) {
  TrafficSpec spec;
  spec.lists = lists;
  spec.span = {6LL * 3'600'000};
  spec.users = 1000;
  spec.items = 1000;
  return spec;
}

}  // namespace recmeter::generate
