// UnfilledAllocator: a vector that has it does not zero what resize() adds, for those who write it next anyway.
//
// Reading such an object before it is written is undefined. Thread safety: as std::allocator.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace recmeter {

template <class Object>
struct UnfilledAllocator : std::allocator<Object> {
  template <class Other>
  struct rebind {
    using other = UnfilledAllocator<Other>;
  };

  UnfilledAllocator() = default;
  template <class Other>
  UnfilledAllocator(const UnfilledAllocator<Other>& /*other*/) noexcept {
  }  // NOLINT(google-explicit-constructor): allocators are rebound

  template <class Any, class... Arguments>
  void construct(Any* at, Arguments&&... arguments) {
    if constexpr (sizeof...(Arguments) == 0) {
      static_assert(std::is_trivially_default_constructible_v<Any>);
      ::new (static_cast<void*>(at)) Any;
    } else {
      std::construct_at(at, std::forward<Arguments>(arguments)...);
    }
  }
};

}  // namespace recmeter
