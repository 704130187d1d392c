#include "file/rotated_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

namespace recmeter::file {

namespace fs = std::filesystem;

namespace {
constexpr std::string_view unsettled = ".open";
}  // namespace

RotatedNames::RotatedNames(const std::string& path) {
  const fs::path whole(path);
  directory_ = whole.has_parent_path() ? whole.parent_path().string() : ".";
  first_ = whole.stem().string() + ".";
  last_ = whole.extension().string();
}

std::string RotatedNames::closed(std::string_view label) const {
  return fmt::format("{}/{}{}{}", directory_, first_, label, last_);
}

std::vector<std::string> RotatedNames::open_labels() const {
  std::vector<std::string> labels;
  const std::string end = last_ + std::string(unsettled);
  std::error_code error;
  for (fs::directory_iterator at(directory_, error), none; !error && at != none; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(first_) || !name.ends_with(end) || name.size() <= first_.size() + end.size()) continue;
    const std::string label = name.substr(first_.size(), name.size() - first_.size() - end.size());
    if (label.find_first_not_of("0123456789-T") == std::string::npos) labels.push_back(label);
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

void RotatedNames::sync() const {
  const int descriptor = ::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::string period_label(EventTime start, Duration length) {
  using std::chrono::days, std::chrono::milliseconds, std::chrono::sys_days;
  const std::chrono::sys_time<milliseconds> time{milliseconds(start.ms)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss of_day{time - day};
  std::string label = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                                  static_cast<unsigned>(date.day()));
  if (length.ms % one_day.ms == 0) return label;
  label += fmt::format("T{:02}{:02}", of_day.hours().count(), of_day.minutes().count());
  if (length.ms % one_minute.ms != 0) label += fmt::format("{:02}", of_day.seconds().count());
  return label;
}

}  // namespace recmeter::file
