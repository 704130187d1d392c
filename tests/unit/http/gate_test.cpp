#include "http/gate.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/file/scratch.h"

namespace recmeter::http {
namespace {

const std::string token = "0123456789abcdef";

RequestHead get(std::string host = "localhost:8080") {
  RequestHead head;
  head.method = "GET";
  head.host = std::move(host);
  return head;
}

int status(const Gate& gate, const RequestHead& head) {
  const auto refusal = gate.refusal(head);
  return refusal ? refusal->status : 200;
}

int status_with(const Gate& gate, std::string authorization) {
  RequestHead head = get();
  head.authorization = std::move(authorization);
  return status(gate, head);
}

TEST(Gate, wants_the_token_and_nothing_else) {
  const auto gate = Gate::make({.token = token}, true);
  ASSERT_TRUE(gate);
  EXPECT_EQ(status_with(*gate, "Bearer " + token), 200);
  EXPECT_EQ(status_with(*gate, "bearer " + token), 200);
  EXPECT_EQ(status_with(*gate, "Basic eDowMTIzNDU2Nzg5YWJjZGVm"), 200);  // x:0123456789abcdef
  for (const std::string wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
                                  "Bearer  0123456789abcdef", "0123456789abcdef", "Digest 0123456789abcdef",
                                  "Basic MDEyMzQ1Njc4OWFiY2RlZg==", "Basic ????", "Basic =", "Basic ====", "Basic eDow"}) {
    EXPECT_EQ(status_with(*gate, wrong), 401) << wrong;
  }
}

TEST(Gate, says_how_to_bring_a_token_and_never_which) {
  const auto gate = Gate::make({.token = token}, true);
  const auto refusal = gate->refusal(get());
  ASSERT_TRUE(refusal);
  std::string text = *refusal->body;
  std::size_t challenges = 0;
  for (const auto& [name, value] : refusal->headers) {
    if (name == "WWW-Authenticate") ++challenges;
    text += name + value;
  }
  EXPECT_EQ(challenges, 2U);
  EXPECT_EQ(text.find(token), std::string::npos);
}

TEST(Gate, reads_the_token_of_a_file) {
  const test::Scratch scratch;
  const auto gate = Gate::make({.token_file = scratch.put("token", token + "\r\n")}, true);
  ASSERT_TRUE(gate);
  EXPECT_TRUE(gate->has_token());
  EXPECT_EQ(status_with(*gate, "Bearer " + token), 200);
}

TEST(Gate, refuses_a_token_that_protects_nothing) {
  const test::Scratch scratch;
  const std::vector<ServerOptions> wrong{{.token = "short"},
                                         {.token = "has a blank in it, and more"},
                                         {.token = token, .token_file = scratch.put("token", token)},
                                         {.token_file = scratch.path("absent")},
                                         {.token_file = scratch.directory()},
                                         {.token_file = scratch.put("empty", "\n")},
                                         {.token_file = scratch.put("two", token + "\n" + token + "\n")}};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const auto gate = Gate::make(wrong[i], true);
    ASSERT_FALSE(gate) << i;
    EXPECT_EQ(gate.error().code, Errc::config_invalid) << i;
    EXPECT_EQ(gate.error().context.find(token), std::string::npos) << gate.error().context;
  }
}

TEST(Gate, on_loopback_answers_to_its_own_names_only) {
  const auto gate = Gate::make({.hosts = {"monitor.example"}}, true);
  ASSERT_TRUE(gate);
  for (const std::string own :
       {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]:8080", "10.1.2.3", "monitor.example:443"}) {
    EXPECT_EQ(status(*gate, get(own)), 200) << own;
  }
  for (const std::string foreign :
       {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example"}) {
    EXPECT_EQ(status(*gate, get(foreign)), 421) << foreign;
  }
  EXPECT_EQ(status(*Gate::make({}, false), get("any.example")), 200);
  RequestHead with_token = get("any.example");
  with_token.authorization = "Bearer " + token;
  EXPECT_EQ(status(*Gate::make({.token = token}, true), with_token), 200);
}

TEST(Gate, names_the_key_that_lets_a_name_in) {
  const auto refusal = Gate::make({}, true)->refusal(get("metrics.example"));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 421);
  EXPECT_NE(refusal->body->find("publish.http.hosts"), std::string::npos) << *refusal->body;
  EXPECT_EQ(status(*Gate::make({.hosts = {"Metrics.example"}}, true), get("metrics.example:8080")), 200);
}

TEST(Gate, lets_only_get_and_head_in) {
  const auto gate = Gate::make({}, true);
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"}) {
    RequestHead head = get();
    head.method = method;
    const auto refusal = gate->refusal(head);
    ASSERT_TRUE(refusal) << method;
    EXPECT_EQ(refusal->status, 405);
    ASSERT_EQ(refusal->headers.size(), 1U);
    EXPECT_EQ(refusal->headers[0], (std::pair<std::string, std::string>("Allow", "GET, HEAD")));
  }
  RequestHead head = get();
  head.method = "HEAD";
  EXPECT_EQ(status(*gate, head), 200);
}

TEST(Gate, lets_in_bodies_it_can_skip) {
  ServerOptions options;
  options.limits.body_bytes_max = 10;
  const auto gate = Gate::make(options, true);
  RequestHead head = get();
  head.content_length = 10;
  EXPECT_EQ(status(*gate, head), 200);
  head.content_length = 11;
  EXPECT_EQ(status(*gate, head), 413);
  head = get();
  head.is_chunked = true;
  EXPECT_EQ(status(*gate, head), 411);
  head = get();
  head.has_expectation = true;
  EXPECT_EQ(status(*gate, head), 417);
}

}  // namespace
}  // namespace recmeter::http
