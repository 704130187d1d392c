// RecordSource: one partition's records, in order. The port that input connectors implement.
//
// Thread safety: one caller at a time, not always the same thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/event/record_batch.h"

namespace recmeter {

class RecordSource {
 public:
  virtual ~RecordSource() = default;

  // What a user calls it: the path as given, or "stdin".
  [[nodiscard]] virtual std::string_view name() const = 0;

  // The next records, about `bytes` of them and at least one record unless the partition has ended (`last` of the result),
  // or, where it goes on, nothing is there yet. `reuse` gives its buffers back for reuse; its content is lost. After `last`
  // no further call is made.
  [[nodiscard]] virtual Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) = 0;

  // Gives up descriptors and buffers until the next read, which goes on where the last one ended. A source that cannot
  // (a pipe) keeps them.
  virtual void suspend() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  // Whether there was nothing more when it was read last; of a partition that goes on.
  [[nodiscard]] virtual bool is_caught_up() const { return false; }
  // Whether the partition has, or had, records before the first that read() gives.
  [[nodiscard]] virtual bool is_cut_at_start() const { return false; }

  // Of a topic: the offset of the first record that read() may give.
  [[nodiscard]] virtual std::int64_t next_offset() const { return 0; }
  // Of a topic: the offset behind the last record, of one that is bounded the last that read() gives; as far as is known
  // without asking; may be called beside read().
  [[nodiscard]] virtual std::optional<std::int64_t> end_offset() const { return std::nullopt; }

  // Bytes of the stored (compressed) form: the whole, 0 if unknown, and what has been consumed; for progress.
  [[nodiscard]] virtual std::uint64_t bytes_total() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

}  // namespace recmeter
