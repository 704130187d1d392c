#include "http/connection.h"

#include <algorithm>
#include <utility>

#include "http/target.h"
#include "recmeter/base/check.h"

namespace recmeter::http {

namespace {

constexpr std::size_t finish_bytes_max = std::size_t{256} << 10;

std::int64_t unix_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string_view rest(std::string_view text, std::size_t offset) {
  return text.substr(std::min(offset, text.size()));
}

}  // namespace

Connection::Connection(std::unique_ptr<Wire> wire, const Hosting& hosting)
    : wire_(std::move(wire)), hosting_(hosting), scanner_(hosting.limits.header_bytes_max, hosting.limits.fields_max) {
  ++hosting_.tally.connections;
  ++hosting_.tally.connections_now;
}

Connection::~Connection() {
  RECMETER_CHECK(state_ == State::closed, "a connection is closed before it is forgotten");
}

void Connection::start() {
  deadline_ = Clock::now() + hosting_.limits.header;
  wire_->open([self = shared_from_this()](std::size_t opened) {
    if (self->state_ != State::opening) return;
    if (opened == 0) return self->close(true);
    self->state_ = State::head;  // the deadline holds on
    self->read();
  });
}

void Connection::close(bool is_abrupt) {
  if (state_ == State::closed) return;
  if (state_ == State::stream) --hosting_.tally.streams_now;
  state_ = State::closed;
  release_body();
  --hosting_.tally.connections_now;
  wire_->close(is_abrupt);
  hosting_.closed(*this);
}

void Connection::release_body() {
  hosting_.tally.pending_bytes_now -= std::exchange(pending_bytes_, 0);
  body_.reset();
}

// --- reading ------------------------------------------------------------------------------------------------------------

void Connection::read() {
  wire_->read(chunk_, [self = shared_from_this()](std::size_t bytes) { self->received(bytes); });
}

void Connection::received(std::size_t bytes) {
  if (state_ == State::closed) return;
  if (bytes == 0) return close(false);
  if (state_ == State::stream) {
    unasked_bytes_ += bytes;
    if (unasked_bytes_ > hosting_.limits.header_bytes_max) return close(true);
    return read();
  }
  if (state_ == State::head && in_.empty() && keeps_alive_) deadline_ = Clock::now() + hosting_.limits.header;
  in_.append(chunk_.data(), bytes);
  if (state_ == State::head) return look_for_head();
  skip_body();
}

// After an answer: the client may ask again, and may have done so already.
void Connection::begin_request() {
  state_ = State::head;
  scanner_.restart();
  deadline_ = Clock::now() + (in_.empty() ? hosting_.limits.idle : hosting_.limits.header);
  if (in_.empty()) {
    in_.shrink_to_fit();
    return read();
  }
  look_for_head();
}

void Connection::look_for_head() {
  const auto bytes = scanner_.scan(in_);
  if (!bytes) return refuse(bytes.error());
  if (!*bytes) return read();
  const std::string text = in_.substr(0, **bytes);
  in_.erase(0, **bytes);
  take_head(text);
}

void Connection::take_head(std::string_view text) {
  auto head = parse_head(text);
  if (!head) return refuse(head.error());
  head_ = std::move(*head);
  const bool has_body = head_.content_length > 0 || head_.is_chunked;
  if (auto refusal = hosting_.gate.refusal(head_)) {
    keeps_alive_ = head_.keeps_alive && !has_body;  // a body that nobody wants is not waited for
    return send(std::move(*refusal));
  }
  keeps_alive_ = head_.keeps_alive;
  body_left_ = head_.content_length;
  state_ = State::body;
  deadline_ = Clock::now() + hosting_.limits.body;
  skip_body();
}

void Connection::skip_body() {
  const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(body_left_, in_.size()));
  in_.erase(0, skipped);
  body_left_ -= skipped;
  if (body_left_ > 0) return read();
  respond();
}

// --- answering ----------------------------------------------------------------------------------------------------------

void Connection::refuse(const Refusal& refusal) {
  head_ = {};
  keeps_alive_ = false;
  in_.clear();
  send(problem(refusal.status, reason(refusal.status), refusal.detail));
}

void Connection::respond() {
  send(answer());
}

Response Connection::answer() {
  auto target = parse_target(head_.target);
  if (!target) return problem(target.error().status, reason(target.error().status), target.error().detail);
  if (hosting_.tally.pending_bytes_now >= hosting_.limits.pending_bytes_max) {
    Response response =
        problem(503, "Service Unavailable", "Other clients have not read their responses yet; try again later.");
    response.headers.emplace_back("Retry-After", "1");
    return response;
  }
  Request request;
  request.method = head_.method == "HEAD" ? Method::head : Method::get;
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  request.accept = head_.accept;
  request.accept_encoding = head_.accept_encoding;
  request.if_none_match = head_.if_none_match;
  request.last_event_id = head_.last_event_id;
  Response response = hosting_.handler.handle(request);
  if (!response.is_stream || hosting_.ring != nullptr) return response;
  return problem(500, "Internal Server Error", "This server has no events.");
}

