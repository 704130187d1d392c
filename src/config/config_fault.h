// ConfigFault: one mistake in a configuration, for a person: where it stands, what is wrong, what to do about it.
//
// Plain values; any thread. `message` and `remedy` are sentence parts without a full stop, so that a fault is one line:
//   replay.yaml:7:12: windows[1].slide: 7m does not divide the size 1h; choose 6m or 10m
// Values of secrets (passwords, tokens, keys under kafka.properties) and of variables are never part of it.
#pragma once

#include <span>
#include <string>

namespace recmeter {

struct ConfigFault {
  std::string file;
  int line = 1;      // from 1
  int column = 1;    // from 1, in characters
  std::string path;  // join.actions.purchase.after, windows[1].slide; empty: the document itself
  std::string message;
  std::string remedy;
};

// One line without a newline, as shown above.
[[nodiscard]] std::string to_text(const ConfigFault& fault);
// All of them as a JSON array of objects with the members of ConfigFault, without a newline.
[[nodiscard]] std::string to_json(std::span<const ConfigFault> faults);

}  // namespace recmeter
