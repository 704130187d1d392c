#include "recmeter/event/time_zone.h"

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>

#include <chrono>

#include "recmeter/event/event_time_text.h"

namespace recmeter {
namespace {

class FixedZone final : public TimeZone {
 public:
  explicit FixedZone(std::int64_t offset_ms) : offset_ms_(offset_ms) {}
  [[nodiscard]] std::optional<std::int64_t> utc_ms(std::int64_t local_ms) const override { return local_ms - offset_ms_; }

 private:
  std::int64_t offset_ms_;
};

class NamedZone final : public TimeZone {
 public:
  explicit NamedZone(const cctz::time_zone& zone) : zone_(zone) {}

  [[nodiscard]] std::optional<std::int64_t> utc_ms(std::int64_t local_ms) const override {
    const std::int64_t second = floor_divide(local_ms, 1000);
    const auto found = zone_.lookup(cctz::civil_second() + second);
    if (found.kind == cctz::time_zone::civil_lookup::SKIPPED) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::seconds>(found.pre.time_since_epoch()).count() * 1000 +
           (local_ms - second * 1000);
  }

  [[nodiscard]] bool is_named() const override { return true; }

 private:
  cctz::time_zone zone_;
};

}  // namespace

std::shared_ptr<const TimeZone> time_zone(const std::string& name) {
  if (name == "UTC") return std::make_shared<FixedZone>(0);
  if (const auto offset = parse_offset(name)) return std::make_shared<FixedZone>(*offset);
  // The library takes paths for names, too.
  cctz::time_zone zone;
  if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos || !cctz::load_time_zone(name, &zone)) {
    return nullptr;
  }
  return std::make_shared<NamedZone>(zone);
}

}  // namespace recmeter
