#include "recmeter/base/fail_point.h"

#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

std::function<void(std::string_view)>& listener() {
  static std::function<void(std::string_view)> passed;
  return passed;
}

}  // namespace

void fail_point(std::string_view name) {
  if (const auto& passed = listener()) passed(name);
}

FailPointListener::FailPointListener(std::function<void(std::string_view)> passed) {
  RECMETER_CHECK(!listener(), "one at a time listens at fail points");
  listener() = std::move(passed);
}

FailPointListener::~FailPointListener() {
  listener() = nullptr;
}

}  // namespace recmeter
