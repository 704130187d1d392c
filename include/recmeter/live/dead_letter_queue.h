// DeadLetterQueue: the records of a live run that take no part in its results, on their way to the dead letters.
//
// It is told every fate as the Sequencer decides it, and makes letters of the records asked for; of a record with several
// events one letter, with the first reason. Records with a broker timestamp are decided while their block is sequenced, so no
// record is kept longer than its block. Without a place for dead letters it does nothing. Thread safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/live/run_host.h"
#include "recmeter/port/dead_letters.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct LetterFates {
  bool invalid = true;
  bool future = true;
  bool late = false;
};

class DeadLetterQueue final : public FateWitness {
 public:
  // `to` may be null and outlives the queue; `tell` may be empty: told once when letters cannot be delivered, and once when
  // they can again.
  DeadLetterQueue(DeadLetters* to, const LetterFates& fates, Tell tell) : to_(to), fates_(fates), tell_(std::move(tell)) {}

  [[nodiscard]] bool is_used() const { return to_ != nullptr; }
  // Continues where the state says, which `store` outlives the queue for: it is told at once where letters go after a file
  // was lost. Letters are delivered before the checkpoint that moves past them: so where they begin is kept before the first.
  [[nodiscard]] Result<void> resume(StateStore& store);
  // Puts where they are into `batch`.
  void save(StateBatch& batch) const;
  void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
            std::optional<DuplicateReason> why) override;
  // Sends what has been decided since the last call. Requires: these were events of `block`, of the partition `name`.
  [[nodiscard]] Result<void> send(std::string_view name, const Intake::Block& block);

  // Whether so much is under way that nothing more should be read.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::uint64_t under_way() const { return under_way_.size(); }
  // Goes on with delivering; `all`: a checkpoint waits for it. Whether nothing is under way any more.
  [[nodiscard]] Result<bool> deliver(bool all);
  // The same, and whether the run may sequence more at `now`, by the reader's clock: not while a checkpoint waits for
  // letters, or too many are under way.
  [[nodiscard]] Result<bool> may_sequence(bool checkpoint_waits, EventTime now);
  // Delivers all, for `patience` at most: what is not delivered by then is read again by the next run. Whether all is.
  [[nodiscard]] Result<bool> drain(RunHost& host, Duration patience);
  // Since when it may not.
  [[nodiscard]] std::optional<EventTime> waits_since() const { return waits_since_; }

 private:
  struct Decided {
    std::uint32_t event;
    Fate fate;
  };
  [[nodiscard]] static DeadLetter letter_of(std::string_view name, const RecordBatch& records, std::size_t record,
                                            const Decided& decided, const Event& event);
  void tell(Notice notice, std::string_view message) const {
    if (tell_) tell_(notice, message);
  }

  DeadLetters* to_;
  StateStore* store_ = nullptr;
  LetterFates fates_;
  Tell tell_;
  std::vector<Decided> decided_;       // of the block that is being sequenced
  std::deque<std::size_t> under_way_;  // bytes of each letter sent and not known to be delivered
  std::size_t bytes_under_way_ = 0;
  std::uint64_t delivered_ = 0;
  std::optional<EventTime> waits_since_;  // by the reader's clock
  bool is_in_trouble_ = false;
};

}  // namespace recmeter
