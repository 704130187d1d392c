// Preset: what another tool means by its names, as far as its values come out here on the same lists: to 1e-9, checked by
// tests/conformance against the tool itself. What does not come out is listed with the reason, and refused.
//
// Values, immutable, with static storage; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "recmeter/metric/metric_spec.h"

namespace recmeter {

struct PresetName {
  std::string_view name;    // the tool's: letters, digits, `_` and `-`
  std::string_view metric;  // ours
  MetricOptions options = {};
  std::string_view note = {};  // what to mind; may be empty
};

struct PresetRefusal {
  std::string_view name;  // the tool's, or ours
  std::string_view why;   // continues "cannot be reproduced: "
};

struct Preset {
  std::string_view name;      // as the configuration calls it
  std::string_view version;   // of the tool, as checked
  std::string_view holds;     // for which lists, and how the tool is fed
  bool whole_grades = false;  // only for gains that are 0 or whole numbers: it takes grades below 1 as not relevant
  std::span<const PresetName> names;
  std::span<const PresetRefusal> refused;

  // The first row whose tool's name, else whose metric, is `name`; nullptr when there is none. So our own names work too, and
  // mean the tool's definition.
  [[nodiscard]] const PresetName* find(std::string_view name) const noexcept;
  [[nodiscard]] const PresetRefusal* refusal(std::string_view name) const noexcept;
};

// "rbp.95", ranx's spelling of a persistence: 0.95, of the name before the point. Nothing: it is none.
struct SpeltPersistence {
  std::string_view name;
  double p = 0;
};
[[nodiscard]] std::optional<SpeltPersistence> spelt_persistence(std::string_view name);

[[nodiscard]] std::span<const Preset> all_presets() noexcept;

// nullptr when there is none of that name.
[[nodiscard]] const Preset* find_preset(std::string_view name) noexcept;

}  // namespace recmeter
