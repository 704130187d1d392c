#include "app/attach/reload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "config/config_change.h"

namespace recmeter {

namespace {

// Whatever begins with one of these. `limits` are checked where a configuration is read, or are of a replay, but for one.
constexpr std::array<std::string_view, 3> at_start{"state.dir", "state.memory", "attribution.keep"};
constexpr std::array<std::string_view, 4> at_once{"publish.http", "limits", "prequential", "recommenders"};
constexpr std::array<std::string_view, 9> anew{
    "threads", "inputs", "time", "experiments", "kafka", "dead_letter", "state", "publish", "limits.experiment_users"};

bool is_of(std::string_view place, const auto& keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) {
    return place.starts_with(key) && (place.size() == key.size() || place[key.size()] == '.' || place[key.size()] == '[');
  });
}

// Keys that are written in one of them alone, or differently.
std::vector<std::string> written_otherwise(const Config& before, const Config& now) {
  std::vector<std::string> places;
  for (const auto& [place, value] : now.written) {
    const auto was = before.written.find(place);
    if (was == before.written.end() || was->second != value) places.push_back(place);
  }
  for (const auto& [place, value] : before.written) {
    if (!now.written.contains(place)) places.push_back(place);
  }
  std::ranges::sort(places);
  return places;
}

bool turns_http(const Config& before, const Config& now) {
  return before.publish.http.is_on != now.publish.http.is_on;
}

}  // namespace

Reload reload_of(const Config& before, const Config& now) {
  Reload reload;
  for (const ConfigChange& change : config_changes(before, now)) reload.refused.push_back(change.place);
  constexpr std::array<std::string_view, 1> http{"publish.http"};
  for (const std::string& place : written_otherwise(before, now)) {
    if (is_of(place, at_start) || (turns_http(before, now) && is_of(place, http))) {
      reload.at_start.push_back(place);
    } else if (is_of(place, at_once) && place != "limits.experiment_users") {
      reload.at_once.push_back(place);
    } else if (is_of(place, anew)) {
      reload.anew.push_back(place);
    }
  }
  // Content of a catalogue's file.
  if (reload.refused.empty() && before.spec.config_hash != now.spec.config_hash) reload.anew.emplace_back("catalog.file");
  return reload;
}

Config reloaded(const Config& before, Config now) {
  now.state.dir = before.state.dir;
  now.state.memory = before.state.memory;
  if (now.spec.attribution && before.spec.attribution) now.spec.attribution->keep = before.spec.attribution->keep;
  if (turns_http(before, now)) now.publish.http = before.publish.http;
  return now;
}

std::string text_of(const Reload& reload) {
  std::string text = "read anew: files of rows and letters, token and certificate";
  const auto add = [&](std::string_view what, const std::vector<std::string>& places) {
    if (!places.empty()) text += fmt::format("; {}: {}", what, fmt::join(places, ", "));
  };
  add("changed at once", reload.at_once);
  add("changed, for which the run begins anew", reload.anew);
  add("as before until the program starts again", reload.at_start);
  return text;
}

}  // namespace recmeter
