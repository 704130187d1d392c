// ReplayMonitor: a replay watched as a live run is: its rows and how it stands over HTTP.
//
// All rows are kept in memory until the end.
#pragma once

#include "app/run/replay_watch.h"

namespace recmeter {

[[nodiscard]] WatchReplay watch_replay;

}  // namespace recmeter
