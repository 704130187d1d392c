// RecordArena: where what is made of one record lies: lists, objects, texts. Cleared between records, it allocates nothing
// once it is large enough for the largest.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace recmeter {

class RecordArena {
 public:
  // What was given is no longer there.
  void clear() {
    block_ = 0;
    used_ = 0;
  }

  // Uninitialised room for `count` of them.
  template <class Object>
  [[nodiscard]] Object* room(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Object> && std::is_trivially_destructible_v<Object>);
    return static_cast<Object*>(bytes(count * sizeof(Object), alignof(Object)));
  }
  template <class Object>
  [[nodiscard]] std::span<const Object> copy(std::span<const Object> objects) {
    Object* const to = room<Object>(objects.size());
    if (!objects.empty()) std::memcpy(static_cast<void*>(to), objects.data(), objects.size_bytes());
    return {to, objects.size()};
  }
  [[nodiscard]] std::string_view copy(std::string_view text) {
    const auto copied = copy(std::span<const char>(text));
    return {copied.data(), copied.size()};
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  static constexpr std::size_t block_bytes = std::size_t{16} << 10;

  [[gnu::always_inline]] void* bytes(std::size_t count, std::size_t alignment) {
    const std::size_t aligned = (used_ + alignment - 1) & ~(alignment - 1);
    if (block_ < blocks_.size() && aligned + count <= blocks_[block_].size) {
      used_ = aligned + count;
      return blocks_[block_].bytes.get() + aligned;
    }
    return in_next_block(count);
  }
  // The next one that is large enough; those between stay unused until the arena is cleared.
  [[gnu::noinline]] void* in_next_block(std::size_t count) {
    if (used_ > 0) ++block_;
    while (block_ < blocks_.size() && blocks_[block_].size < count) ++block_;
    if (block_ == blocks_.size()) {
      const std::size_t size = count > block_bytes ? count : block_bytes;
      blocks_.push_back({std::make_unique<std::byte[]>(size), size});
    }
    used_ = count;
    return blocks_[block_].bytes.get();
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;  // of blocks_[block_]
};

}  // namespace recmeter
