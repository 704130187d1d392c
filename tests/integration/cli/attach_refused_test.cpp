// What attach leaves behind where its configuration is refused.
#include <filesystem>

#include "integration/cli/workplace.h"

namespace recmeter::test {
namespace {

namespace fs = std::filesystem;

class AttachRefused : public Workplace {
 protected:
  // Nothing listens at port 1.
  void configure(const std::string& http) const {
    scratch().put("live.yaml",
                  "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\npublish: {http: {" + http + "}}\n");
  }
};

TEST_F(AttachRefused, leaves_no_state_where_its_configuration_is_refused) {
  configure("listen: \"127.0.0.1:0\", token_file: none");
  const auto before = everything();
  const Ended ended = run("attach -c live.yaml");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended, {"the token file none cannot be read"});
  EXPECT_EQ(everything(), before);
}

TEST_F(AttachRefused, has_no_window_over_topics_without_end) {
  const std::string inputs =
      "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\npublish: {http: {listen: \"127.0.0.1:0\"}}\n";
  scratch().put("live.yaml", inputs + "windows: [{name: all, size: all}]\n");
  const Ended ended = run("attach -c live.yaml");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended, {"`size: all`", "topics have no end", "{name: hour, size: 1h}"});
  scratch().put("live.yaml", inputs + "windows: [{name: all, size: all}, {name: hour, size: 1h}]\n");
  Program program(call("attach -c live.yaml"));
  EXPECT_TRUE(program.says("windows: the one with `size: all` is left out", 20'000));
  program.send(SIGTERM);
  program.wait();
}

TEST_F(AttachRefused, leaves_a_directory_that_was_there_empty) {
  configure("listen: \"127.0.0.1:0\", token_file: none");
  fs::create_directory(scratch().path("state"));
  EXPECT_EQ(run("attach -c live.yaml").code, 2);
  EXPECT_TRUE(fs::is_empty(scratch().path("state")));
}

TEST_F(AttachRefused, leaves_a_state_that_was_there) {
  configure("listen: \"127.0.0.1:0\"");
  Program program(call("attach -c live.yaml"));
  ASSERT_TRUE(program.says("no broker of 127.0.0.1:1 ", 20'000)) << "its state is open when it looks for its broker";
  program.send(SIGTERM);
  program.wait();
  ASSERT_TRUE(fs::exists(scratch().path("state/STATE")));
  configure("listen: \"127.0.0.1:0\", token_file: none");
  EXPECT_EQ(run("attach -c live.yaml").code, 2);
  EXPECT_TRUE(fs::exists(scratch().path("state/STATE")));
  EXPECT_TRUE(fs::exists(scratch().path("state/db/CURRENT")));
}

}  // namespace
}  // namespace recmeter::test
