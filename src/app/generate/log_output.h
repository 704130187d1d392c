// LogOutput: where a generated log goes for good: files, or topics.
#pragma once

#include "app/generate/log_assembler.h"

namespace recmeter::generate {

class LogOutput : public RecordSink {
 public:
  // Nothing is written after it; until then nothing need be where it belongs.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

}  // namespace recmeter::generate
