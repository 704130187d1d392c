// StateStore: what outlives the process: an ordered map of bytes, changed in atomic batches. The port that state engines
// implement; what the bytes mean is the pipeline's business (state/FORMAT.md).
//
// Thread safety: one thread. Invariants:
//   (1) after any crash of the process the store holds the changes of a prefix of the batches written, each of them whole;
//       after a crash of the machine, of a prefix that holds at least every batch up to the last durable one;
//   (2) scans see the batches written before, in the order of the keys' bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"

namespace recmeter {

// Changes that are made together, later ones after earlier ones.
class StateBatch {
 public:
  struct Change {
    enum class Kind : std::uint8_t { put, erase, erase_range };
    Kind kind;
    std::string key;    // erase_range: the first
    std::string value;  // erase_range: the first key that stays
  };

  void put(std::string key, std::string value) { changes_.push_back({Change::Kind::put, std::move(key), std::move(value)}); }
  void erase(std::string key) { changes_.push_back({Change::Kind::erase, std::move(key), {}}); }
  // Keys in [from, to).
  void erase_range(std::string from, std::string to) {
    changes_.push_back({Change::Kind::erase_range, std::move(from), std::move(to)});
  }
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

 private:
  std::vector<Change> changes_;
};

class StateStore {
 public:
  virtual ~StateStore() = default;

  enum class Durability : std::uint8_t { process, machine };  // what it survives when write() has returned
  // Errors, of all calls: state_unusable where what is stored is damaged, else storage_failed. Nothing is known then of this
  // batch, and no further call is made.
  [[nodiscard]] virtual Result<void> write(const StateBatch& batch, Durability durability) = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> get(std::string_view key) const = 0;
  // Calls visit(key, value) for the keys in [from, to) in their order, while it returns true. Views live during the call.
  using Visit = std::function<bool(std::string_view key, std::string_view value)>;
  [[nodiscard]] virtual Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const = 0;
  // The first error of any call, also of one that another thread made to read beside the run.
  [[nodiscard]] virtual Result<void> condition() const { return {}; }
};

}  // namespace recmeter
