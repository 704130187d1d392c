#include "file/record_run.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::file {

namespace {

constexpr std::size_t write_bytes = std::size_t{1} << 20;

}  // namespace

Result<void> RunWriter::add(std::string_view record) {
  pending_.insert(pending_.end(), record.begin(), record.end());
  return pending_.size() < write_bytes ? Result<void>{} : flush();
}

Result<void> RunWriter::flush() {
  const auto offset = scratch_.append(pending_);
  if (!offset) return tl::unexpected(offset.error());
  if (run_.size == 0) run_.offset = *offset;
  run_.size += pending_.size();
  pending_.clear();
  return {};
}

Result<RecordRun> RunWriter::finish() {
  if (auto flushed = flush(); !flushed) return tl::unexpected(std::move(flushed).error());
  return run_;
}

Result<bool> RunReader::advance(const ScratchFile& scratch) {
  const std::size_t passed = size();
  if (buffer_.empty()) {
    left_.offset += passed;
    left_.size -= passed;
  } else {
    at_ += passed;
  }
  has_record_ = false;
  if (buffer_.size() - at_ + left_.size == 0) return false;
  if (auto filled = fill(scratch, sizeof header_); !filled) return tl::unexpected(std::move(filled).error());
  std::memcpy(&header_, buffer_.data() + at_, sizeof header_);
  has_record_ = true;
  return true;
}

Result<std::string_view> RunReader::record(const ScratchFile& scratch) {
  if (auto filled = fill(scratch, size()); !filled) return tl::unexpected(std::move(filled).error());
  return std::string_view(buffer_.data() + at_, size());
}

Result<void> RunReader::fill(const ScratchFile& scratch, std::size_t bytes) {
  const std::size_t kept = buffer_.size() - at_;
  if (kept >= bytes) return {};
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t more = std::min<std::uint64_t>(left_.size, std::max(buffer_bytes_, bytes) - kept);
  RECMETER_CHECK(kept + more >= bytes, "a run ends with a whole record");
  buffer_.resize(kept + more);
  auto read = scratch.read(left_.offset, std::span(buffer_).subspan(kept));
  left_.offset += more;
  left_.size -= more;
  return read;
}

void RunReader::suspend() {
  const std::size_t unread = buffer_.size() - at_;
  left_.offset -= unread;
  left_.size += unread;
  buffer_ = {};
  at_ = 0;
}

RunMerge::RunMerge(std::shared_ptr<const ScratchFile> scratch, const std::vector<RecordRun>& runs, std::size_t buffer_bytes)
    : scratch_(std::move(scratch)) {
  for (const RecordRun& run : runs) readers_.emplace_back(run, buffer_bytes);
}

bool RunMerge::is_behind(std::size_t a, std::size_t b) const {
  return std::tie(readers_[b].header().key, b) < std::tie(readers_[a].header().key, a);
}

Result<void> RunMerge::enter(std::size_t run) {
  auto is_at_record = readers_[run].advance(*scratch_);
  if (!is_at_record) return tl::unexpected(std::move(is_at_record).error());
  if (!*is_at_record) return {};
  heap_.push_back(run);
  std::push_heap(heap_.begin(), heap_.end(), [this](std::size_t a, std::size_t b) { return is_behind(a, b); });
  return {};
}

Result<std::string_view> RunMerge::next() {
  for (std::size_t r = last_.value_or(0); r < (last_ ? *last_ + 1 : readers_.size()); ++r) {
    if (auto entered = enter(r); !entered) return tl::unexpected(std::move(entered).error());
  }
  if (heap_.empty()) {
    readers_.clear();
    last_.reset();
    return std::string_view();
  }
  std::pop_heap(heap_.begin(), heap_.end(), [this](std::size_t a, std::size_t b) { return is_behind(a, b); });
  last_ = heap_.back();
  heap_.pop_back();
  return readers_[*last_].record(*scratch_);
}

void RunMerge::suspend() {
  for (RunReader& reader : readers_) reader.suspend();
}

}  // namespace recmeter::file
