// RowSink: where finished rows go. One caller thread; rows come in the order of [S7].
#pragma once

#include "recmeter/base/result.h"
#include "recmeter/result/row.h"

namespace recmeter {

class RowSink {
 public:
  virtual ~RowSink() = default;
  [[nodiscard]] virtual Result<void> write(const Row& row) = 0;
};

// For a run whose rows nobody asks for.
class NoRows final : public RowSink {
 public:
  Result<void> write(const Row& /*row*/) override { return {}; }
};

}  // namespace recmeter
