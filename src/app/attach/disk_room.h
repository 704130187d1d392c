// DiskRoom: whether the file systems that a live run writes to have room left: it stops while it still can go on.
//
// RocksDB that meets a full disk may hang or abort (state/rocksdb), so it must not meet one: a reserve is left to what it
// does in the background. A little more than the reserve has to be free before it is called enough again. Thread safety: one
// thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "recmeter/base/notice.h"

namespace recmeter {

// Of the state's file system: what its buffers and a compaction write.
inline constexpr std::uint64_t state_reserve = std::uint64_t{256} << 20;
// Of those of rows and dead letters.
inline constexpr std::uint64_t file_reserve = std::uint64_t{16} << 20;

class DiskRoom {
 public:
  // `tell`: told once when room is lacking, with the remedy, and once when there is some again.
  explicit DiskRoom(Tell tell) : tell_(std::move(tell)) {}

  // Watches the file system of `path`, a directory or a file that may not be there yet; `name`: what users call it.
  void watch(std::string name, std::string path, std::uint64_t reserve);
  // Looked up ten times a second at most, however often it is asked.
  [[nodiscard]] bool is_left();

 private:
  struct Place {
    std::string name;
    std::string path;
    std::uint64_t reserve = 0;
    bool is_short = false;
  };
  void look_at(Place& place);

  Tell tell_;
  std::vector<Place> places_;
  std::chrono::steady_clock::time_point looked_at_;
  bool has_looked_ = false;
};

}  // namespace recmeter
