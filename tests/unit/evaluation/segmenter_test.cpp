#include "recmeter/evaluation/segmenter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/decoded.h"

namespace recmeter {
namespace {

const std::vector<SegmentSpec> variant{{.keys = {"variant"}, .keep = {}}};
const std::vector<SegmentSpec> both{{.keys = {"variant"}, .keep = {}}, {.keys = {"page", "variant"}, .keep = {}}};

std::vector<std::uint32_t> label(Segmenter& segmenter, std::size_t combinations, const std::string& segments,
                                 std::int64_t ms = 0) {
  const EventBatch batch = support::decoded({support::list_line(ms, "u", "L", {"a"}, R"(,"segments":)" + segments)}, {});
  std::vector<std::uint32_t> labels(combinations);
  segmenter.label(batch, batch.events().front(), labels);
  return labels;
}

SegmentValues values(const std::string& segments) {
  Segmenter segmenter(variant);
  return segmenter.values(0, label(segmenter, 1, segments)[0]);
}

TEST(Segmenter, gives_equal_values_equal_labels) {
  Segmenter segmenter(variant);
  const auto a = label(segmenter, 1, R"({"variant":"A"})");
  EXPECT_NE(label(segmenter, 1, R"({"variant":"B"})"), a);
  EXPECT_EQ(label(segmenter, 1, R"({"variant":"A","page":"x"})"), a);
}

TEST(Segmenter, shows_the_value_of_the_key) {
  EXPECT_EQ(values(R"({"page":"x","variant":"A"})"), SegmentValues{"A"});
}

TEST(Segmenter, shows_a_missing_key_as_none) {
  EXPECT_EQ(values("{}"), SegmentValues{"(none)"});
  EXPECT_EQ(values(R"({"variant":""})"), SegmentValues{"(none)"});
  EXPECT_EQ(values(R"({"variant":null})"), SegmentValues{"(none)"});
}

TEST(Segmenter, tells_a_real_none_from_a_missing_key) {
  EXPECT_EQ(values(R"x({"variant":"(none)"})x"), SegmentValues{"\\(none)"});
}

TEST(Segmenter, labels_each_combination_in_the_order_of_its_keys) {
  Segmenter segmenter(both);
  const auto labels = label(segmenter, 2, R"({"variant":"A","page":"x"})");
  EXPECT_EQ(segmenter.values(0, labels[0]), SegmentValues{"A"});
  EXPECT_EQ(segmenter.values(1, labels[1]), (SegmentValues{"x", "A"}));
}

TEST(Segmenter, does_not_mix_up_values_that_join_to_the_same_text) {
  const std::vector<SegmentSpec> two{{.keys = {"a", "b"}, .keep = {}}};
  Segmenter segmenter(two);
  EXPECT_NE(label(segmenter, 1, R"({"a":"xy","b":"z"})"), label(segmenter, 1, R"({"a":"x","b":"yz"})"));
}

TEST(Segmenter, forgets_labels_last_given_before_a_time) {
  Segmenter segmenter(variant);
  const auto a = label(segmenter, 1, R"({"variant":"A"})", 10);
  label(segmenter, 1, R"({"variant":"B"})", 20);
  EXPECT_FALSE(segmenter.forget_before(support::at(10)));
  EXPECT_TRUE(segmenter.forget_before(support::at(11)));
  EXPECT_EQ(label(segmenter, 1, R"({"variant":"C"})", 30), a) << "the place is used again";
}

}  // namespace
}  // namespace recmeter
