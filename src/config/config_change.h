// ConfigChange: what differs between the configuration that made a state and the one it is to go on with. [I3].
//
// Every key is of one kind (docs/configuration.md):
//   free      changes no row: it may change at any start;
//   additive  changes which rows there are, not what events mean: it holds for windows that start from then on;
//   meaning   changes what events mean: a state goes on with it only after it has read its events again.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace recmeter {

enum class KeyKind : std::uint8_t { free, additive, meaning };

// Every key there is; `[]` stands for an entry of a list, `*` for a name of the user's.
struct ConfigKey {
  std::string_view name;
  KeyKind kind;
};
[[nodiscard]] std::span<const ConfigKey> config_keys() noexcept;

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
