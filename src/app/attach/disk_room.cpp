#include "app/attach/disk_room.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace recmeter {

namespace {

constexpr std::chrono::milliseconds look_again{100};

// The first of a path and its parents that is there.
std::string existing(const std::string& path) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::absolute(path, error);
  while (!std::filesystem::exists(at, error) && at.has_relative_path()) at = at.parent_path();
  return at.string();
}

std::optional<std::uint64_t> free_bytes(const std::string& path) {
  struct statvfs system{};
  if (statvfs(path.c_str(), &system) != 0) return std::nullopt;
  return std::uint64_t{system.f_bavail} * system.f_frsize;
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + " MiB";
}

}  // namespace

void DiskRoom::watch(std::string name, std::string path, std::uint64_t reserve) {
  places_.push_back({.name = std::move(name), .path = std::move(path), .reserve = reserve});
}

bool DiskRoom::is_left() {
  const auto now = std::chrono::steady_clock::now();
  if (!std::exchange(has_looked_, true) || now - looked_at_ >= look_again) {
    looked_at_ = now;
    for (Place& place : places_) look_at(place);
  }
  return std::none_of(places_.begin(), places_.end(), [](const Place& place) { return place.is_short; });
}

// What cannot be looked at is left to those who write there.
void DiskRoom::look_at(Place& place) {
  const auto free = free_bytes(existing(place.path));
  if (!free) return;
  const std::uint64_t wanted = place.is_short ? place.reserve + place.reserve / 4 : place.reserve;
  const bool is_short = *free < wanted;
  if (std::exchange(place.is_short, is_short) == is_short) return;
  if (is_short) {
    tell_(Notice::disk_full, "nothing more is read: " + place.name + " has " + mebibytes(*free) + " of disk left, and " +
                                 mebibytes(place.reserve + place.reserve / 4) +
                                 " are needed; free some space, and it continues: " + place.path);
  } else {
    tell_(Notice::disk_has_room, "there is space again; continuing: " + place.path);
  }
}

}  // namespace recmeter
