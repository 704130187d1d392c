#include "app/monitor/process_facts.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace recmeter {

namespace {

// The number behind `name` in /proc/stat.
std::optional<double> system_figure(const std::string& name) {
  std::ifstream stat("/proc/stat");
  for (std::string word; stat >> word;) {
    double number = 0;
    if (word == name && stat >> number) return number;
  }
  return std::nullopt;
}

// /proc/self/stat behind the name of the program, which may hold anything: its fields from the third on (proc(5)).
void read_stat(ProcessFacts& facts) {
  std::ifstream file("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::size_t at = name_end + 1;
  for (int field = 3; field <= 24; ++field) {
    at = text.find_first_not_of(' ', at);
    const std::size_t end = text.find(' ', at);
    if (end == std::string::npos) return;
    std::int64_t whole = 0;  // the third is a letter
    std::from_chars(text.data() + at, text.data() + end, whole);
    at = end;
    const auto number = static_cast<double>(whole);
    if (field == 14) facts.cpu_seconds = number / ticks;
    if (field == 15) facts.cpu_seconds = facts.cpu_seconds.value_or(0) + number / ticks;
    if (field == 23) facts.virtual_bytes = number;
    if (field == 24) facts.resident_bytes = number * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (field != 22) continue;
    if (const auto boot = system_figure("btime")) facts.start_seconds = *boot + number / ticks;
  }
}

}  // namespace

ProcessFacts process_facts() {
  ProcessFacts facts;
  read_stat(facts);
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  // Without the one that looks.
  if (!error) facts.open_files = static_cast<double>(std::distance(begin(files), end(files)) - 1);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) facts.open_files_max = static_cast<double>(limit.rlim_cur);
  return facts;
}

}  // namespace recmeter
