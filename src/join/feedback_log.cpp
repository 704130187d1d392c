#include "recmeter/join/feedback_log.h"

#include <cstring>

namespace recmeter {

FeedbackLog::FeedbackLog(std::size_t id_bytes_max, std::pmr::memory_resource* memory)
    : entries_(memory), bytes_(2 * id_bytes_max + 24, memory) {}

std::uint64_t FeedbackLog::append(FeedbackEntry entry, std::string_view list_id, std::string_view user_id,
                                  std::optional<double> value) {
  entry.has_value = value.has_value();
  const std::size_t size = list_id.size() + user_id.size() + (value ? sizeof(double) : 0);
  entry.ids_at = bytes_.append(size);
  entry.list_id_bytes = static_cast<std::uint16_t>(list_id.size());
  entry.user_id_bytes = static_cast<std::uint16_t>(user_id.size());
  std::byte* ids = size == 0 ? nullptr : bytes_.at(entry.ids_at);
  if (!list_id.empty()) std::memcpy(ids, list_id.data(), list_id.size());
  if (!user_id.empty()) std::memcpy(ids + list_id.size(), user_id.data(), user_id.size());
  if (value) std::memcpy(ids + list_id.size() + user_id.size(), &*value, sizeof(double));
  return entries_.push_back(entry);
}

std::string_view FeedbackLog::list_id(const FeedbackEntry& entry) const {
  if (entry.list_id_bytes == 0) return {};
  return {reinterpret_cast<const char*>(bytes_.at(entry.ids_at)), entry.list_id_bytes};  // NOLINT: bytes as characters
}

std::string_view FeedbackLog::user_id(const FeedbackEntry& entry) const {
  if (entry.user_id_bytes == 0) return {};
  const auto* ids = reinterpret_cast<const char*>(bytes_.at(entry.ids_at));  // NOLINT: bytes as characters
  return {ids + entry.list_id_bytes, entry.user_id_bytes};
}

std::optional<double> FeedbackLog::value(const FeedbackEntry& entry) const {
  if (!entry.has_value) return std::nullopt;
  double value = 0;
  std::memcpy(&value, bytes_.at(entry.ids_at) + entry.list_id_bytes + entry.user_id_bytes, sizeof(double));
  return value;
}

void FeedbackLog::forget_oldest() {
  entries_.pop_front();
  bytes_.forget_before(entries_.empty() ? bytes_.end() : entries_.at(entries_.begin()).ids_at);
}

}  // namespace recmeter
