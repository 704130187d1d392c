// What a state keeps of the configuration that made it: the sections that decide results, as YAML that load_config() reads to
// the same values in any environment.
//
// Variables are replaced in it, and it holds no key of `kafka`, `dead_letter`, `state` or `publish`, so no secret of theirs;
// of a catalogue it holds the size or the file's name. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "config/document.h"

namespace recmeter::config {

// `document`: the root of a configuration without faults.
[[nodiscard]] std::string kept_text(const Node& document);
// What a partial keeps: experiments besides, whose sums travel in it.
[[nodiscard]] std::string parted_text(const Node& document);

// Config::written of the whole.
[[nodiscard]] std::map<std::string, std::uint64_t> written_values(const Node& document);

}  // namespace recmeter::config
