#include "app/console/segment_text.h"

#include <gtest/gtest.h>

#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

TEST(SegmentText, is_pairs_with_commas) {
  EXPECT_EQ(parse_segment(""), SegmentPairs());
  EXPECT_EQ(parse_segment("variant:A"), (SegmentPairs{{"variant", "A"}}));
  EXPECT_EQ(parse_segment("variant:A,surface:"), (SegmentPairs{{"variant", "A"}, {"surface", ""}}));
  EXPECT_EQ(parse_segment(R"(a\:b:c\,d\\)"), (SegmentPairs{{"a:b", R"(c,d\)"}}));
}

TEST(SegmentText, is_refused_where_a_pair_is_none) {
  for (const char* text : {"variant", ":A", "variant:A,", ",variant:A", "a:b:c", "variant:A\\", ","}) {
    EXPECT_FALSE(parse_segment(text)) << text;
  }
}

TEST(SegmentText, gives_back_every_segment) {
  support::for_each_seed(200, 10'000, [](std::uint64_t seed) {
    support::Dice dice(seed);
    const auto text = [&] {
      std::string word;
      for (std::uint64_t n = dice.below(6); n > 0; --n) word += dice.pick<char>({'a', ',', ':', '\\', ' ', '\n'});
      return word;
    };
    SegmentPairs pairs;
    for (std::uint64_t n = dice.below(4); n > 0; --n) pairs.emplace_back("k" + text(), text());
    ASSERT_EQ(parse_segment(segment_text(pairs)), pairs);
  });
}

}  // namespace
}  // namespace recmeter
