// An Error becomes a failed Result through failure() only, never by chance.
#include <string>

#include "recmeter/base/result.h"

namespace recmeter {

Result<std::string> use() {
#ifdef MUST_NOT_COMPILE
  return Error{Errc::input_missing, "a.jsonl"};
#else
  return failure(Errc::input_missing, "a.jsonl");
#endif
}

}  // namespace recmeter
