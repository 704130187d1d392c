// EventBatchWriter: the one that fills an EventBatch, and so keeps its invariants.
//
// Texts are stored once and may be named by several events (the user of a basket). What was appended of an event since a mark
// can be taken back when it turns out to be invalid.
// Thread safety: none. Requires: fewer than 2^32 bytes, strings and numbers in a batch; checked when it is finished.
#pragma once

#define XXH_INLINE_ALL  // short texts: a call would cost as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "recmeter/event/event_batch.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

// As hash_id(). Of a short text, which most are, the compiler leaves but a few steps, and they stand where it is read.
[[nodiscard]] inline std::uint64_t hash_mostly_short(std::string_view text) {
  constexpr std::size_t short_bytes = 16;
  return text.size() > short_bytes ? hash_id(text) : XXH3_64bits(text.data(), text.size());
}

class EventBatchWriter {
 public:
  // Where a stored text is. One word, which stays in a register on its way from store() to add_string().
  class Text {
   public:
    Text() = default;
    Text(std::size_t offset, std::size_t size) : place_(std::uint64_t{size} << 32 | offset) {}
    [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(place_); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(place_ >> 32); }

   private:
    std::uint64_t place_ = 0;
  };

  struct Mark {
    std::size_t bytes = 0;
    std::size_t strings = 0;
    std::size_t numbers = 0;
  };

  // Begins a batch for `records` records of `bytes` bytes in all, with about as many strings.
  void begin(std::size_t records, std::size_t bytes, std::size_t strings = 0);

  [[nodiscard]] Text store(std::string_view text) { return {batch_.bytes_.append(text), text.size()}; }
  // Valid until the next store().
  [[nodiscard]] std::string_view view(Text text) const { return {batch_.bytes_.data() + text.offset(), text.size()}; }

  void add_string(Text text) { add(text, 0); }
  void add_item(Text text) { add(text, hash_of(view(text))); }
  void add_item(std::string_view text) {
    const std::uint32_t hash = hash_of(text);
    add(store(text), hash);
  }
  // Many at once, of `bytes` bytes in all: each has a text().
  template <class Texts>
  [[gnu::flatten]] void add_items(const Texts& texts, std::size_t bytes) {
    std::size_t offset = batch_.bytes_.size();
    char* to = batch_.bytes_.extend(bytes);
    const std::size_t first = batch_.strings_.size();
    batch_.strings_.resize(first + texts.size());
    EventBatch::StringRef* added = batch_.strings_.data() + first;
    for (const auto& item : texts) {
      const std::string_view text = item.text();
      TextBuffer::copy(to, text.data(), text.size());
      *added++ = {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(text.size()), hash_of(text)};
      to += text.size();
      offset += text.size();
    }
  }
  void add_number(double number) { batch_.numbers_.push_back(number); }
  void add_event(const Event& event) { batch_.events_.push_back(event); }
  // Is filled where it stands; valid until the next one.
  [[nodiscard]] Event& new_event() { return batch_.events_.emplace_back(); }
  // Another like the last.
  [[nodiscard]] Event& repeat_event() { return batch_.events_.emplace_back(Event(batch_.events_.back())); }

  // Whether none was added for the reason.
  [[nodiscard]] bool wants_sample(InvalidReason reason) const {
    return std::ranges::none_of(batch_.samples_, [reason](const InvalidSample& known) { return known.reason == reason; });
  }
  // Of the last event.
  void add_sample(InvalidSample sample) {
    sample.event = static_cast<std::uint32_t>(batch_.events_.size() - 1);
    batch_.samples_.push_back(std::move(sample));
  }

  [[nodiscard]] Mark mark() const { return {batch_.bytes_.size(), batch_.strings_.size(), batch_.numbers_.size()}; }
  void take_back(const Mark& mark);
  void take_back_numbers(const Mark& mark) { batch_.numbers_.resize(mark.numbers); }

  [[nodiscard]] EventBatch finish();

 private:
  // As hash_text().
  [[nodiscard]] static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(hash_mostly_short(text));
  }
  void add(Text text, std::uint32_t hash) { batch_.strings_.push_back({text.offset(), text.size(), hash}); }

  EventBatch batch_;
  Mark expected_;  // strings and numbers of the batch before: a good guess at this one's
};

}  // namespace recmeter
