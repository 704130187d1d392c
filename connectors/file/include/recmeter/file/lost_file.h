// LostFile: a file that rows or letters were appended to, and that others moved, deleted or cut. [I2.39].
//
// Who rotates files of a run from outside does that. The run goes on in a new file, and tells which line the old one ends
// with: if that file is gone for good, the lines up to there are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace recmeter::file {

struct LostFile {
  std::string setting;                         // the key that names it, such as publish.file.path
  std::string sentence;                        // place, what happened, the last line
  std::optional<std::uint64_t> last_row = {};  // the number of the last row before; none: no row, or a letter
};
// Called by whoever notices, in its thread; may be empty.
using TellLost = std::function<void(const LostFile&)>;

}  // namespace recmeter::file
