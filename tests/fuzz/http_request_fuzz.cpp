// Any bytes are what a client sends: a head, a target, a header field. Reading them must not crash, must not depend on how
// they were cut on their way, and what is let through must keep the invariants of Request.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/head_scanner.h"
#include "http/reply.h"
#include "http/request_head.h"
#include "http/target.h"
#include "recmeter/base/utf8.h"
#include "recmeter/http/accept.h"
#include "recmeter/http/event_ring.h"

namespace {

using namespace recmeter::http;

constexpr std::size_t header_bytes_max = 1024;
constexpr std::size_t fields_max = 16;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "http_request_fuzz: %s\n", what);
  std::abort();
}

std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char byte : text) {
    const auto value = static_cast<std::uint8_t>(byte);
    out += '%';
    out += digits[value >> 4U];
    out += digits[value & 15U];
  }
  return out;
}

void check_path(const std::string& path) {
  require(path.starts_with('/'), "a path begins with a slash");
  require(recmeter::is_utf8(path) && path.find('\0') == std::string::npos, "a path is UTF-8 without NUL");
  require(path.find('\\') == std::string::npos && path.find("//") == std::string::npos, "a path has neither \\ nor //");
  const std::string closed = path + "/";
  require(closed.find("/../") == std::string::npos && closed.find("/./") == std::string::npos,
          "a path has no dots to resolve");
}

// A target written anew from what was read of it, with every byte encoded, is read as the same.
void check_target(std::string_view text) {
  const auto target = parse_target(text);
  if (!target) {
    require(target.error().status == 400, "a bad target is a 400");
    return;
  }
  check_path(target->path);
  std::string again;
  for (std::size_t at = 0; at < target->path.size();) {
    const std::size_t end = target->path.find('/', at);
    if (end == at) {
      again += '/';
      ++at;
    } else {
      again += encoded(std::string_view(target->path).substr(at, end - at));
      at = end == std::string::npos ? target->path.size() : end;
    }
  }
  char mark = '?';
  for (const Query::Parameter& one : target->query.parameters()) {
    require(!one.name.empty() && recmeter::is_utf8(one.name) && recmeter::is_utf8(one.value),
            "parameters are UTF-8 and have names");
    again += mark + encoded(one.name) + "=" + encoded(one.value);
    mark = '&';
  }
  const auto second = parse_target(again);
  require(second.has_value(), "what was read can be written");
  require(second->path == target->path, "a path is read as it was written");
  require(second->query.parameters() == target->query.parameters(), "a query is read as it was written");
}

void check_head(std::string_view text) {
  HeadScanner scanner(header_bytes_max, fields_max);
  const auto whole = scanner.scan(text);
  HeadScanner by_byte(header_bytes_max, fields_max);
  auto last = by_byte.scan({});
  for (std::size_t bytes = 1; bytes <= text.size() && last && !*last; ++bytes) last = by_byte.scan(text.substr(0, bytes));
  require(whole.has_value() == last.has_value(), "how a head is cut does not matter");
  if (!whole) {
    require(whole.error().status == last.error().status, "nor for why it is refused");
    return;
  }
  require(*whole == *last, "nor for where it ends");
  if (!*whole) return;
  require(**whole <= header_bytes_max && **whole <= text.size(), "a head is within its bounds");
  const auto head = parse_head(text.substr(0, **whole));
  if (!head) return;
  require(!head->method.empty() && !head->target.empty(), "a request has a method and a target");
  require(!head->is_chunked || head->content_length == 0, "a request has one framing");
  for (const std::string* field : {&head->host, &head->accept, &head->if_none_match, &head->last_event_id}) {
    require(field->find_first_of("\r\n") == std::string::npos, "fields have no line breaks");
  }
  check_target(head->target);
}

void check_fields(std::string_view text) {
  constexpr std::array<std::string_view, 2> offered{"text/plain; version=0.0.4", "application/json"};
  const auto index = preferred(text, offered);
  require(!index || *index < offered.size(), "what is preferred was offered");
  (void)takes_coding(text, "gzip");
  (void)names_tag(text, "v1");
  static const EventRing ring(0xabc, {});
  (void)ring.id_of(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_head(text);
  check_target(text);
  check_fields(text);
  return 0;
}
