#include "file/array_cutter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace recmeter::file {
namespace {

constexpr std::size_t key_bytes_max = 1024;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

Result<void> ArrayCutter::read(ByteStream& from, std::size_t block, RecordBatch& into) {
  into.records.clear();
  into.bytes.assign(carry_.begin(), carry_.end());
  into.last = false;
  into.layout = nullptr;
  into.first_line = 0;
  begun_ = 0;
  if (failed_) return tl::unexpected(*failed_);
  block_.resize(block);
  while (into.records.empty() && !failed_) {
    auto got = from.read(block_.data(), block);
    if (!got) return tl::unexpected(got.error());
    Result<void> taken;
    if (*got == 0) taken = end();
    into.last = *got == 0 && taken.has_value();
    for (std::string_view bytes(block_.data(), *got); taken && !bytes.empty();) {
      const std::size_t before = bytes.size();
      switch (place_) {
        case Place::outside: taken = take_outside(bytes, into); break;
        case Place::before: taken = take_before(bytes, into); break;
        case Place::value: take_value(bytes, into); break;
      }
      offset_ += before - bytes.size();
    }
    if (!taken) failed_ = taken.error();
    if (into.last) break;
  }
  if (failed_ && into.records.empty()) return tl::unexpected(*failed_);
  carry_.assign(into.bytes.begin() + static_cast<std::ptrdiff_t>(begun_), into.bytes.end());
  into.bytes.resize(begun_ + RecordBatch::padding);
  return {};
}

void ArrayCutter::rewind() {
  carry_.clear();
  if (place_ != Place::value) return;
  if (is_root_) --roots_;
  place_ = std::exchange(is_root_, false) ? Place::outside : Place::before;
  is_string_ = is_escaped_ = false;
  offset_ = record_at_;
}

// Garbage between the records is told as one of them.
bool ArrayCutter::begins_root_record(char c) const {
  if (!keys_.empty() || depth_ > 0 || is_string_) return false;
  constexpr char separator = '\x1e';  // of RFC 7464
  return c == '{' || (roots_ > 0 && c != '[' && c != ']' && c != ',' && c != separator && !is_space(c));
}

void ArrayCutter::begin_value(const RecordBatch& into) {
  place_ = Place::value;
  record_at_ = offset_;
  begun_ = into.bytes.size();
  is_string_ = is_escaped_ = false;
  value_depth_ = 0;
}

Result<void> ArrayCutter::take_outside(std::string_view& bytes, const RecordBatch& into) {
  const char c = bytes.front();
  if (begins_root_record(c)) {
    begin_value(into);
    is_root_ = true;
    ++roots_;
    return {};
  }
  bytes.remove_prefix(1);
  if (is_string_) {
    if (!passes_string(c)) {
      if (key_.size() < key_bytes_max) key_ += c;
    } else if (!is_string_) {
      is_on_way_ = wants_key_ && depth_ == matched_ + 1 && matched_ < keys_.size() && key_ == keys_[matched_];
    }
    return {};
  }
  switch (c) {
    case '"':
      (void)passes_string(c);
      key_.clear();
      return {};
    case ':': wants_key_ = false; return {};
    case ',':
      wants_key_ = true;
      is_on_way_ = false;
      return {};
    case '{':
    case '[': return open(c);
    case '}':
    case ']':
      if (depth_ == 0) return damaged("has a bracket that closes nothing");
      if (depth_ == matched_ + 1 && matched_ > 0) --matched_;
      --depth_;
      return {};
    default: return {};
  }
}

Result<void> ArrayCutter::open(char bracket) {
  const bool is_root = depth_ == 0;
  if (is_root && bracket == '[' && !keys_.empty()) return damaged("is an array and no object");
  const bool is_end = is_root ? keys_.empty() : is_on_way_ && matched_ + 1 == keys_.size();
  if (bracket == '[' && is_end) {
    place_ = Place::before;
    has_array_ = true;
  } else {
    if (bracket == '{' && is_on_way_ && !is_root) ++matched_;
    ++depth_;
  }
  wants_key_ = bracket == '{';
  is_on_way_ = false;
  return {};
}

Result<void> ArrayCutter::take_before(std::string_view& bytes, const RecordBatch& into) {
  const char c = bytes.front();
  if (c == ']') {
    place_ = Place::outside;
  } else if (c == '}' || c == ':') {
    return damaged("has a bracket that closes nothing, or a colon, in the array");
  } else if (c != ',' && !is_space(c)) {
    begin_value(into);
    return {};
  }
  bytes.remove_prefix(1);
  return {};
}

void ArrayCutter::take_value(std::string_view& bytes, RecordBatch& into) {
  std::size_t at = 0;
  bool has_ended = false;
  for (; at < bytes.size() && !has_ended; ++at) {
    const char c = bytes[at];
    const bool begins_next = is_root_ && c == '{' && value_depth_ == 0 && at + into.bytes.size() > begun_;
    if (begins_next && !is_string_) {
      has_ended = true;
      break;
    }
    if (is_string_ || c == '"') {
      (void)passes_string(c);
      has_ended = !is_string_ && value_depth_ == 0;
    } else if (c == '{' || c == '[') {
      ++value_depth_;
    } else if (value_depth_ > 0) {
      if (c == '}' || c == ']') has_ended = --value_depth_ == 0;
    } else if (c == ',' || c == ']' || is_space(c)) {
      has_ended = true;
      break;  // it belongs to the array
    }
  }
  add(bytes.substr(0, at), into);
  bytes.remove_prefix(at);
  if (has_ended) end_record(into);
}

// Whether `c`, in a string or at its beginning, belongs to its syntax.
bool ArrayCutter::passes_string(char c) {
  if (std::exchange(is_escaped_, false)) return true;
  if (is_string_ && c == '\\') is_escaped_ = true;
  if (c == '"') is_string_ = !is_string_;
  return c == '\\' || c == '"';
}

void ArrayCutter::add(std::string_view bytes, RecordBatch& into) {
  const std::size_t kept = into.bytes.size() - begun_;
  const std::size_t room = record_bytes_max_ + 1 - std::min(kept, record_bytes_max_ + 1);
  into.bytes.insert(into.bytes.end(), bytes.begin(),
                    bytes.begin() + static_cast<std::ptrdiff_t>(std::min(room, bytes.size())));
}

void ArrayCutter::end_record(RecordBatch& into) {
  into.records.push_back({begun_, into.bytes.size() - begun_, std::nullopt, false});
  begun_ = into.bytes.size();
  place_ = std::exchange(is_root_, false) ? Place::outside : Place::before;
}

Result<void> ArrayCutter::end() const {
  if (is_root_)
    return damaged(has_array_ || roots_ > 1 ? "ends within an object; what came before was read"
                                            : "is an object that does not end, and no array");
  if (place_ != Place::outside) return damaged("ends within its array; what came before was read");
  if (depth_ > 0 || is_string_) return damaged("ends within a document; what came before was read");
  if (roots_ == 1 && !has_array_) return damaged("is an object and no array");
  if (!has_array_ && roots_ == 0) return damaged("holds no such array");
  return {};
}

tl::unexpected<Error> ArrayCutter::damaged(std::string_view what) const {
  const std::string array = keys_.empty()
                                ? "one JSON array of records, or objects one behind the other"
                                : fmt::format("JSON documents whose records are the array `{}`", fmt::join(keys_, "."));
  return failure(Errc::input_corrupt,
                 fmt::format("the file is read as {}, and {} at byte {}. Set `records` to the path of the "
                             "array, or `format` to what the file is: {}",
                             array, what, offset_, name_));
}

}  // namespace recmeter::file
