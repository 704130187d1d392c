// What may have failed is looked at.
#include "recmeter/base/result.h"

namespace recmeter {

[[nodiscard]] Result<int> attempt();

bool use() {
#ifdef MUST_NOT_COMPILE
  attempt();
  return true;
#else
  return attempt().has_value();
#endif
}

}  // namespace recmeter
