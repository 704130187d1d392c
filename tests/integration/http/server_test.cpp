// What a client of a Server sees, on real sockets.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "integration/http/caller.h"
#include "integration/http/scripted_handler.h"
#include "recmeter/http/server.h"

namespace recmeter::http {
namespace {

using test::Answer;
using test::Caller;
using test::eventually;

class ServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    options.listen = "127.0.0.1:0";
    auto started = Server::start(std::move(options), handler);
    ASSERT_TRUE(started) << started.error().context;
    server = std::move(*started);
  }
  [[nodiscard]] Caller caller() const { return Caller(server->port()); }

  test::ScriptedHandler handler;
  std::unique_ptr<Server> server;
};

TEST_F(ServerTest, answers_what_the_handler_says) {
  start();
  Caller client = caller();
  client.get("/text?a=1&b=%C3%A9+x", "Accept: text/plain\r\nLast-Event-ID: 7\r\n");
  const Answer answer = client.answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.fields.at("content-type"), "text/plain");
  EXPECT_EQ(answer.fields.at("content-length"), "5");
  const Request request = handler.last_request();
  EXPECT_EQ(request.path, "/text");
  EXPECT_EQ(request.query.first("b"), "\xc3\xa9 x");
  EXPECT_EQ(request.accept, "text/plain");
  EXPECT_EQ(request.last_event_id, "7");
}

TEST_F(ServerTest, keeps_a_connection_for_further_requests) {
  start();
  Caller client = caller();
  for (int i = 0; i < 5; ++i) {
    client.get("/text");
    const Answer answer = client.answer();
    EXPECT_EQ(answer.body, "hello");
    EXPECT_EQ(answer.fields.at("connection"), "keep-alive");
  }
  EXPECT_EQ(server->counts().connections, 1U);
  EXPECT_EQ(server->counts().responses[2], 5U);
}

TEST_F(ServerTest, answers_pipelined_requests_in_their_order) {
  start();
  Caller client = caller();
  std::string requests;
  constexpr int count = 300;
  for (int i = 0; i < count; ++i) requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(requests);
  for (int i = 0; i < count; ++i) {
    const Answer answer = client.answer();
    ASSERT_EQ(answer.status, 404);
    EXPECT_NE(answer.body.find("There is no /" + std::to_string(i) + "\""), std::string::npos) << answer.body;
  }
}

TEST_F(ServerTest, reads_requests_that_come_in_pieces) {
  start();
  Caller client = caller();
  for (const char byte : std::string("\r\nGET /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")) {
    client.send(std::string(1, byte));
  }
  EXPECT_EQ(client.answer().body, "hello");
  client.get("/text");
  EXPECT_EQ(client.answer().body, "hello");
}

TEST_F(ServerTest, closes_where_the_client_wants_it) {
  start();
  Caller asks = caller();
  asks.get("/text", "Connection: close\r\n");
  const Answer answer = asks.answer();
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.fields.at("connection"), "close");
  EXPECT_TRUE(asks.is_closed());
  Caller old = caller();
  old.send("GET /text HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.answer().body, "hello");
  EXPECT_TRUE(old.is_closed());
}

