#include "recmeter/base/error.h"

#include "recmeter/base/check.h"

namespace recmeter {

std::string_view to_string(Errc code) noexcept {
  switch (code) {
    case Errc::config_invalid: return "config_invalid";
    case Errc::input_missing: return "input_missing";
    case Errc::input_unreadable: return "input_unreadable";
    case Errc::input_corrupt: return "input_corrupt";
    case Errc::output_failed: return "output_failed";
    case Errc::state_unusable: return "state_unusable";
    case Errc::state_in_use: return "state_in_use";
    case Errc::storage_failed: return "storage_failed";
    case Errc::interrupted: return "interrupted";
  }
  RECMETER_CHECK(false, "an error code without a name");
}

}  // namespace recmeter
