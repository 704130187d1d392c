// RecordRun: keyed records that lie in order in a scratch file, and their way back out of it, alone or merged with others.
//
// Thread safety: none. Errors: those of ScratchFile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "file/scratch_file.h"
#include "recmeter/base/event_time.h"
#include "recmeter/event/record_batch.h"

namespace recmeter::file {

// Stands before each record's bytes.
struct RunHeader {
  std::int64_t key;
  std::int64_t broker_time;
  std::uint32_t size;
  bool has_broker_time;
  bool tombstone;
};

struct RecordRun {
  std::uint64_t offset = 0;  // in the scratch file
  std::uint64_t size = 0;
};

// Appends records, as they come, to a scratch file.
class RunWriter {
 public:
  explicit RunWriter(ScratchFile& scratch) : scratch_(scratch) {}

  // `record`: header and bytes.
  [[nodiscard]] Result<void> add(std::string_view record);
  // Requires: add() was called.
  [[nodiscard]] Result<RecordRun> finish();

 private:
  [[nodiscard]] Result<void> flush();

  ScratchFile& scratch_;
  std::vector<char> pending_;
  RecordRun run_;
};

class RunReader {
 public:
  RunReader(RecordRun run, std::size_t buffer_bytes) : left_(run), buffer_bytes_(buffer_bytes) {}

  // Stands at the first record, or the next one. False: there is none.
  [[nodiscard]] Result<bool> advance(const ScratchFile& scratch);
  // Requires: advance() was true.
  [[nodiscard]] const RunHeader& header() const { return header_; }
  // Header and bytes, until the next call of another.
  [[nodiscard]] Result<std::string_view> record(const ScratchFile& scratch);
  // Gives up the buffer; stands where it stood.
  void suspend();

 private:
  [[nodiscard]] std::size_t size() const { return has_record_ ? sizeof header_ + header_.size : 0; }
  [[nodiscard]] Result<void> fill(const ScratchFile& scratch, std::size_t bytes);

  RecordRun left_;  // behind the buffer
  std::size_t buffer_bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;  // where the record in hand begins
  bool has_record_ = false;
  RunHeader header_{};
};

// Runs merged, by key; of equal keys those of the run that stands first in the list.
class RunMerge {
 public:
  RunMerge(std::shared_ptr<const ScratchFile> scratch, const std::vector<RecordRun>& runs, std::size_t buffer_bytes);

  // The next record, header and bytes, until the next call; empty behind the last.
  [[nodiscard]] Result<std::string_view> next();
  void suspend();

 private:
  [[nodiscard]] Result<void> enter(std::size_t run);
  [[nodiscard]] bool is_behind(std::size_t a, std::size_t b) const;

  std::shared_ptr<const ScratchFile> scratch_;
  std::vector<RunReader> readers_;
  std::vector<std::size_t> heap_;    // of readers that stand at a record
  std::optional<std::size_t> last_;  // whose record was given
};

}  // namespace recmeter::file
