#include "http/request_head.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <limits>

#include "recmeter/base/read_number.h"

namespace recmeter::http {

namespace {

namespace beast_http = boost::beast::http;
using Fields = beast_http::fields;

// All values of a field, joined as RFC 9110, 5.3 has it.
template <class Name>
std::string joined(const Fields& fields, const Name& name) {
  std::string text;
  const auto [begin, end] = fields.equal_range(name);
  for (auto one = begin; one != end; ++one) {
    if (one != begin) text += ", ";
    text.append(one->value().data(), one->value().size());
  }
  return text;
}

Judged<std::uint64_t> content_length(const Fields& fields) {
  const std::string text = joined(fields, beast_http::field::content_length);
  if (const auto length = read_number<std::uint64_t>(text)) return *length;
  return refused(400, "Content-Length must be one number, given once.");
}

}  // namespace

Judged<RequestHead> parse_head(std::string_view text) {
  if (text.starts_with("\r\n")) text.remove_prefix(2);
  beast_http::request_parser<beast_http::empty_body> parser;
  parser.header_limit(std::numeric_limits<std::uint32_t>::max());  // HeadScanner has one
  parser.body_limit(boost::none);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(text.data(), text.size()), error);
  if (error == beast_http::error::bad_version) return refused(505, "This server speaks HTTP/1.1 and HTTP/1.0.");
  const bool is_whole = !error || error == beast_http::error::need_more;
  if (!is_whole || !parser.is_header_done()) return refused(400, "The request's head is not HTTP/1.1.");
  const auto& message = parser.get();
  if (message.version() != 10 && message.version() != 11) return refused(505, "This server speaks HTTP/1.1 and HTTP/1.0.");

  RequestHead head;
  using beast_http::field;
  if (message.count(field::host) > 1 || (message.version() == 11 && message.count(field::host) == 0)) {
    return refused(400, "A request of HTTP/1.1 must have exactly one Host field.");
  }
  head.is_chunked = message.count(field::transfer_encoding) > 0;
  if (message.count(field::content_length) > 0) {
    if (head.is_chunked) return refused(400, "A request has a Content-Length or a Transfer-Encoding, not both.");
    const auto length = content_length(message);
    if (!length) return tl::unexpected(length.error());
    head.content_length = *length;
  }
  if (head.is_chunked && message.version() == 10) return refused(400, "HTTP/1.0 has no Transfer-Encoding.");
  head.method.assign(message.method_string().data(), message.method_string().size());
  head.target.assign(message.target().data(), message.target().size());
  head.host = joined(message, field::host);
  head.authorization = joined(message, field::authorization);
  head.accept = joined(message, field::accept);
  head.accept_encoding = joined(message, field::accept_encoding);
  head.if_none_match = joined(message, field::if_none_match);
  head.last_event_id = joined(message, "Last-Event-ID");
  head.has_expectation = message.count(field::expect) > 0;
  head.keeps_alive = message.keep_alive();
  return head;
}

}  // namespace recmeter::http
