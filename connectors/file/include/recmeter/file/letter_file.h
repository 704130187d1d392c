// letter_file: dead letters appended to a file, a line of JSON each (result/dead_letter.h).
//
// The state keeps how long the file was; a run that goes on cuts it back to there and is sent again what came after, so that
// a crash leaves neither half a line nor a letter twice. A new file is its owner's alone (0600), since records hold user ids.
// What cannot be written (a full disk) is kept and tried again. Errors of go_on_from(): output_failed.
#pragma once

#include <memory>
#include <string>

#include "recmeter/port/dead_letters.h"

namespace recmeter::file {

// Nothing is opened before go_on_from().
[[nodiscard]] std::unique_ptr<DeadLetters> letter_file(std::string path);

}  // namespace recmeter::file
