// StepHistory: a count that changes from step to step, as it was at each of the recent ones.
//
// Thread safety: at() from any thread while nothing changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "recmeter/base/fetch_ahead.h"

namespace recmeter {

class StepHistory {
 public:
  // From `step` on the count is `value`. Requires: step is not below those told before. What it was before `needed_from` may
  // be forgotten.
  void set(std::int64_t step, std::uint64_t value, std::int64_t needed_from) {
    if (!versions_.empty() && versions_.back().step == step) {
      versions_.back().value = value;
      return;
    }
    if (versions_.size() == versions_.capacity()) forget_before(needed_from);
    versions_.push_back({step, value});
  }
  // Requires: the step is not forgotten.
  [[nodiscard]] std::uint64_t at(std::int64_t step) const { return lasting_at(step).value; }
  // The same, and the step from which on it is another; the largest there is where none is known.
  struct Lasting {
    std::uint64_t value;
    std::int64_t until;
  };
  [[nodiscard]] Lasting lasting_at(std::int64_t step) const {
    const auto later = after(step);
    return {.value = later == versions_.begin() ? 0 : (later - 1)->value,
            .until = later == versions_.end() ? std::numeric_limits<std::int64_t>::max() : later->step};
  }
  void prefetch() const { fetch_ahead(versions_.data() + versions_.size() / 2); }
  [[nodiscard]] std::uint64_t newest() const { return versions_.empty() ? 0 : versions_.back().value; }
  [[nodiscard]] std::size_t memory_bytes() const { return versions_.capacity() * sizeof(Version); }

 private:
  struct Version {
    std::int64_t step;
    std::uint64_t value;
  };
  [[nodiscard]] std::vector<Version>::const_iterator after(std::int64_t step) const {
    return std::upper_bound(versions_.begin(), versions_.end(), step,
                            [](std::int64_t wanted, const Version& version) { return wanted < version.step; });
  }
  // Only where it frees half of them, so that it costs no more than growing does.
  void forget_before(std::int64_t needed_from) {
    const auto later = after(needed_from);
    if (later == versions_.begin() || 2 * (later - 1 - versions_.begin()) < std::ssize(versions_)) return;
    versions_.erase(versions_.begin(), later - 1);
  }

  std::vector<Version> versions_;  // ascending by step
};

}  // namespace recmeter
