// DeadLetters: where records go that take no part in the results, as they came and with the reason. The port that output
// connectors implement.
//
// A letter that cannot be delivered is kept and tried again; it is for the caller to stop sending, and to go on from before a
// letter that was never delivered: so each is delivered at least once. Thread safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/result/dead_letter.h"

namespace recmeter {

class DeadLetters {
 public:
  virtual ~DeadLetters() = default;

  // Goes on where another run left off: `position` is what position() gave, "" at the very first. What was delivered after
  // that may be taken back.
  [[nodiscard]] virtual Result<void> go_on_from(std::string_view position) = 0;
  // Takes the letter; it may be on its way for long.
  [[nodiscard]] virtual Result<void> send(DeadLetter letter) = 0;

  struct Delivery {
    std::uint64_t delivered = 0;  // of the letters sent, this many first ones are where they should be, for good
    std::string trouble;  // why the others cannot be delivered at the moment, and the remedy; "": they are on their way
  };
  // Goes on with delivering, without waiting for anybody; `all`: what can be made safe at once is. Errors: what trying again
  // will not mend.
  [[nodiscard]] virtual Result<Delivery> deliver(bool all) = 0;
  // Says whether letters are delivered again only once the state has position(), which is another.
  [[nodiscard]] virtual bool awaits_state() const { return false; }
  // What go_on_from() needs in a run that sends again all that is not delivered now.
  [[nodiscard]] virtual std::string position() const = 0;
  // As RowPublisher::reopen().
  [[nodiscard]] virtual Result<void> reopen() { return {}; }
};

}  // namespace recmeter
