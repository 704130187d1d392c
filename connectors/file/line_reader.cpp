#include "file/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Room for `used` more than bytes, without the growth factor of a vector: buffers stay as large as they must be.
void make_room(std::vector<char>& bytes, std::size_t used) {
  const std::size_t needed = used + RecordBatch::padding;
  if (bytes.size() >= needed) return;
  bytes.reserve(needed);
  bytes.resize(needed);
}

}  // namespace

tl::unexpected<Error> LineReader::ends_in_quotes(std::uint64_t row) const {
  return failure(Errc::input_corrupt,
                 fmt::format("the file ends within quotes that begin in the row at byte {}; what came before was read. Write "
                             "the file again, or set `csv: {{quote: none}}` if quotes have no special meaning there, or "
                             "`csv: {{escape: ...}}` to what stands before a quote in quotes: {}",
                             row, name_));
}

void LineReader::rewind() {
  stream_offset_ = position();
  carry_ = {};
  is_quoted_ = is_escaped_ = is_comment_ = false;
  previous_ = '\n';
  lines_ = begun_line_ - 1;
  mark_decided_ = stream_offset_ > 0;
}

bool LineReader::skip_to(std::uint64_t position) {
  rewind();
  stream_offset_ = position;
  mark_decided_ = position > 0;
  return true;
}

Result<std::size_t> LineReader::append_block(ByteStream& from, std::size_t block, RecordBatch& into, Span& span) {
  if (into.bytes.size() < span.end + block + RecordBatch::padding) {
    // A line grown from small blocks doubles its buffer, up to the longest one that is held.
    const std::size_t doubled = std::min(2 * span.end, record_bytes_max_ + 2);
    make_room(into.bytes, std::max(span.end, doubled) + block);
  }
  auto got = from.read(into.bytes.data() + span.end, block);
  if (got) {
    span.end += *got;
    stream_offset_ += *got;
  }
  return got;
}

// False: more bytes are needed to tell.
bool LineReader::skip_mark(const RecordBatch& into, Span& span, bool at_end) {
  const std::string_view start(into.bytes.data(), span.end);
  if (!at_end && start.size() < byte_order_mark.size() && byte_order_mark.starts_with(start)) return false;
  mark_decided_ = true;
  if (start.starts_with(byte_order_mark)) span.line = span.scanned = byte_order_mark.size();
  return true;
}

// Notes whether the line that begins, if it does, is a comment.
void LineReader::begin_line(const RecordBatch& into, const Span& span) {
  if (span.scanned == span.line && span.line < span.end) is_comment_ = into.bytes[span.line] == comment_;
}

// The line end that ends the record begun, or null. A quote opens where a cell begins, and one behind a closing quote belongs
// to the cell.
const char* LineReader::end_of_line(const char* from, const char* to) {
  const auto find = [&](char c, const char* before) {
    return static_cast<const char*>(std::memchr(from, c, static_cast<std::size_t>(before - from)));
  };
  const bool has_no_marks = (quote_ == '\0' && escape_ == '\0') || is_comment_ || skip_ > 0;
  if (has_no_marks) return find('\n', to);
  if (escape_ != '\0') return end_of_escaped_line(from, to);
  while (from < to) {
    const char* const line_end = is_quoted_ ? nullptr : find('\n', to);
    const char* const quote = find(quote_, line_end == nullptr ? to : line_end);
    if (quote == nullptr) {
      previous_ = line_end == nullptr ? to[-1] : '\n';
      return line_end;
    }
    if (quote > from) previous_ = quote[-1];
    const bool closes = is_quoted_;
    if (closes) lines_ += static_cast<std::uint64_t>(std::count(from, quote, '\n'));
    is_quoted_ = !closes && (previous_ == delimiter_ || previous_ == '\n' || previous_ == quote_);
    previous_ = closes ? quote_ : '\0';  // one within a cell neither opens nor closes
    from = quote + 1;
  }
  return nullptr;
}

// The same where a character may make the next one literal, a line end, too.
const char* LineReader::end_of_escaped_line(const char* from, const char* to) {
  for (; from < to; ++from) {
    const char c = *from;
    if (c == '\n' && !is_escaped_ && !is_quoted_) {
      previous_ = '\n';
      return from;
    }
    if (c == '\n') ++lines_;
    if (std::exchange(is_escaped_, false)) {
      previous_ = '\0';
    } else if (c == escape_) {
      is_escaped_ = true;
    } else if (c == quote_ && quote_ != '\0') {
      const bool closes = is_quoted_;
      is_quoted_ = !closes && (previous_ == delimiter_ || previous_ == '\n' || previous_ == quote_);
      previous_ = closes ? quote_ : '\0';
    } else {
      previous_ = c;
    }
  }
  return nullptr;
}

