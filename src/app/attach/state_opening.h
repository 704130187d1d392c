// open_state: the state of a run, once its disk has room and no other process has it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "app/attach/live_host.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// As long as a newcomer to the group waits for a member that was killed: the session's 45 s, and 5 s to settle.
inline constexpr std::chrono::seconds held_state_patience{50};

// Waits for room as long as it takes, and for a process that has the state for `patience`: one that was killed, or whose
// machine was, has let it go by then. `around` tells why it waits. `begins`: called before each attempt to open it. Errors:
// those of rocksdb_state::open_store, state_in_use after `patience`; interrupted (`stop`).
[[nodiscard]] Result<std::unique_ptr<StateStore>> open_state(const Config& config, std::size_t memory,
                                                             std::chrono::milliseconds patience, LiveHost& around,
                                                             const std::atomic<bool>& stop,
                                                             const std::function<void()>& begins);

}  // namespace recmeter
