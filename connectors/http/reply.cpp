#include "http/reply.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "http/gzip.h"
#include "recmeter/http/accept.h"
#include "recmeter/result/json_writer.h"

namespace recmeter::http {

namespace {

constexpr std::size_t gzip_bytes_min = 1024;

bool is_field_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return byte >= 0x20 && byte < 0x7f; });
}

bool is_field_name(std::string_view text) {
  return !text.empty() && is_field_text(text) && text.find_first_of(" \"(),/:;<=>?@[\\]{}") == std::string_view::npos;
}

bool is_sound(const Response& response) {
  return response.status >= 200 && response.status <= 599 && is_field_text(response.content_type) &&
         is_field_text(response.etag) && response.etag.find('"') == std::string::npos &&
         is_field_text(response.cache_control) && is_field_text(response.content_security_policy) &&
         std::all_of(response.headers.begin(), response.headers.end(),
                     [](const auto& field) { return is_field_name(field.first) && is_field_text(field.second); });
}

bool is_compressible(std::string_view content_type) {
  return content_type.starts_with("text/") || content_type.starts_with("application/") ||
         content_type.starts_with("image/svg+xml");
}

void append_field(std::string& head, std::string_view name, std::string_view value) {
  fmt::format_to(std::back_inserter(head), "{}: {}\r\n", name, value);
}

// What every answer says, so that nothing of it is guessed, framed, embedded, or told to others.
void append_protection(std::string& head, std::string policy) {
  // Where a policy names who may frame, browsers go by it; the older field can only say nobody.
  const bool is_framed =
      policy.find("frame-ancestors") != std::string::npos && policy.find("frame-ancestors 'none'") == std::string::npos;
  if (policy.find("frame-ancestors") == std::string::npos) {
    if (!policy.empty()) policy += "; ";
    policy += "frame-ancestors 'none'";
  }
  append_field(head, "Content-Security-Policy", policy);
  append_field(head, "X-Content-Type-Options", "nosniff");
  if (!is_framed) append_field(head, "X-Frame-Options", "DENY");
  append_field(head, "Referrer-Policy", "no-referrer");
  append_field(head, "Cross-Origin-Resource-Policy", "same-origin");
}

// The body that is sent, and whether it is the compressed one.
std::pair<Body, bool> choose_body(const Response& response, std::string_view accept_encoding) {
  if (!takes_coding(accept_encoding, "gzip")) return {response.body, false};
  if (response.gzip_body) return {response.gzip_body, true};
  if (response.body->size() <= gzip_bytes_min) return {response.body, false};
  return {make_body(gzip(*response.body)), true};
}

}  // namespace

// RFC 9110 has a newer word for one; clients do not look at those of codes that nobody knows.
std::string_view reason(int status) {
  if (status == 413) return "Content Too Large";
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  if (known == boost::beast::http::status::unknown) return {};
  const auto text = boost::beast::http::obsolete_reason(known);
  return {text.data(), text.size()};
}

std::string http_date(std::int64_t unix_seconds) {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(static_cast<std::time_t>(unix_seconds)));
}

bool names_tag(std::string_view if_none_match, std::string_view etag) {
  if (if_none_match == "*") return true;
  while (!if_none_match.empty()) {
    const std::size_t open = if_none_match.find('"');
    if (open == std::string_view::npos) return false;
    const std::size_t close = if_none_match.find('"', open + 1);
    if (close == std::string_view::npos) return false;
    if (if_none_match.substr(open + 1, close - open - 1) == etag) return true;
    if_none_match.remove_prefix(close + 1);
  }
  return false;
}

Reply make_reply(Response response, const ReplyTerms& terms) {
  if (!is_sound(response)) response = problem(500, "Internal Server Error", "The answer could not be written as HTTP.");
  if (!response.body) response.body = make_body({});
  const bool has_tag = response.status == 200 && !response.etag.empty() && !response.is_stream;
  if (has_tag && names_tag(terms.if_none_match, response.etag)) response.status = 304;
  const bool is_bodiless = response.status == 204 || response.status == 304;
  const bool may_be_packed = is_compressible(response.content_type) && !response.is_stream;

  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
  append_field(head, "Date", http_date(terms.unix_seconds));
  append_field(head, "Server", "recmeter");
  Body body = response.body;
  if (!is_bodiless) {
    bool is_packed = false;
    if (may_be_packed) std::tie(body, is_packed) = choose_body(response, terms.accept_encoding);
    if (!response.content_type.empty()) append_field(head, "Content-Type", response.content_type);
    if (is_packed) append_field(head, "Content-Encoding", "gzip");
    if (!response.is_stream) append_field(head, "Content-Length", std::to_string(body->size()));
  }
  if (has_tag) append_field(head, "ETag", "W/\"" + response.etag + "\"");
  if (may_be_packed) append_field(head, "Vary", "Accept-Encoding");
  if (!response.cache_control.empty()) append_field(head, "Cache-Control", response.cache_control);
  append_protection(head, std::move(response.content_security_policy));
  for (const auto& [name, value] : response.headers) append_field(head, name, value);
  append_field(head, "Connection", terms.keeps_alive && !response.is_stream ? "keep-alive" : "close");
  head += "\r\n";
  const bool sends_body = !is_bodiless && terms.method == Method::get && !response.is_stream && !body->empty();
  return {response.status, std::move(head), sends_body ? std::move(body) : nullptr};
}

Response problem(int status, std::string_view title, std::string_view detail) {
  std::string text;
  JsonWriter json(text, 0);
  json.begin_object();
  json.member("type", "about:blank");
  json.member("title", title);
  json.member("status", status);
  json.member("detail", detail);
  json.end_object();
  text += '\n';
  return {.status = status, .content_type = "application/problem+json", .body = make_body(std::move(text))};
}

Response event_stream() {
  return {.content_type = "text/event-stream", .headers = {{"X-Accel-Buffering", "no"}}, .is_stream = true};
}

}  // namespace recmeter::http
