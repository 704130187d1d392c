// Error: what went wrong outside the program, as a value.
//
// `code` is a bounded set, so that it can be counted and acted upon; `context` is one sentence for a person: place, cause and
// remedy, the fixed text first and the values last. Programmer errors are not errors in this sense: see base/check.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recmeter {

enum class Errc : std::uint8_t {
  config_invalid,    // a configuration or a command line that cannot be run
  input_missing,     // an input that is not there
  input_unreadable,  // an input that is there and cannot be read (permission, a directory, an I/O error)
  input_corrupt,     // compressed or framed bytes that are damaged or end early
  output_failed,     // a result could not be written
  state_unusable,    // a state that cannot be gone on from (absent, foreign, damaged, of another configuration)
  state_in_use,      // a state that another process has
  storage_failed,    // the state could not be read or written any more
  interrupted,       // the user asked to stop
};

[[nodiscard]] std::string_view to_string(Errc code) noexcept;

struct Error {
  Errc code;
  std::string context;
};

}  // namespace recmeter
