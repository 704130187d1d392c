// Rows in a file, with provisional ones and without.
#include <sstream>

#include "contract/row_publisher_contract.h"
#include "recmeter/file/row_file.h"
#include "unit/file/scratch.h"

namespace recmeter::contract {
namespace {

class FilePlace : public RowPlace {
 public:
  explicit FilePlace(bool provisional) : provisional_(provisional) {}
  std::unique_ptr<RowPublisher> open() override {
    return file::row_file(scratch_.path("rows.jsonl"), {.provisional = provisional_});
  }
  std::vector<std::string> received() override {
    std::vector<std::string> lines;
    std::istringstream in(scratch_.get("rows.jsonl"));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

 private:
  bool provisional_;
  test::Scratch scratch_;
};

INSTANTIATE_TEST_SUITE_P(Rows, RowPublisherContract,
                         ::testing::Values(RowPublisherCase{"file", [] { return std::make_unique<FilePlace>(false); }},
                                           RowPublisherCase{"file_with_provisional_rows",
                                                            [] { return std::make_unique<FilePlace>(true); }}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::contract
