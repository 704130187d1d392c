// Outbox: final rows from when they are made until they are known to be where they should be.
//
// The state holds each from the checkpoint after it was made on; only then it is handed to the publisher, in its order, as
// soon as that takes it. What it does not take waits in the state alone, however much it is, and is read there again.
// Invariants: published() <= rows handed over <= rows that the state holds <= rows(). Keys of the store: 'o' and the row's
// number, and 'n', how many looks are among the rows. Where rows are kept for queries too, 'o' names the place, and the JSON
// is written once. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/experiment/experiment_row.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/duration_histogram.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

class Outbox {
 public:
  // All outlive it. `tell` may be empty: told once when rows cannot be published, and once when they are again.
  Outbox(StateStore& store, RowPublisher& publisher, Tell tell)
      : store_(store), publisher_(publisher), tell_(std::move(tell)) {}

  // Says whether all rows are in the state that are not known to be published, and can be read. Errors: state_unusable.
  struct Waiting {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;            // of keys and values
    EventTime since = plus_infinity;    // when the first of them became final
    Duration reach{0};                  // from the start of one that is kept for queries, or before it, to when it was final
    std::uint64_t looks = 0;            // rows of experiments that were made, and of these
    std::uint64_t looks_published = 0;  // known to be published
  };
  [[nodiscard]] static Result<Waiting> waiting_in(const StateStore& store, const Checkpoint& checkpoint);

  // As the state holds it: rows before `published` are where they should be, those before `rows` are in the state. The first
  // start of a state is one from an empty checkpoint.
  [[nodiscard]] Result<void> resume(const Checkpoint& from);
  // Whether the runs before this one made the row that became final then.
  [[nodiscard]] bool had(EventTime final_at) const { return final_at <= rows_to_; }

  // Returns the bytes of memory that all who keep it take until it is kept, about. `kept_under`: where the same batch keeps
  // the row for queries (RowArchive::note()), "": nowhere. Then it is not written twice, and has to stay there while it
  // waits.
  std::size_t add(const RenderedRow& row, std::string kept_under = {});
  // Where the publisher wants none of experiments, none is kept.
  std::size_t add(const RenderedExperimentRow& row);
  // Rows were added that no checkpoint holds; and of these the bytes.
  [[nodiscard]] bool has_made() const { return !made_.empty(); }
  [[nodiscard]] std::size_t made_bytes() const { return made_bytes_; }
  // Puts them into `batch`, drops what is published, and says in the checkpoint how far it is; `rows_to`: rows that became
  // final up to then are made.
  void save(StateBatch& batch, EventTime rows_to, Checkpoint& to) const;
  // What save() has put is in the state, since `now`, by the reader's clock.
  void kept(EventTime now);

  // No row that starts before it waits to be published; plus_infinity: none waits.
  [[nodiscard]] EventTime needs_kept_from() const;

  // Hands over what the state holds, as far as the publisher takes it.
  [[nodiscard]] Result<void> hand_over();
  // Asks the publisher how far it is. Whether it is further than before.
  [[nodiscard]] Result<bool> look();

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  // Of these rows of experiments, and how many of them are not known to be published.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  [[nodiscard]] std::uint64_t looks_waiting() const { return looks_ - looks_published_; }
  [[nodiscard]] std::uint64_t published() const { return published_; }
  [[nodiscard]] std::uint64_t waiting() const { return rows_ - published_; }
  // Why rows cannot be published, and the remedy; "": they can.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  // From when rows became final to the checkpoint that keeps them.
  [[nodiscard]] const DurationHistogram& latency() const { return latency_; }

 private:
  struct Made {
    NumberedRow row;
    std::string kept_under;
  };
  struct Some {
    std::vector<Made> rows;
    std::uint64_t bytes = 0;  // of their keys and values
  };
  // The first row of a checkpoint.
  struct Mark {
    std::uint64_t number;
    EventTime final_at;
  };
  std::size_t add(Made&& made, std::size_t other_bytes);
  [[nodiscard]] EventTime first_final_at() const;
  [[nodiscard]] static std::optional<Made> made_from(std::string_view key, std::string_view value);
  // The rows that follow from number `from` on, some of those before `to`, whole. Errors: state_unusable, also where there is
  // no row of that number.
  [[nodiscard]] static Result<Some> some_in(const StateStore& store, std::uint64_t from, std::uint64_t to);
  [[nodiscard]] Result<void> hand_over(const NumberedRow& row);
  [[nodiscard]] Result<void> hand_over_from_state();

  StateStore& store_;
  RowPublisher& publisher_;
  Tell tell_;
  std::deque<Made> made_;
  std::size_t made_bytes_ = 0;
  std::deque<NumberedRow> recent_;  // of the last checkpoint, not to be read again if they are taken at once
  std::deque<Mark> marks_;          // of checkpoints with rows that are not known to be published
  std::uint64_t rows_ = 0;          // number of the next one
  std::uint64_t kept_ = 0;          // in the state
  std::uint64_t handed_ = 0;
  std::uint64_t published_ = 0;
  std::uint64_t looks_ = 0;                 // made
  std::uint64_t looks_published_ = 0;       // known to be
  std::deque<std::uint64_t> looks_handed_;  // of this run, numbers of those that are not
  EventTime rows_to_ = minus_infinity;      // of the runs before
  Duration reach_{0};                       // from the start of a window to when its row is final, the longest there was
  std::string trouble_;
  DurationHistogram latency_;
};

}  // namespace recmeter
