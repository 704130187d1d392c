// MemoryLetters: dead letters into memory that outlives the run: the reference for DeadLetters, and for tests of those who
// send. Thread safety: none.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/port/dead_letters.h"
#include "support/dice.h"

namespace recmeter::support {

struct DeliveredLetters {
  std::vector<DeadLetter> letters;
  bool is_obstructed = false;
};

class MemoryLetters final : public DeadLetters {
 public:
  // `percent`: how often a delivery that is not asked for gets on. `to` outlives it.
  MemoryLetters(DeliveredLetters& to, std::uint64_t seed, std::size_t percent) : to_(to), dice_(seed), percent_(percent) {}

  [[nodiscard]] Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  [[nodiscard]] Result<void> send(DeadLetter letter) override {
    under_way_.push_back(std::move(letter));
    return {};
  }
  [[nodiscard]] Result<Delivery> deliver(bool /*all*/) override {
    if (to_.is_obstructed) return Delivery{.delivered = delivered_, .trouble = "it is obstructed"};
    while (!under_way_.empty() && dice_.percent(percent_)) {
      to_.letters.push_back(std::move(under_way_.front()));
      under_way_.pop_front();
      ++delivered_;
    }
    return Delivery{.delivered = delivered_, .trouble = {}};
  }
  [[nodiscard]] std::string position() const override { return {}; }

 private:
  DeliveredLetters& to_;
  Dice dice_;
  std::size_t percent_;
  std::deque<DeadLetter> under_way_;
  std::uint64_t delivered_ = 0;
};

}  // namespace recmeter::support
