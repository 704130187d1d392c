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
#include <vector>

#include "app/attach/disk_room.h"
#include "app/attach/group_member.h"
#include "app/attach/supervisor.h"
#include "app/monitor/monitor.h"
#include "app/run/interruption.h"
#include "config/config.h"
#include "recmeter/file/lost_file.h"
#include "recmeter/file/spill_memory.h"
#include "recmeter/live/run_host.h"

namespace recmeter {

class LiveHost final : public RunHost {
 public:
  // `seen` may be empty: given each row as it is made. `hangups`: null where nothing is read anew. `stop` and `hangups`
  // outlive it.
  LiveHost(const Config& config, std::function<void(const SharedRow&)> seen, const std::atomic<bool>& stop,
           Hangups* hangups = nullptr);

  // Outlives it; null: nobody watches.
  void watched_by(Monitor* monitor) { monitor_ = monitor; }
  [[nodiscard]] Monitor* monitor() const { return monitor_; }
  // Memory for what is kept long, of which `share` is in memory and the rest beside the state.
  void remember_in(const std::string& directory, std::uint64_t share);
  [[nodiscard]] std::pmr::memory_resource* memory() const;
  // Before there is a run: the state is to be opened, on a disk that has room or not.
  void opening(bool has_room);
  // A run begins, which `member` outlives. `note_brokers`: adds whether brokers answer. `hung_up`: reads anew what can be
  // while it goes on, and says whether the run is to begin anew besides; may be empty.
  void begin(GroupMember* member, std::function<void(RunStatus&)> note_brokers, std::function<bool()> hung_up);
  // A run is to begin.
  void before_run() { has_begun_ = begins_anew_ = false; }
  // Since before_run(): whether it has resumed its state and its places, and whether `hung_up` has said so.
  [[nodiscard]] bool has_begun() const { return has_begun_; }
  [[nodiscard]] bool begins_anew() const { return begins_anew_; }
  // The disks of another configuration.
  void watch_disks_of(const Config& config);

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
  // Others have taken a file away.
  void lost(const file::LostFile& lost);

 private:
  std::function<void(const SharedRow&)> seen_;
  const std::atomic<bool>& stop_;
  std::function<bool()> out_of_patience_;
  Supervisor supervisor_;
  DiskRoom room_;
  std::unique_ptr<file::SpillMemory> memory_;
  std::vector<LostFiles> lost_;
  Monitor* monitor_ = nullptr;
  GroupMember* member_ = nullptr;
  std::function<void(RunStatus&)> note_brokers_;
  Hangups* hangups_;
  std::function<bool()> hung_up_;
  bool has_begun_ = false;
  bool begins_anew_ = false;
};

}  // namespace recmeter
