// `attribution`: what a live run keeps so that it can say why a metric changed.
#include <fmt/format.h>

#include <algorithm>

#include "config/nearest.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

std::string names_of(const std::vector<WindowSpec>& windows) {
  std::string text;
  for (const WindowSpec& window : windows) {
    if (!window.is_whole()) text += (text.empty() ? "" : ", ") + window.name;
  }
  return text;
}

void read_attributed_windows(Section& section, const std::vector<WindowSpec>& windows, AttributionSpec& spec) {
  constexpr std::size_t windows_max = 64;
  const auto value = section.take("windows");
  const auto entries = value ? section.reader().list(*value, "[hour]", windows_max) : std::nullopt;
  if (!value || (entries && entries->empty())) {
    if (section.faults().none_in({section.path_of("windows")})) {
      section.faults().add_at(value ? section.path_of("windows") : section.path(), "no window is named",
                              "name those that are to be explained: windows: [hour]");
    }
    return;
  }
  for (const Value& entry : entries.value_or(std::vector<Value>{})) {
    const auto name = read_name(section.reader(), entry);
    if (!name) continue;
    const auto window = std::ranges::find(windows, *name, &WindowSpec::name);
    if (std::ranges::find(spec.windows, *name) != spec.windows.end()) {
      section.reader().complain_of(entry, "is there twice", "remove one");
    } else if (window == windows.end()) {
      if (!section.faults().none_in({"windows"})) continue;
      section.reader().complain_of(entry, "is no window", "name one of " + names_of(windows));
    } else if (window->is_whole()) {
      section.reader().complain_of(entry, "is the whole log, and of that there are no two to compare",
                                   "remove it, or name one of " + names_of(windows));
    } else {
      spec.windows.push_back(*name);
    }
  }
}

// Two windows have to be there at the same time.
void check_keep(const std::vector<WindowSpec>& windows, const AttributionSpec& spec, Section& section) {
  Faults& faults = section.faults();
  if (!faults.none_in({section.path_of("keep"), "windows"})) return;
  const WindowSpec* longest = nullptr;
  for (const WindowSpec& window : windows) {
    const bool is_named = std::ranges::find(spec.windows, window.name) != spec.windows.end();
    if (is_named && (longest == nullptr || window.size > longest->size)) longest = &window;
  }
  if (longest == nullptr || spec.keep.ms >= 2 * longest->size.ms) return;
  faults.add_at(section.has("keep") ? section.path_of("keep") : section.path(),
                fmt::format("keep: {} does not hold two windows `{}` of {}, so there would be nothing to compare",
                            text_of(spec.keep), longest->name, text_of(longest->size)),
                fmt::format("write keep: {} or more; to compare with a day before, a day and two windows",
                            text_of(Duration{2 * longest->size.ms})));
}

}  // namespace

void read_attribution(Section& root, Config& config) {
  const auto value = root.take("attribution");
  if (!value || !root.reader().is_mapping(*value, "attribution: {windows: [hour]}")) return;
  Section section(root.faults(), value->node, value->path);
  AttributionSpec spec;
  section.read(attribution_keys, spec);
  read_attributed_windows(section, config.spec.windows, spec);
  section.finish();
  check_keep(config.spec.windows, spec, section);
  config.spec.attribution = std::move(spec);
}

void check_item_group(const Config& config, Faults& faults) {
  constexpr const char* place = "attribution.item_group";
  const auto& attribution = config.spec.attribution;
  if (!attribution || attribution->item_group.empty() || !faults.none_in({place, "catalog"})) return;
  const auto& catalog = config.spec.catalog;
  if (!catalog || catalog->attribute_names.empty()) {
    faults.add_at(place, "there is no catalogue that says what items are",
                  "write catalog: {file: items.jsonl} with lines like {\"item_id\": \"a\", \"" +
                      shortened(attribution->item_group) + "\": \"...\"}, or remove it");
    return;
  }
  const std::vector<std::string>& names = catalog->attribute_names;
  if (std::ranges::find(names, attribution->item_group) != names.end()) return;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto near = nearest(attribution->item_group, known);
  constexpr std::size_t shown_max = 20;
  const auto shown = std::span(names).first(std::min(shown_max, names.size()));
  faults.add_at(place, fmt::format("no item of the catalogue has the attribute `{}`", shortened(attribution->item_group)),
                near ? "did you mean `" + *near + "`?" : fmt::format("name one of {}", fmt::join(shown, ", ")));
}

}  // namespace recmeter::config
