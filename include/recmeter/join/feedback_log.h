// FeedbackLog: the accepted feedback a shard still needs, in the order of its times: undecided, or possibly missed by a list
// that is not scored yet. Thread safety: none; owned by one Joiner.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string_view>

#include "recmeter/base/byte_log.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/base/ring.h"

namespace recmeter {

struct FeedbackEntry {
  EventTime ts;
  std::uint64_t older = 0;   // sequence + 1 of the timeline's feedback before it; 0: none, or forgotten by now
  std::uint64_t ids_at = 0;  // list id, user id, the value if it is kept
  Interner::Id item = Interner::none;
  std::uint32_t timeline = 0;
  std::uint16_t list_id_bytes = 0;
  std::uint16_t user_id_bytes = 0;
  std::uint8_t action = 0;
  bool has_value = false;
  bool is_relevant = true;  // false: its value makes it irrelevant
};

class FeedbackLog {
 public:
  // `memory` outlives the log.
  explicit FeedbackLog(std::size_t id_bytes_max, std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  [[nodiscard]] const Ring<FeedbackEntry>& entries() const { return entries_; }
  [[nodiscard]] const FeedbackEntry& at(std::uint64_t sequence) const { return entries_.at(sequence); }
  // `value`: only when somebody will ask for it.
  std::uint64_t append(FeedbackEntry entry, std::string_view list_id, std::string_view user_id,
                       std::optional<double> value = std::nullopt);
  // Empty when it carried none.
  [[nodiscard]] std::string_view list_id(const FeedbackEntry& entry) const;
  [[nodiscard]] std::string_view user_id(const FeedbackEntry& entry) const;
  [[nodiscard]] std::optional<double> value(const FeedbackEntry& entry) const;
  // Requires: not empty.
  void forget_oldest();

 private:
  Ring<FeedbackEntry> entries_;
  ByteLog bytes_;
};

}  // namespace recmeter
