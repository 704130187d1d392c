// What attach says, which runs on for months.
#include <regex>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

class AttachMessages : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("live.yaml", "inputs: [{file: good.jsonl}]\n");
  }
};

// Those of its configuration are the same in every command.
TEST_F(AttachMessages, begin_with_the_time) {
  const Ended ended = run("attach -c live.yaml");
  EXPECT_EQ(ended.code, 2);
  EXPECT_TRUE(std::regex_search(ended.err, std::regex(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z recmeter: )"))) << ended.err;
}

TEST_F(AttachMessages, have_it_once_as_json) {
  const Ended ended = run("attach -c live.yaml --json");
  const auto message = support::parsed_json(ended.err);
  EXPECT_EQ(message.value("code", ""), "config_invalid");
  EXPECT_TRUE(message.contains("ts"));
}

}  // namespace
}  // namespace recmeter::test
