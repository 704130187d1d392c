// letter_file: dead letters appended to a file, a line of JSON each (result/dead_letter.h).
//
// The state keeps how long the file was; a run that goes on cuts it back to there and is sent again what came after, so that
// a crash leaves neither half a line nor a letter twice. A new file is its owner's alone (0600), since records hold user ids.
// What cannot be written (a full disk) is kept and tried again. A file
// that others move, delete or cut is noticed at the next delivery ([I2.39]), and letters go to the one that is there then. A
// run that is killed before the checkpoint after that may write the letters between again. Errors of go_on_from(), and of
// deliver() where another file has taken the place: state_unusable, where the state did not write it; output_failed.
#pragma once

#include <memory>
#include <string>

#include "recmeter/file/lost_file.h"
#include "recmeter/port/dead_letters.h"

namespace recmeter::file {

// Nothing is opened before go_on_from().
[[nodiscard]] std::unique_ptr<DeadLetters> letter_file(std::string path, TellLost lost = {});

}  // namespace recmeter::file