TEST_F(ServerTest, to_head_gives_the_fields_of_get_alone) {
  start();
  Caller client = caller();
  for (const std::string path : {"/text", "/large", "/absent"}) {
    client.get(path);
    Answer get = client.answer();
    client.send("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    Answer head = client.answer(true);
    get.fields.erase("date");
    head.fields.erase("date");
    EXPECT_EQ(head.fields, get.fields);
    EXPECT_EQ(head.status, get.status);
  }
}

TEST_F(ServerTest, sends_large_bodies_whole) {
  start();
  Caller client = caller();
  client.get("/large");
  EXPECT_EQ(client.answer().body.size(), std::size_t{1} << 20);
  client.get("/large", "Accept-Encoding: gzip\r\n");
  const Answer packed = client.answer();
  EXPECT_EQ(packed.fields.at("content-encoding"), "gzip");
  EXPECT_LT(packed.body.size(), 20'000U);
  EXPECT_TRUE(eventually([&] { return server->counts().pending_bytes_now == 0; }));
}

TEST_F(ServerTest, is_304_where_the_client_has_it) {
  start();
  Caller client = caller();
  client.get("/text");
  const std::string tag = client.answer().fields.at("etag");
  client.get("/text", "If-None-Match: " + tag + "\r\n");
  const Answer again = client.answer();
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.fields.at("etag"), tag);
  client.get("/text");
  EXPECT_EQ(client.answer().body, "hello");
}

TEST_F(ServerTest, protects_every_answer) {
  start();
  Caller client = caller();
  for (const std::string target : {"/text", "/absent", "/%zz", "/unsound"}) {
    client.get(target, "Origin: http://evil.example\r\n");
    const Answer answer = client.answer();
    EXPECT_EQ(answer.fields.at("x-content-type-options"), "nosniff") << target;
    EXPECT_EQ(answer.fields.at("referrer-policy"), "no-referrer");
    EXPECT_NE(answer.fields.at("content-security-policy").find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(answer.fields.at("cache-control"), "no-store");
    EXPECT_EQ(answer.fields.count("access-control-allow-origin"), 0U);
    EXPECT_EQ(answer.fields.count("injected"), 0U);
  }
}

TEST_F(ServerTest, says_405_and_what_is_allowed) {
  start();
  Caller client = caller();
  for (const std::string method : {"DELETE", "OPTIONS", "QUERY"}) {
    client.send(method + " /text HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const Answer answer = client.answer();
    EXPECT_EQ(answer.status, 405);
    EXPECT_EQ(answer.fields.at("allow"), "GET, HEAD");
    EXPECT_EQ(answer.fields.at("content-type"), "application/problem+json");
  }
  // A body that nobody wants ends the connection, after the answer has arrived.
  client.send("POST /text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'));
  EXPECT_EQ(client.answer().status, 405);
  EXPECT_TRUE(client.is_closed());
}

struct Refused {
  std::string name;
  std::string request;
  int status = 400;
};

class RequestIsRefused : public ServerTest, public testing::WithParamInterface<Refused> {};

TEST_P(RequestIsRefused, with_a_problem_and_the_connection_closed) {
  ServerOptions options;
  options.limits.linger = std::chrono::milliseconds(80);  // the client of the test closes after the server
  start(std::move(options));
  Caller client = caller();
  // What follows would be a second request to who has read the first another way.
  client.send(GetParam().request + "GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const Answer answer = client.answer();
  EXPECT_EQ(answer.status, GetParam().status);
  EXPECT_EQ(answer.fields.at("content-type"), "application/problem+json");
  EXPECT_EQ(answer.fields.at("connection"), "close");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(handler.last_request().path, "/");  // it was never asked
  EXPECT_TRUE(eventually([&] { return server->counts().connections_now == 0; }));
}

const std::string begin = "GET / HTTP/1.1\r\nHost: localhost\r\n";

INSTANTIATE_TEST_SUITE_P(
    Server, RequestIsRefused,
    testing::Values(Refused{"noise", "\x16\x03\x01 hello"}, Refused{"bare_line_feeds", "GET / HTTP/1.1\nHost: localhost\n\n"},
                    Refused{"length_and_chunks", begin + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
                    Refused{"chunks", begin + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
                    Refused{"two_lengths", begin + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd"},
                    Refused{"folded_coding", begin + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"},
                    Refused{"blank_before_colon", begin + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"},
                    Refused{"two_hosts", begin + "Host: localhost\r\n\r\n"}, Refused{"no_host", "GET / HTTP/1.1\r\n\r\n"},
                    Refused{"body_too_large", begin + "Content-Length: 65537\r\n\r\n", 413},
                    Refused{"chunked_post", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 421},
                    Refused{"expectation", begin + "Content-Length: 1\r\nExpect: 100-continue\r\n\r\n", 417},
                    Refused{"long_target", "GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n", 414},
                    Refused{"long_fields", begin + "A: " + std::string(9000, 'a') + "\r\n\r\n", 431},
                    Refused{"http_2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505}),
    [](const auto& param) { return param.param.name; });

TEST_F(ServerTest, a_bad_target_costs_no_connection) {
  start();
  Caller client = caller();
  for (const std::string target : {"/%", "/a/../b", "/?a=%ff", "*", "/a#b"}) {
    client.get(target);
    EXPECT_EQ(client.answer().status, 400) << target;
  }
  client.get("/text");
  EXPECT_EQ(client.answer().body, "hello");
}

TEST_F(ServerTest, an_unsound_answer_is_a_500) {
  start();
  Caller client = caller();
  client.get("/unsound");
  EXPECT_EQ(client.answer().status, 500);
  client.get("/stream");  // and there are no events here
  EXPECT_EQ(client.answer().status, 500);
}

TEST_F(ServerTest, wants_its_token) {
  const std::string token = "correct-horse-battery";
  start({.token = token});
  Caller client = caller();
  client.get("/text");
  const Answer without = client.answer();
  EXPECT_EQ(without.status, 401);
  EXPECT_EQ(without.fields.count("www-authenticate"), 1U);
  EXPECT_EQ((without.head + without.body).find(token), std::string::npos);
  client.get("/text", "Authorization: Bearer correct-horse-batterx\r\n");
  EXPECT_EQ(client.answer().status, 401);
  client.get("/text", "Authorization: Bearer " + token + "\r\n");
  EXPECT_EQ(client.answer().body, "hello");
  EXPECT_EQ(handler.last_request().path, "/text");
}

TEST_F(ServerTest, without_token_answers_to_its_own_names_only) {
  start();
  Caller client = caller();
  client.send("GET /text HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
  EXPECT_EQ(client.answer().status, 421);
}

}  // namespace
}  // namespace recmeter::http
