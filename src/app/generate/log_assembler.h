// LogAssembler: records of many times become one log, each at its place, in as many files as the split says.
//
// A record's *place* is when it was written to the log, its `ts` what it claims. Records come out by (place, order of add).
// A late one is held back until its file is further than the lateness ahead of it, so it is late for certain.
// Thread safety: none. Memory: the records added and not yet due. Invariants:
//   (1) write_until never writes a record whose place is beyond its argument;
//   (2) with honest_end, each file ends with an honest record: where it would not, an organic click is added.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/generate/traffic_spec.h"
#include "app/generate/truth.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter::generate {

// Where finished records go. `file` is 0 without a split; 0 for lists and 1 for actions by kind; by hour, the hours since
// that of TrafficSpec::start, never falling.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  // `record` comes without its line feed. `place`: when it was written; never falls within a file.
  [[nodiscard]] virtual Result<void> write(std::uint32_t file, EventTime place, std::string_view record) = 0;
};

enum class RecordRole : std::uint8_t { honest, copy, late, wrong_clock, malformed };

class LogAssembler {
 public:
  // `last_list`: when the last list is shown; late records are held back no longer than the log goes on.
  LogAssembler(const TrafficSpec& spec, Split split, EventTime last_list, RecordSink& sink, Truth& truth);

  // Requires: place not before the argument of the last write_until; for a late record, ts + lateness < last_list.
  void add(EventTime place, EventTime ts, RecordRole role, bool action, std::string_view record);
  [[nodiscard]] Result<void> write_until(EventTime place);
  // Writes all that is left. Nothing may be added after it.
  [[nodiscard]] Result<void> finish();

 private:
  struct Pending {
    EventTime place;
    std::uint64_t order;
    EventTime ts;
    std::uint32_t slot;
    RecordRole role;
    bool action;
  };
  struct File {
    EventTime newest = minus_infinity;  // of its honest records
    EventTime place = minus_infinity;   // of its last record
    bool honest_last = true;
  };
  static bool due_later(const Pending& a, const Pending& b) noexcept;
  void push(const Pending& pending);
  [[nodiscard]] std::uint32_t file_of(const Pending& pending) const noexcept;
  [[nodiscard]] Result<void> write_next();
  [[nodiscard]] Result<void> put(std::uint32_t file, EventTime place, std::string_view record);
  [[nodiscard]] Result<void> close_file(std::uint32_t file);
  [[nodiscard]] Result<void> put_far_clock();

  const TrafficSpec& spec_;
  Split split_;
  EventTime last_list_;
  RecordSink& sink_;
  Truth& truth_;
  std::vector<Pending> heap_;
  std::vector<std::string> slots_;  // text of pending records
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t order_ = 0;
  std::map<std::uint32_t, File> files_;  // those still open
  std::uint32_t hour_ = 0;
};

// What a clock that is far off says: 2199-06-01T00:00:00Z.
inline constexpr EventTime far_clock_time{7'239'628'800'000};

}  // namespace recmeter::generate
