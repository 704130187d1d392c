#include "config/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "config/nearest.h"
#include "config/scalar.h"

namespace recmeter::config {

namespace {

// Says whether `path` is `around`, or lies below it.
bool is_in(std::string_view path, std::string_view around) {
  return path.starts_with(around) &&
         (path.size() == around.size() || path[around.size()] == '.' || path[around.size()] == '[');
}

}  // namespace

std::string joined(const std::string& section, std::string_view key) {
  return section.empty() ? std::string(key) : section + "." + std::string(key);
}

Faults::Faults(std::string file) : file_(std::move(file)) {}

void Faults::add(Place place, std::string path, std::string message, std::string remedy) {
  // A value that was moved to several places is read there, each time with the same fault.
  const auto is_this = [&](const ConfigFault& fault) {
    return fault.line == place.line && fault.column == place.column && fault.path == path && fault.message == message;
  };
  if (std::ranges::any_of(faults_, is_this)) return;
  faults_.push_back({file_, place.line, place.column, std::move(path), std::move(message), std::move(remedy)});
}

void Faults::written(const std::string& path, Place place) {
  places_.emplace(path, place);
}

void Faults::add_at(const std::string& path, std::string message, std::string remedy) {
  std::string around = path;
  while (!around.empty() && !places_.contains(around)) {
    const std::size_t end = around.find_last_of(".[");
    around.resize(end == std::string::npos ? 0 : end);
  }
  add(around.empty() ? Place{} : places_.at(around), path, std::move(message), std::move(remedy));
}

bool Faults::is_read(std::string_view path) const {
  return std::ranges::none_of(unread_, [&](const std::string& unread) { return is_in(path, unread); });
}

bool Faults::none_in(std::initializer_list<std::string_view> paths) const {
  return std::ranges::all_of(paths, [&](std::string_view path) {
    return is_read(path) && std::ranges::none_of(faults_, [&](const ConfigFault& fault) { return is_in(fault.path, path); });
  });
}

void Faults::known(const std::string& section, std::string_view key) {
  std::vector<std::string>& keys = known_[section];
  if (std::ranges::find(keys, key) == keys.end()) keys.emplace_back(key);
}

void Faults::add_unknown(Place place, const std::string& section, const std::string& key) {
  unknown_.push_back({place, section, key});
}

std::string Faults::remedy_for(const Unknown& unknown) const {
  if (unknown.key == "<<") return "merge keys are not read: write the keys out";
  const auto here = known_.find(unknown.section);
  std::vector<std::string_view> names;
  if (here != known_.end()) names.assign(here->second.begin(), here->second.end());
  if (auto question = name_question(unknown.key, names); !question.empty()) return question;
  for (const auto& [section, keys] : known_) {
    // Only sections that exist once: `windows[2]` is no place to point to.
    if (section.find('[') != std::string::npos || std::ranges::find(keys, unknown.key) == keys.end()) continue;
    return section.empty() ? fmt::format("`{}` stands at the top level", unknown.key)
                           : fmt::format("it belongs to `{}`", section);
  }
  return names.empty() ? "remove it" : fmt::format("remove it, or write {}", one_of(names));
}

std::vector<ConfigFault> Faults::all() const {
  std::vector<ConfigFault> result = faults_;
  for (const Unknown& unknown : unknown_) {
    result.push_back({file_, unknown.place.line, unknown.place.column, joined(unknown.section, shortened(unknown.key)),
                      "is not a key here", remedy_for(unknown)});
  }
  std::ranges::stable_sort(result, [](const ConfigFault& a, const ConfigFault& b) {
    return std::tie(a.line, a.column, a.path) < std::tie(b.line, b.column, b.path);
  });
  return result;
}

}  // namespace recmeter::config