void Connection::send(Response response) {
  const bool is_stream = response.is_stream;
  const ReplyTerms terms{.method = head_.method == "HEAD" ? Method::head : Method::get,
                         .accept_encoding = head_.accept_encoding,
                         .if_none_match = head_.if_none_match,
                         .keeps_alive = keeps_alive_ && !is_stream,
                         .unix_seconds = unix_seconds()};
  Reply reply = make_reply(std::move(response), terms);
  ++hosting_.tally.responses[static_cast<std::size_t>(reply.status / 100)];
  offset_ = 0;
  if (is_stream && terms.method == Method::get && reply.status == 200) return begin_stream(std::move(reply.head));
  keeps_alive_ = terms.keeps_alive;
  state_ = State::response;
  text_ = std::move(reply.head);
  body_ = std::move(reply.body);
  if (body_) hosting_.tally.pending_bytes_now += pending_bytes_ = body_->size();
  write();
}

void Connection::begin_stream(std::string text) {
  state_ = State::stream;
  ++hosting_.tally.streams;
  ++hosting_.tally.streams_now;
  in_.clear();
  in_.shrink_to_fit();
  // The system keeps twice that: half of what the stream may have. A quarter is for what is being written, a quarter for TLS.
  wire_->limit_send_buffer(hosting_.limits.stream_bytes_max / 4);
  cursor_.emplace(*hosting_.ring, *hosting_.events);
  StreamCursor::Chunk chunk = cursor_->begin(head_.last_event_id, hosting_.handler);
  text_ = std::move(text) + "retry: " + std::to_string(hosting_.limits.retry.count()) + "\n\n" + chunk.text;
  body_ = std::move(chunk.shared);
  hosting_.tally.gaps += cursor_->gaps();
  gaps_counted_ = cursor_->gaps();
  write();
  read();  // only to see it go
}

void Connection::pump() {
  if (state_ != State::stream || is_writing_) return;
  StreamCursor::Chunk chunk = cursor_->next(hosting_.limits.stream_bytes_max / 4, hosting_.handler);
  hosting_.tally.gaps += cursor_->gaps() - std::exchange(gaps_counted_, cursor_->gaps());
  if (chunk.empty()) return;
  text_ = std::move(chunk.text);
  body_ = std::move(chunk.shared);
  write();
}

// --- writing ------------------------------------------------------------------------------------------------------------

void Connection::write() {
  if (!std::exchange(is_writing_, true) && wire_->untaken() == 0) taken_at_ = Clock::now();
  const std::string_view body = body_ ? std::string_view(*body_) : std::string_view();
  const std::size_t body_offset = offset_ > text_.size() ? offset_ - text_.size() : 0;
  wire_->write(rest(text_, offset_), rest(body, body_offset),
               [self = shared_from_this()](std::size_t bytes) { self->written(bytes); });
}

void Connection::written(std::size_t bytes) {
  if (state_ == State::closed) return;
  if (bytes == 0) return close(true);
  hosting_.tally.bytes_out += bytes;
  offset_ += bytes;
  if (offset_ < text_.size() + (body_ ? body_->size() : 0)) return write();
  is_writing_ = false;
  offset_ = 0;
  text_ = {};
  release_body();
  if (state_ == State::stream) {
    written_at_ = Clock::now();
    return pump();
  }
  if (keeps_alive_) return begin_request();
  finish();
}

void Connection::finish() {
  state_ = State::finishing;
  deadline_ = Clock::now() + hosting_.limits.linger;
  wire_->finish(chunk_, finish_bytes_max, [self = shared_from_this()](std::size_t) { self->close(false); });
}

// --- time ---------------------------------------------------------------------------------------------------------------

// Whether there is something for the client and it has taken nothing of it for long.
bool Connection::is_stuck(Clock::time_point now) {
  const std::int64_t taken = wire_->taken();
  if (taken > taken_ || (wire_->untaken() == 0 && !is_writing_)) {
    taken_ = std::max(taken_, taken);
    taken_at_ = now;
  }
  return now - taken_at_ >= hosting_.limits.write;
}

void Connection::check_time(Clock::time_point now) {
  switch (state_) {
    case State::closed: return;
    case State::opening:
      if (now >= deadline_) close(true);
      return;
    case State::head:
    case State::body:
      if (now < deadline_) return;
      if (state_ == State::head && in_.empty()) return close(false);
      ++hosting_.tally.timed_out;
      return close(true);
    case State::response:
    case State::stream:
    case State::finishing:
      if (is_stuck(now)) {
        ++hosting_.tally.slow_closed;
        return close(true);
      }
      // The system may still have the end of the answer to send, however long that takes.
      if (state_ == State::finishing && now >= deadline_ && wire_->untaken() == 0) return close(true);
      if (state_ == State::stream && !is_writing_ && now - written_at_ >= hosting_.limits.heartbeat) {
        text_ = ":\n\n";
        write();
      }
      return;
  }
}

}  // namespace recmeter::http
