// What attach serves while it waits for a broker.
#include <csignal>

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

// The run waits for a broker meanwhile.
TEST_F(AttachServing, reads_token_and_free_keys_anew_when_it_is_hung_up_on) {
  scratch().put("token", "0123456789abcdef");
  const std::string http = "listen: \"127.0.0.1:0\", token_file: token";
  configure(http);
  Program program(call("attach -c live.yaml"));
  const std::string url = said_after(program, "dashboard: ", ";\n");
  ASSERT_NE(url, "");
  const auto status_with = [&](const std::string& token) {
    const auto answer = http::get(url + "/livez", {.token = token});
    return answer ? answer->status : 0;
  };
  ASSERT_TRUE(program.says("no broker of 127.0.0.1:1 ", 20'000)) << program.said();
  EXPECT_EQ(status_with("0123456789abcdef"), 200);
  scratch().put("token", "fedcba9876543210");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("read anew: files of rows and letters, token and certificate", 20'000)) << program.said();
  while (status_with("fedcba9876543210") != 200 && !program.says("never said", 20)) continue;
  EXPECT_EQ(status_with("0123456789abcdef"), 401);

  scratch().put("token", "short");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("the token needs 16 characters or more", 20'000)) << program.said();
  EXPECT_EQ(status_with("fedcba9876543210"), 200) << "what was there before continues";
  scratch().put("token", "fedcba9876543210");

  configure(http + ", limits: {header_bytes_max: 1KiB}");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("changed at once: publish.http.limits.header_bytes_max", 20'000)) << program.said();
  while (true) {
    const auto answer = http::get(url + "/livez?" + std::string(2000, 'a'), {.token = "fedcba9876543210"});
    if (!answer || answer->status == 414 || program.says("never said", 20)) break;
  }
  EXPECT_EQ(http::get(url + "/livez?" + std::string(2000, 'a'), {.token = "fedcba9876543210"})->status, 414);

  scratch().put("live.yaml", "inputs: [{topic: log}]\nkafka: {broker: x}\n");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("the configuration is bad; the one before continues", 20'000)) << program.said();
  EXPECT_NE(program.said().find("kafka.broker"), std::string::npos);
  scratch().put("live.yaml", "inputs: [{topic: log}]\nwindows: [{name: w, size: 5m}]\nkafka: {brokers: \"127.0.0.1:1\"}\n");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("windows: which rows there are, or what they mean, changes at a restart alone", 20'000));

  scratch().put(
      "live.yaml",
      "inputs: [{topic: log}]\nkafka: {brokers: \"127.0.0.1:2\"}\nstate: {dir: other}\npublish: {http: {" + http + "}}\n");
  program.send(SIGHUP);
  EXPECT_TRUE(program.says("for which the run begins anew: kafka.brokers", 20'000)) << program.said();
  EXPECT_NE(program.said().find("as before until the program starts again: state.dir"), std::string::npos);
  EXPECT_TRUE(program.says("no broker of 127.0.0.1:2 ", 20'000)) << program.said();
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 0);
}

}  // namespace
}  // namespace recmeter::test
