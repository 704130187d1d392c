// A log in which a metric falls, for tests of `recmeter why`.
#pragma once

#include <cstdint>
#include <string>

#include "integration/cli/workplace.h"

namespace recmeter::test {

inline constexpr std::int64_t hour_ms = 3'600'000;

// Two hours of 2,000 users on two surfaces, a list of three items each, and a third hour that makes them final. Of home one
// list of four is clicked, at rank 2; of mail one of two, in the second hour one of ten.
inline std::string two_hours() {
  std::string log;
  for (int hour = 0; hour < 3; ++hour) {
    for (int user = 0; user < 2000; ++user) {
      const bool is_mail = user % 2 == 1;
      const std::string ts = std::to_string(start_ms + hour * hour_ms + (hour == 2 ? hour_ms / 2 : 0) + user * 200);
      const std::string list = std::to_string(hour) + "-" + std::to_string(user);
      log += R"({"type":"impression","ts":)" + ts + R"(,"list_id":")" + list + R"(","user_id":"u)" + std::to_string(user) +
             R"(","items":["a","b","c"],"segments":{"surface":")" + (is_mail ? "mail" : "home") + "\"}}\n";
      const int every = !is_mail ? 4 : hour == 0 ? 2 : 10;
      if ((user / 2 + hour) % every == 0) {
        log += R"({"type":"click","ts":)" + ts + R"(,"list_id":")" + list + R"(","user_id":"u)" + std::to_string(user) +
               R"(","item_id":"b"})" + "\n";
      }
    }
  }
  return log;
}

}  // namespace recmeter::test
