// ConfigChange: what differs between the configuration that made a state and the one it is to go on with. [I3].
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "config/keys.h"

namespace recmeter {

struct ConfigChange {
  KeyKind kind = KeyKind::additive;
  std::string place;  // join.actions.click.gain; keys of inputs by topic: inputs(clicks).unit
  std::string was;
  std::string is;
};

// Additive changes and changes of meaning, in the order of the keys. Compared is what the keys come to, defaults included:
// that a topic stands in another entry, or a default is written, is no change. The items of a catalogue file are not
// compared.
[[nodiscard]] std::vector<ConfigChange> config_changes(const Config& before, const Config& now);

}  // namespace recmeter
