// RowPublisher: where a live run's rows go, final ones each at least once and repeated only with the same bytes. The port
// that output connectors implement.
//
// Rows are numbered from 0 without gaps and handed over in their order, only after the state holds them. Thread safety: one
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

enum class RowKind : std::uint8_t { window, experiment };

struct NumberedRow {
  std::uint64_t number = 0;
  RowKind kind = RowKind::window;
  std::string key;    // the row's identity as canonical JSON
  std::string value;  // the row as JSON, without a newline
  // When it became final in event time: the end of the window or look, and the horizon. Never decreases among those of a
  // kind.
  EventTime final_at = minus_infinity;
};

class RowPublisher {
 public:
  virtual ~RowPublisher() = default;

  // Goes on where another run left off: `position` is what position() gave, "" at the very first.
  [[nodiscard]] virtual Result<void> go_on_from(std::string_view position) = 0;
  // Whether it takes rows of experiments, too; else it is given none.
  [[nodiscard]] virtual bool wants_experiments() const { return false; }
  // Whether it takes no row now: those that it has are on their way for long. They wait in the state meanwhile.
  [[nodiscard]] virtual bool is_full() const { return false; }
  // Says whether it takes rows again only once the state has position(), which is another, though no row was published.
  [[nodiscard]] virtual bool awaits_state() const { return false; }
  // Says whether others can take away what is published, so that the state should know of all of it when a run ends.
  [[nodiscard]] virtual bool can_be_taken_away() const { return false; }
  // Takes the row, without waiting for anybody; it may still be on its way when this returns. Errors: what trying again will
  // not mend. Requires: not is_full().
  [[nodiscard]] virtual Result<void> publish(const NumberedRow& row) = 0;
  // Rows that may still change: the latest of a key counts, none is waited for, and none comes after its final row. Not
  // numbered; called only where they are wanted.
  [[nodiscard]] virtual bool wants_provisional() const { return false; }
  [[nodiscard]] virtual Result<void> publish_provisional(std::string_view /*key*/, std::string_view /*value*/) { return {}; }
  // Why rows cannot be published at the moment, and the remedy; "": they can, or are on their way.
  [[nodiscard]] virtual std::string trouble() { return {}; }
  // Goes on with publishing. All rows before this number are where they should be, for good. Errors: as those of publish().
  [[nodiscard]] virtual Result<std::uint64_t> published() = 0;
  // How often a place refused rows or could not be reached, since the run began.
  [[nodiscard]] virtual std::uint64_t errors() const { return 0; }
  // What go_on_from() needs in a run that publishes from published() on again. The state has it before another call of
  // publish() or published().
  [[nodiscard]] virtual std::string position() const = 0;
  // Whoever keeps the files has moved them away (SIGHUP): what comes next goes to where their paths lead now. Errors: what
  // cannot be opened; then it goes on as before.
  [[nodiscard]] virtual Result<void> reopen() { return {}; }
};

}  // namespace recmeter
