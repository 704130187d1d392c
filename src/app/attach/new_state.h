// NewState: takes a state away when it goes, if the run has made it and was then refused: who corrects the configuration
// begins as if nothing had been. Made before the store is opened, so that the store is closed first.
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

#include "recmeter/base/result.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class NewState {
 public:
  explicit NewState(std::filesystem::path directory) : directory_(std::move(directory)) {
    std::error_code error;
    had_directory_ = std::filesystem::exists(directory_, error) || error;
    is_new_ = !had_directory_ || (!std::filesystem::exists(directory_ / "STATE", error) && !error);
  }
  NewState(const NewState&) = delete;
  NewState& operator=(const NewState&) = delete;
  ~NewState() {
    if (!is_refused_) return;
    std::error_code error;
    std::filesystem::remove_all(directory_ / "db", error);
    std::filesystem::remove(directory_ / "STATE", error);
    if (!had_directory_) std::filesystem::remove(directory_, error);  // which is empty
  }
  // A run that got as far as a checkpoint was not refused, whatever ended it.
  void refuse(const Error& error, const StateStore& store) {
    if (!is_new_ || error.code != Errc::config_invalid) return;
    const auto checkpoint = checkpoint_in(store);
    is_refused_ = checkpoint && !*checkpoint;
  }

 private:
  std::filesystem::path directory_;
  bool had_directory_ = false;
  bool is_new_ = false;
  bool is_refused_ = false;
};

}  // namespace recmeter
