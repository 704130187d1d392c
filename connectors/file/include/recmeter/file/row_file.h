// row_file: final rows appended to a file, one a line, each once.
//
// The state keeps how long the file was; a run that goes on cuts it back to there and writes again what came after, so that a
// crash leaves neither a gap nor a row twice, nor half of one. Errors: output_failed.
#pragma once

#include <memory>
#include <string>

#include "recmeter/base/result.h"
#include "recmeter/port/row_publisher.h"

namespace recmeter::file {

// Nothing is opened before go_on_from().
[[nodiscard]] std::unique_ptr<RowPublisher> row_file(std::string path);

}  // namespace recmeter::file
