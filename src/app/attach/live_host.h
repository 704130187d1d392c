// LiveHost: what a live run of the program lives among: who has started it, the disks it writes to, its consumer group, those
// who watch it.
//
// It outlives several runs, of the same topics with more partitions. Thread safety: as RunHost.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

#include "app/attach/disk_room.h"
#include "app/attach/group_member.h"
#include "app/attach/supervisor.h"
#include "app/monitor/monitor.h"
#include "config/config.h"
#include "recmeter/file/spill_memory.h"
#include "recmeter/live/run_host.h"

namespace recmeter {

class LiveHost final : public RunHost {
 public:
  // `seen` may be empty: given each row as it is made. `config` and `stop` outlive it.
  LiveHost(const Config& config, std::function<void(const SharedRow&)> seen, const std::atomic<bool>& stop);

  // Outlives it; null: nobody watches.
  void watched_by(Monitor* monitor) { monitor_ = monitor; }
  [[nodiscard]] Monitor* monitor() const { return monitor_; }
  // Memory for what is kept long, of which `share` is in memory and the rest beside the state.
  void remember_in(const std::string& directory, std::uint64_t share);
  [[nodiscard]] std::pmr::memory_resource* memory() const;
  // A run begins, which `member` outlives. `note_brokers`: adds whether brokers answer.
  void begin(GroupMember* member, std::function<void(RunStatus&)> note_brokers);

  [[nodiscard]] EventTime now() override;
  void wait() override;
  [[nodiscard]] Result<RunMode> mode() override;
  [[nodiscard]] bool is_abandoned() const override { return out_of_patience_(); }
  [[nodiscard]] bool has_room() override { return room_.is_left(); }
  void alive(RunMode mode) override;
  void kept(const std::map<std::string, std::int64_t>& next_offsets) override;
  void status(RunStatus status) override;
  void row(const SharedRow& row) override;
  void experiment(const SharedExperimentRow& row) override;
  void tell(Notice notice, std::string_view message) override;

 private:
  std::function<void(const SharedRow&)> seen_;
  const std::atomic<bool>& stop_;
  std::function<bool()> out_of_patience_;
  Supervisor supervisor_;
  DiskRoom room_;
  std::unique_ptr<file::SpillMemory> memory_;
  Monitor* monitor_ = nullptr;
  GroupMember* member_ = nullptr;
  std::function<void(RunStatus&)> note_brokers_;
};

}  // namespace recmeter