void LineReader::add_line(RecordBatch& into, std::size_t line, std::size_t end) {
  const char* const bytes = into.bytes.data();
  if (skip_ > 0) {
    --skip_;
    return;
  }
  if (is_comment_) return;
  if (end > line && bytes[end - 1] == '\r') --end;
  if (line == end) return;
  if (bytes[line] <= ' ' && is_blank({bytes + line, end - line})) return;
  if (wants_header_) {
    layout_->text.assign(bytes + line, end - line);
    wants_header_ = false;
    return;
  }
  if (into.records.empty()) into.first_line = begun_line_;
  Record& record = into.records.emplace_back();
  record.offset = line;
  record.size = std::min(end - line, record_bytes_max_ + 1);
}

void LineReader::add_lines(RecordBatch& into, Span& span) {
  const char* const bytes = into.bytes.data();
  while (true) {
    if (comment_ != '\0') begin_line(into, span);
    const char* const found = end_of_line(bytes + span.scanned, bytes + span.end);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(found - bytes);
    add_line(into, span.line, end);
    span.line = span.scanned = end + 1;
    begun_line_ = ++lines_ + 1;
  }
  span.scanned = span.end;
}

// The line in hand, at the front of the buffer, is too long: keeps its beginning and reads on to its end. False: the stream
// ended with it.
Result<bool> LineReader::pass_over(ByteStream& from, std::size_t block, RecordBatch& into, Span& span) {
  const std::size_t kept = record_bytes_max_ + 1;
  bool blank = is_blank({into.bytes.data(), span.end});
  while (true) {
    span.end = kept;
    auto got = append_block(from, block, into, span);
    if (!got) return tl::unexpected(got.error());
    const char* const fresh = into.bytes.data() + kept;
    const char* const found = end_of_line(fresh, fresh + *got);
    const std::size_t rest = found == nullptr ? *got : static_cast<std::size_t>(found - fresh);
    blank = blank && is_blank({fresh, rest});
    if (found == nullptr && *got > 0) continue;
    const bool is_record = !blank && !is_comment_ && skip_ == 0;
    if (skip_ > 0) --skip_;
    if (is_record) {
      into.records.push_back({0, kept, std::nullopt, false});
      into.first_line = begun_line_;
    }
    if (found != nullptr) begun_line_ = ++lines_ + 1;
    span.line = span.scanned = kept + rest + (found == nullptr ? 0 : 1);
    return *got > 0;
  }
}

Result<void> LineReader::read(ByteStream& from, std::size_t block, RecordBatch& into) {
  RECMETER_CHECK(block > 0, "a block of no bytes never ends");
  into.records.clear();
  into.last = false;
  into.layout = layout_;
  into.first_line = 0;
  Span span{0, carry_.size(), carry_.size()};
  make_room(into.bytes, span.end + block);
  std::copy(carry_.begin(), carry_.end(), into.bytes.begin());
  carry_.clear();

  bool more = true;
  while (more && into.records.empty()) {
    if (span.line > 0) {  // only blank lines so far: the line begun moves to the front
      std::memmove(into.bytes.data(), into.bytes.data() + span.line, span.end - span.line);
      span = {0, span.scanned - span.line, span.end - span.line};
    }
    // With a CR before its LF a record of the longest size takes one byte more than it has.
    if (mark_decided_ && span.end > record_bytes_max_ + 1) {
      auto passed = pass_over(from, block, into, span);
      if (!passed) return tl::unexpected(passed.error());
      more = *passed;
    } else {
      auto got = append_block(from, block, into, span);
      if (!got) return tl::unexpected(got.error());
      more = *got > 0;
    }
    if (!mark_decided_ && !skip_mark(into, span, !more)) continue;
    add_lines(into, span);
  }
  if (!more && is_quoted_ && into.records.empty()) return ends_in_quotes(stream_offset_ - (span.end - span.line));
  if (!more && !is_quoted_) {
    add_line(into, span.line, span.end);
    span.line = span.end;
    into.last = true;
  }
  // What is within quotes to the end of the file is told after the rows before it.
  carry_.assign(into.bytes.begin() + static_cast<std::ptrdiff_t>(span.line),
                into.bytes.begin() + static_cast<std::ptrdiff_t>(span.end));
  return {};
}

}  // namespace recmeter::file
