#include "app/attach/live_host.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/console/messages.h"
#include "app/console/wall_clock.h"

namespace recmeter {

LiveHost::LiveHost(const Config& config, std::function<void(const SharedRow&)> seen, const std::atomic<bool>& stop,
                   Hangups* hangups)
    : seen_(std::move(seen)),
      stop_(stop),
      out_of_patience_(out_of_patience(stop)),
      supervisor_(Supervisor::of_environment()),
      room_([this](Notice notice, std::string_view message) { tell(notice, message); }),
      hangups_(hangups) {
  watch_disks_of(config);
}

void LiveHost::watch_disks_of(const Config& config) {
  room_ = DiskRoom([this](Notice notice, std::string_view message) { tell(notice, message); });
  room_.watch("state.dir", config.state.dir, state_reserve);
  if (config.publish.file) room_.watch("publish.file.path", config.publish.file->path, file_reserve);
  if (!config.publish.experiments.file.empty()) {
    room_.watch("publish.experiments.file", config.publish.experiments.file, file_reserve);
  }
  if (config.dead_letter && !config.dead_letter->file.empty()) {
    room_.watch("dead_letter.file", config.dead_letter->file, file_reserve);
  }
}

void LiveHost::remember_in(const std::string& directory, std::uint64_t share) {
  auto memory = file::SpillMemory::create(directory, share);
  if (memory) {
    memory_ = std::move(*memory);
  } else {
    tell(Notice::memory_unbounded, memory.error().context + "; everything is kept in memory, without a limit (state.memory)");
  }
}

std::pmr::memory_resource* LiveHost::memory() const {
  return memory_ ? memory_.get() : std::pmr::get_default_resource();
}

void LiveHost::opening(bool has_room) {
  supervisor_.waits();
  if (monitor_ != nullptr) monitor_->opening(has_room);
}

void LiveHost::begin(GroupMember* member, std::function<void(RunStatus&)> note_brokers, std::function<bool()> hung_up) {
  member_ = member;
  note_brokers_ = std::move(note_brokers);
  hung_up_ = std::move(hung_up);
}

EventTime LiveHost::now() {
  return wall_clock();
}

void LiveHost::wait() {
  std::this_thread::sleep_for(std::chrono::milliseconds{10});
}

Result<RunMode> LiveHost::mode() {
  has_begun_ = true;
  if (stop_.load(std::memory_order_relaxed)) return RunMode::end;
  if (hangups_ != nullptr && hung_up_ && hangups_->take()) begins_anew_ = hung_up_();
  return begins_anew_ ? RunMode::end : member_->mode();
}

void LiveHost::alive(RunMode mode) {
  if (memory_) memory_->trim();
  supervisor_.alive();
  if (mode == RunMode::go_on) supervisor_.ready();
  if (mode == RunMode::end) supervisor_.stopping();
}

void LiveHost::kept(const std::map<std::string, std::int64_t>& next_offsets) {
  member_->kept(next_offsets);
  if (monitor_ != nullptr) monitor_->kept();
}

void LiveHost::status(RunStatus status) {
  if (monitor_ == nullptr) return;
  note_brokers_(status);
  if (status.refused.empty()) status.refused = member_->refusal();
  status.files_lost = lost_;
  monitor_->status(status);
}

void LiveHost::row(const SharedRow& row) {
  if (monitor_ != nullptr) monitor_->seen(row);
  if (seen_) seen_(row);
}

void LiveHost::experiment(const SharedExperimentRow& row) {
  if (monitor_ != nullptr) monitor_->seen(row);
}

void LiveHost::lost(const file::LostFile& lost) {
  tell(Notice::file_lost, lost.sentence);
  auto at = std::ranges::find(lost_, lost.setting, &LostFiles::setting);
  if (at == lost_.end()) at = lost_.insert(at, {.setting = lost.setting});
  ++at->count;
  at->last_row = lost.last_row;
}

void LiveHost::tell(Notice notice, std::string_view message) {
  warn(notice, message);
  supervisor_.status(message);
  if (monitor_ != nullptr) monitor_->show_message(message);
}

}  // namespace recmeter
