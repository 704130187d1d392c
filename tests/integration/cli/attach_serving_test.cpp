// What attach serves while it waits for a broker.
#include "integration/cli/workplace.h"
#include "recmeter/http/get.h"

namespace recmeter::test {
namespace {

class AttachServing : public Workplace {
 protected:
  // Nothing listens at port 1.
  void configure(const std::string& http) const {
    scratch().put("live.yaml",
                  "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:1\"}\npublish: {http: {" + http + "}}\n");
  }
  static std::string said_after(Program& program, const std::string& before, std::string_view ends) {
    if (!program.says(before, 20'000)) return "";
    const std::string said = program.said();
    const std::size_t begin = said.find(before) + before.size();
    return said.substr(begin, said.find_first_of(ends, begin) - begin);
  }
  static int status_of(const std::string& url) {
    const auto answer = http::get(url, {});
    EXPECT_TRUE(answer) << (answer ? "" : answer.error().context);
    return answer ? answer->status : 0;
  }
};

TEST_F(AttachServing, answers_probes_on_a_port_of_their_own_without_the_token) {
  scratch().put("token", "0123456789abcdef");
  configure("listen: \"127.0.0.1:0\", token_file: token, probes: \"127.0.0.1:0\"");
  Program program(call("attach -c live.yaml"));
  const std::string probes = said_after(program, "; probes: ", "\n");
  const std::string url = said_after(program, "dashboard: ", ";\n");
  ASSERT_NE(probes, "");
  ASSERT_NE(probes, url);
  EXPECT_EQ(status_of(probes + "/livez"), 200);
  EXPECT_EQ(status_of(probes + "/readyz"), 503) << "there is no broker";
  EXPECT_EQ(status_of(probes + "/metrics"), 404);
  EXPECT_EQ(status_of(probes + "/api/v1/status"), 404);
  EXPECT_EQ(status_of(probes + "/"), 404);
  EXPECT_EQ(status_of(url + "/livez"), 401);
  program.send(SIGTERM);
  program.wait();
}

TEST_F(AttachServing, takes_limits_from_its_configuration) {
  configure("listen: \"127.0.0.1:0\", limits: {header_bytes_max: 1KiB}");
  Program program(call("attach -c live.yaml"));
  const std::string url = said_after(program, "dashboard: ", "\n");
  ASSERT_NE(url, "");
  EXPECT_EQ(status_of(url + "/livez"), 200);
  EXPECT_EQ(status_of(url + "/livez?" + std::string(2000, 'a')), 414);
  program.send(SIGTERM);
  program.wait();
}

TEST_F(AttachServing, does_not_begin_where_probes_cannot_be_answered) {
  configure("listen: \"127.0.0.1:0\", probes: \"192.0.2.1:1\"");  // of no machine
  const Ended ended = run("attach -c live.yaml");
  EXPECT_EQ(ended.code, 1);
  expect_says(ended, {"192.0.2.1:1 cannot be listened on"});
}

}  // namespace
}  // namespace recmeter::test
