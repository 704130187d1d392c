// fetch_ahead(): asks for the cache line at an address that is read soon, and waits for nothing.
//
// A compiler may take a function that does nothing but this for one without effect, and leave out the calls of it; what
// stands after the builtin keeps it from that.
#pragma once

namespace recmeter {

inline void fetch_ahead(const void* address) {
  __builtin_prefetch(address);
  asm volatile("" : : "r"(address));
}

}  // namespace recmeter
