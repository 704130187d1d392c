// sample_file: the records of a log that infer replayed its proposal on, as a log of their own.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "recmeter/base/result.h"

namespace recmeter {

// Writes the first sample_records_max records of each log as they stand there, unpacked, with the lines before the header and
// the header: a replay of them counts what infer counted. `path`: a file; of several logs a directory, which is made, for
// files of their names. Errors: output_failed (of several logs two have one name, a log is an array or of Avro and has no
// records that stand alone, it cannot be written); those of reading the logs.
[[nodiscard]] Result<void> write_sample(const std::vector<std::string>& logs, const std::string& path,
                                        const std::atomic<bool>& stop);

}  // namespace recmeter
