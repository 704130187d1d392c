// Outbox: final rows from when they are made until they are known to be where they should be.
//
// The state holds each from the checkpoint after it was made on; only then it is handed to the publisher, in its order, as
// soon as that takes it. What it does not take waits in the state alone, however much it is, and is read there again.
// Invariants: published() <= rows handed over <= rows that the state holds <= rows(). Keys of the store: 'o' and the row's
// number. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "recmeter/base/notice.h"
#include "recmeter/port/row_publisher.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class Outbox {
 public:
  // All outlive it. `tell` may be empty: told once when rows cannot be published, and once when they are again. `passes`: as
  // AttachOptions::passes.
  Outbox(StateStore& store, RowPublisher& publisher, Tell tell, std::function<void(std::string_view)> passes)
      : store_(store), publisher_(publisher), tell_(std::move(tell)), passes_(std::move(passes)) {}

  // As the state holds it: rows before `published` are where they should be, those before `rows` are in the state.
  [[nodiscard]] Result<void> go_on_from(std::uint64_t published, std::uint64_t rows, std::string_view position);

  void add(std::string key, std::string value, EventTime final_at);
  // What was added since the last kept().
  [[nodiscard]] const std::deque<NumberedRow>& made() const { return made_; }
  // Puts that into `batch`, and drops what is published.
  void save(StateBatch& batch) const;
  // What save() has put is in the state.
  void kept();

  // Hands over what the state holds, as far as the publisher takes it.
  [[nodiscard]] Result<void> hand_over();
  // Asks the publisher how far it is. Whether it is further than before.
  [[nodiscard]] Result<bool> look();

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t published() const { return published_; }
  [[nodiscard]] std::uint64_t waiting() const { return rows_ - published_; }
  // Why rows cannot be published, and the remedy; "": they can.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  [[nodiscard]] Result<void> hand_over(const NumberedRow& row);
  [[nodiscard]] Result<void> hand_over_from_state();

  StateStore& store_;
  RowPublisher& publisher_;
  Tell tell_;
  std::function<void(std::string_view)> passes_;
  std::deque<NumberedRow> made_;
  std::deque<NumberedRow> recent_;  // of the last checkpoint, not to be read again if they are taken at once
  std::uint64_t rows_ = 0;          // number of the next one
  std::uint64_t kept_ = 0;          // in the state
  std::uint64_t handed_ = 0;
  std::uint64_t published_ = 0;
  std::string trouble_;
};

}  // namespace recmeter
