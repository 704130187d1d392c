#include "app/attach/state_opening.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "recmeter/rocksdb/open_store.h"
#include "recmeter/rocksdb/state_directory.h"

namespace recmeter {

namespace {

using Clock = std::chrono::steady_clock;

tl::unexpected<Error> asked_to_end() {
  return failure(Errc::interrupted, "ended before the state was open");
}

void tell_waiting(LiveHost& around, const std::string& holder, Clock::duration left, const std::string& directory) {
  around.tell(
      Notice::state_waits,
      fmt::format("the state is in use by {}; waiting {} s at most: if it is ending, or was killed, the state is free "
                  "by then; if it is running, it continues and this one ends: {}",
                  holder, std::chrono::ceil<std::chrono::seconds>(left).count(), directory));
}

}  // namespace

Result<std::unique_ptr<StateStore>> open_state(const Config& config, std::size_t memory, std::chrono::milliseconds patience,
                                               LiveHost& around, const std::atomic<bool>& stop,
                                               const std::function<void()>& begins) {
  const std::string& directory = config.state.dir;
  const auto give_up = Clock::now() + patience;
  for (bool is_told = false;; around.wait()) {
    if (stop) return asked_to_end();
    const bool has_room = around.has_room();  // opening writes, too
    around.opening(has_room);
    if (!has_room) continue;
    // Looked at first: RocksDB writes beside what it finds locked.
    const auto holder = rocksdb_state::holder_of(directory);
    if (!holder) {
      begins();
      auto store = rocksdb_state::open_store(directory, {.memory = memory});
      if (store || store.error().code != Errc::state_in_use || Clock::now() >= give_up) return store;
    } else if (Clock::now() >= give_up) {
      return failure(Errc::state_in_use,
                     fmt::format("the state is in use by {}; it continues, and this one ends. End the other first, or name "
                                 "another state.dir: {}",
                                 *holder, directory));
    }
    if (!std::exchange(is_told, true)) {
      tell_waiting(around, holder.value_or("another process"), give_up - Clock::now(), directory);
    }
  }
}

}  // namespace recmeter
