// TimeZone: which moment a local time is, by the rules of a zone. [S2.32].
//
// Thread safety: immutable. A local time that occurs twice is the first of the two.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace recmeter {

class TimeZone {
 public:
  virtual ~TimeZone() = default;
  // `local`: milliseconds from 1970-01-01T00:00 on that zone's clocks. Nothing when its clocks skip that time.
  [[nodiscard]] virtual std::optional<std::int64_t> utc_ms(std::int64_t local_ms) const = 0;
  // Of the tz database, whose rules change with its version.
  [[nodiscard]] virtual bool is_named() const { return false; }
};

// `UTC`, `+01:00`, or a name of the tz database as this machine has it, such as Europe/Berlin. Null: there is none.
[[nodiscard]] std::shared_ptr<const TimeZone> time_zone(const std::string& name);

}  // namespace recmeter
