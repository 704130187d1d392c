// Rows to several places at once, and to standard output.
#include <algorithm>
#include <iterator>
#include <sstream>

#include "app/attach/publishers.h"
#include "contract/row_publisher_contract.h"
#include "recmeter/file/row_file.h"
#include "unit/file/scratch.h"

namespace recmeter::contract {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class SeveralPlaces : public RowPlace {
 public:
  std::unique_ptr<RowPublisher> open() override {
    auto publishers = std::make_unique<Publishers>();
    publishers->add("one", file::row_file(scratch_.path("one.jsonl")));
    publishers->add("other", file::row_file(scratch_.path("other.jsonl"), {.provisional = true}));
    return publishers;
  }
  std::vector<std::string> received() override {
    const std::vector<std::string> one = lines_of(scratch_.get("one.jsonl"));
    std::vector<std::string> other = lines_of(scratch_.get("other.jsonl"));
    std::erase_if(other, [](const std::string& line) { return line.find("provisional") != std::string::npos; });
    EXPECT_EQ(one, other) << "all places get the same final rows";
    return one;
  }

 private:
  test::Scratch scratch_;
};

class StandardOutputPlace : public RowPlace {
 public:
  StandardOutputPlace() { testing::internal::CaptureStdout(); }
  ~StandardOutputPlace() override {
    if (!is_read_) testing::internal::GetCapturedStdout();
  }
  std::unique_ptr<RowPublisher> open() override { return rows_on_standard_output(); }
  std::vector<std::string> received() override {
    is_read_ = true;
    return lines_of(testing::internal::GetCapturedStdout());
  }

 private:
  bool is_read_ = false;
};

TEST(Publishers, give_each_place_the_rows_of_its_kind) {
  test::Scratch scratch;
  Publishers publishers;
  publishers.add("rows", file::row_file(scratch.path("rows.jsonl")));
  publishers.add("looks", file::row_file(scratch.path("looks.jsonl")), RowKind::experiment);
  ASSERT_TRUE(publishers.go_on_from(""));
  EXPECT_TRUE(publishers.wants_experiments());
  const auto publish = [&](std::uint64_t number, RowKind kind) {
    ASSERT_TRUE(
        publishers.publish({.number = number, .kind = kind, .key = "", .value = std::to_string(number), .final_at = {}}));
  };
  publish(0, RowKind::window);
  publish(1, RowKind::experiment);
  publish(2, RowKind::experiment);
  EXPECT_EQ(publishers.published(), 3U) << "a place that a row is not for does not hold it up";
  publish(3, RowKind::window);
  EXPECT_EQ(publishers.published(), 4U);
  EXPECT_EQ(scratch.get("rows.jsonl"), "0\n3\n");
  EXPECT_EQ(scratch.get("looks.jsonl"), "1\n2\n");
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RowPublisherContract,
    ::testing::Values(RowPublisherCase{"several_places", [] { return std::make_unique<SeveralPlaces>(); }},
                      RowPublisherCase{"standard_output", [] { return std::make_unique<StandardOutputPlace>(); }}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::contract
