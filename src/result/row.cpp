#include "recmeter/result/row.h"

#include "recmeter/base/check.h"

namespace recmeter {

std::string_view to_string(Stage stage) noexcept {
  switch (stage) {
    case Stage::provisional: return "provisional";
    case Stage::final: return "final";
    case Stage::truncated: return "truncated";
  }
  RECMETER_CHECK(false, "a stage without a name");
}

}  // namespace recmeter
