// The answer of `recmeter why`: a change in parts, and in words. [I2.42].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/why/change.h"
#include "app/why/metric_rule.h"
#include "recmeter/attribution/attribution.h"

namespace recmeter::why {

struct Answer {
  Request request;
  Change change;
  Attribution attribution;
  std::vector<double> ranks = {};  // empty: the metric has no parts by rank, or they are not known
  // The same by item group; `parts`: all within, then all mix, then short_lists.
  struct ItemGroups {
    std::string attribute;
    std::vector<ItemGroupRows> rows = {};
    std::vector<double> parts = {};
    [[nodiscard]] double within() const;  // of all groups
    [[nodiscard]] double mix() const;
  };
  std::optional<ItemGroups> item_groups = {};
  double confidence = 0.95;
  std::size_t top = 8;  // so many values of a key are shown, those with the largest parts; 0: all
};

[[nodiscard]] Answer answer_of(const Request& request, Change change, const MetricRule& rule, std::size_t top);

// A key's parts that are shown, in the order of the rows, and the sum of those that are not.
struct Shown {
  std::vector<SegmentPart> parts;
  std::size_t hidden = 0;
  double within = 0;  // of the hidden ones
  double mix = 0;
};
[[nodiscard]] Shown shown_of(const KeyParts& key, std::size_t top);

// Item groups in the same way: places in Answer::item_groups, in order.
struct ShownGroups {
  std::vector<std::size_t> places;
  std::size_t hidden = 0;
  double within = 0;
  double mix = 0;
};
[[nodiscard]] ShownGroups shown_of(const Answer::ItemGroups& groups, std::size_t top);

// Tells whether nothing says that there is a difference: its interval holds 0; without one, those of the two values overlap
// or are not known, or few lists have something relevant. [S16.11]
[[nodiscard]] bool may_be_chance(const Answer& answer);

// "+0.0026", "−0.01", "0".
[[nodiscard]] std::string amount_text(double amount);
// A sentence or two: how much, what it is made of, and the cause or the largest part.
[[nodiscard]] std::string words_of(const Answer& answer);
// The words, then a table for each key and of factors and ranks. Lines of at most `width` columns where they can be broken;
// 0: any.
[[nodiscard]] std::string text_of(const Answer& answer, std::size_t width);
// One object with a newline: `recmeter.why/1`. `indent`: as JsonWriter's.
[[nodiscard]] std::string json_of(const Answer& answer, std::size_t indent = 2);

}  // namespace recmeter::why
