#include "http/reply.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>

#include "http/gzip.h"

namespace recmeter::http {
namespace {

std::string unpacked(const std::string& packed) {
  std::string text(std::size_t{1} << 20, '\0');
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

bool has(const Reply& reply, std::string_view field) {
  return reply.head.find("\r\n" + std::string(field) + "\r\n") != std::string::npos;
}

Response text_of(std::size_t bytes) {
  return {.content_type = "text/plain", .body = make_body(std::string(bytes, 'x'))};
}

TEST(HttpDate, is_as_the_rfc_has_it) {
  EXPECT_EQ(http_date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");  // the example of RFC 9110
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(http_date(1'709'164'799), "Wed, 28 Feb 2024 23:59:59 GMT");
  EXPECT_EQ(http_date(1'709'164'800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(Gzip, unpacks_to_what_it_was) {
  for (const std::string& text : {std::string(), std::string(100'000, 'a'), std::string("a\0b", 3)}) {
    EXPECT_EQ(unpacked(gzip(text)), text);
  }
}

TEST(Reply, carries_length_type_and_protection) {
  const Reply reply = make_reply(text_of(5), {.keeps_alive = true});
  EXPECT_TRUE(reply.head.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(reply.head.ends_with("\r\n\r\n"));
  for (const std::string_view field :
       {"Content-Length: 5", "Content-Type: text/plain", "Connection: keep-alive", "Cache-Control: no-store",
        "Server: recmeter", "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "X-Frame-Options: DENY",
        "Cross-Origin-Resource-Policy: same-origin", "Vary: Accept-Encoding", "Date: Thu, 01 Jan 1970 00:00:00 GMT"}) {
    EXPECT_TRUE(has(reply, field)) << field << "\n" << reply.head;
  }
  EXPECT_EQ(reply.head.find("Access-Control"), std::string::npos);
  EXPECT_EQ(*reply.body, "xxxxx");
}

TEST(Reply, shares_the_body_it_was_given) {
  const Response response = text_of(100);
  EXPECT_EQ(make_reply(response, {}).body, response.body);
}

TEST(Reply, a_policy_of_the_handler_is_kept) {
  Response response = text_of(5);
  response.content_security_policy = "default-src 'self'";
  EXPECT_TRUE(has(make_reply(response, {}), "Content-Security-Policy: default-src 'self'; frame-ancestors 'none'"));
  response.content_security_policy = "frame-ancestors 'self'";
  EXPECT_TRUE(has(make_reply(response, {}), "Content-Security-Policy: frame-ancestors 'self'"));
}

TEST(Reply, says_nobody_may_frame_it_in_both_ways_unless_the_policy_names_somebody) {
  Response response = text_of(5);
  EXPECT_TRUE(has(make_reply(response, {}), "X-Frame-Options: DENY"));
  response.content_security_policy = "default-src 'none'; frame-ancestors 'none'";
  EXPECT_TRUE(has(make_reply(response, {}), "X-Frame-Options: DENY"));
  response.content_security_policy = "default-src 'none'; frame-ancestors https://a.example";
  EXPECT_FALSE(has(make_reply(response, {}), "X-Frame-Options: DENY")) << "it cannot name anybody";
}

TEST(Reply, to_head_has_the_fields_of_get_and_no_body) {
  Response response = text_of(5000);
  response.etag = "v1";
  for (const std::string_view coding : {"", "gzip"}) {
    const Reply get = make_reply(response, {.accept_encoding = coding});
    const Reply head = make_reply(response, {.method = Method::head, .accept_encoding = coding});
    EXPECT_EQ(head.head, get.head);
    EXPECT_TRUE(get.body);
    EXPECT_FALSE(head.body);
  }
}

TEST(Reply, is_compressed_when_asked_and_worth_it) {
  const Reply packed = make_reply(text_of(1025), {.accept_encoding = "gzip"});
  EXPECT_TRUE(has(packed, "Content-Encoding: gzip"));
  EXPECT_TRUE(has(packed, "Content-Length: " + std::to_string(packed.body->size())));
  EXPECT_EQ(unpacked(*packed.body), std::string(1025, 'x'));
  EXPECT_FALSE(has(make_reply(text_of(1024), {.accept_encoding = "gzip"}), "Content-Encoding: gzip"));
  EXPECT_FALSE(has(make_reply(text_of(1025), {}), "Content-Encoding: gzip"));
  Response image = text_of(5000);
  image.content_type = "image/png";
  EXPECT_FALSE(has(make_reply(image, {.accept_encoding = "gzip"}), "Content-Encoding: gzip"));
}

TEST(Reply, what_was_compressed_beforehand_is_sent_as_it_is) {
  Response response = text_of(10);
  response.gzip_body = make_body(gzip(*response.body));
  EXPECT_EQ(make_reply(response, {.accept_encoding = "gzip"}).body, response.gzip_body);
  EXPECT_EQ(make_reply(response, {}).body, response.body);
}

TEST(Reply, is_304_where_the_client_has_it) {
  Response response = text_of(10);
  response.etag = "v1";
  EXPECT_TRUE(has(make_reply(response, {}), "ETag: W/\"v1\""));
  const Reply same = make_reply(response, {.if_none_match = "W/\"v0\", W/\"v1\""});
  EXPECT_EQ(same.status, 304);
  EXPECT_TRUE(has(same, "ETag: W/\"v1\""));
  EXPECT_EQ(same.head.find("Content-Length"), std::string::npos);
  EXPECT_FALSE(same.body);
  EXPECT_EQ(make_reply(response, {.if_none_match = "W/\"v2\""}).status, 200);
  response.status = 404;
  EXPECT_EQ(make_reply(response, {.if_none_match = "W/\"v1\""}).status, 404);
}

TEST(Reply, tags_are_compared_weakly) {
  EXPECT_TRUE(names_tag("*", "v1"));
  EXPECT_TRUE(names_tag("\"v1\"", "v1"));
  EXPECT_TRUE(names_tag("\"a, b\", W/\"v1\"", "v1"));
  EXPECT_FALSE(names_tag("v1", "v1"));
  EXPECT_FALSE(names_tag("\"v11\"", "v1"));
  EXPECT_FALSE(names_tag("\"v1", "v1"));
  EXPECT_FALSE(names_tag("", ""));
}

TEST(Reply, a_field_that_breaks_lines_becomes_a_500) {
  const auto status = [](auto&& change) {
    Response response = text_of(10);
    change(response);
    const Reply reply = make_reply(response, {});
    EXPECT_EQ(reply.head.find("injected"), std::string::npos);
    return reply.status;
  };
  EXPECT_EQ(status([](Response& r) { r.etag = "v\r\ninjected: 1"; }), 500);
  EXPECT_EQ(status([](Response& r) { r.etag = "v\" injected"; }), 500);
  EXPECT_EQ(status([](Response& r) { r.content_type = "text/plain\ninjected: 1"; }), 500);
  EXPECT_EQ(status([](Response& r) { r.cache_control = "a\rinjected"; }), 500);
  EXPECT_EQ(status([](Response& r) { r.content_security_policy = "a\r\ninjected"; }), 500);
  EXPECT_EQ(status([](Response& r) { r.headers.emplace_back("A: injected", "b"); }), 500);
  EXPECT_EQ(status([](Response& r) { r.headers.emplace_back("A", "b\r\ninjected: c"); }), 500);
  EXPECT_EQ(status([](Response& r) { r.headers.emplace_back("A", "b"); }), 200);
}

TEST(Reply, to_a_stream_has_no_length_and_no_compression) {
  const Reply reply = make_reply(event_stream(), {.accept_encoding = "gzip", .keeps_alive = true});
  EXPECT_TRUE(has(reply, "Content-Type: text/event-stream"));
  EXPECT_TRUE(has(reply, "X-Accel-Buffering: no"));
  EXPECT_TRUE(has(reply, "Cache-Control: no-store"));
  EXPECT_TRUE(has(reply, "Connection: close"));
  EXPECT_EQ(reply.head.find("Content-Length"), std::string::npos);
  EXPECT_EQ(reply.head.find("Content-Encoding"), std::string::npos);
}

TEST(Problem, is_problem_json_whatever_the_client_sent) {
  const Response response = problem(400, "Bad Request", "no metric \"\x1b[2J\r\n\xff<script>\"");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.content_type, "application/problem+json");
  const auto json = nlohmann::json::parse(*response.body);
  EXPECT_EQ(json["type"], "about:blank");
  EXPECT_EQ(json["title"], "Bad Request");
  EXPECT_EQ(json["status"], 400);
  EXPECT_EQ(json["detail"], "no metric \"\x1b[2J\r\n\xef\xbf\xbd<script>\"");
  EXPECT_EQ(response.body->find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace recmeter::http
