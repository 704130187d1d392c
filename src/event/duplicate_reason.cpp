#include "recmeter/event/duplicate_reason.h"

#include "recmeter/base/check.h"

namespace recmeter {

std::string_view to_string(DuplicateReason reason) noexcept {
  switch (reason) {
    case DuplicateReason::again: return "again";
    case DuplicateReason::nothing_new: return "nothing_new";
    case DuplicateReason::taken: return "taken";
    case DuplicateReason::shown: return "shown";
    case DuplicateReason::late_row: return "late_row";
    case DuplicateReason::full: return "full";
    case DuplicateReason::once: return "once";
    case DuplicateReason::line: return "line";
  }
  RECMETER_CHECK(false, "a duplicate without a reason");
}

}  // namespace recmeter
