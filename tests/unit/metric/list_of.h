// Scored lists written down in a test, and metrics asked by name.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "recmeter/metric/registry.h"

namespace recmeter::test {

struct ListOf {
  std::uint32_t length = 0;
  std::vector<Hit> hits;
  std::vector<GradeCount> missed;
  // [i]: distinct items in the first i ranks; filled by view() where every rank has one of its own.
  mutable std::vector<std::uint32_t> distinct = {};

  [[nodiscard]] ScoredList view() const {
    while (distinct.size() <= length) distinct.push_back(static_cast<std::uint32_t>(distinct.size()));
    ScoredList list;
    list.length = length;
    list.hits = hits;
    list.missed = missed;
    list.distinct = distinct;
    for (const GradeCount& count : missed) list.missed_items += count.items;
    return list;
  }
};

[[nodiscard]] inline double value(std::string_view name, const ListOf& list, std::uint32_t k,
                                  const MetricOptions& options = {}) {
  const MetricDefinition* definition = find_metric(name);
  if (definition == nullptr || definition->evaluate == nullptr) {
    ADD_FAILURE() << "no per-list metric " << name;
    return -1;
  }
  return definition->evaluate(list.view(), k, options);
}

}  // namespace recmeter::test
