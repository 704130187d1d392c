// What a consumer group has given a member, in the protocol's own bytes. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter::kafka {

// Version, then topics with their partitions: each as "topic/partition". What a user may have added is of no interest; bytes
// that end too early give what they hold.
[[nodiscard]] std::vector<std::string> assigned_names(std::string_view assignment);

}  // namespace recmeter::kafka
