#include "app/replay_watch.h"

namespace recmeter {

struct ReplayWatch::Impl {};

Result<std::unique_ptr<ReplayWatch>> ReplayWatch::start(const Config& /*config*/) {
  return failure(Errc::config_invalid,
                 "--listen: this program was built without HTTP (RECMETER_CORE_ONLY); build preset release");
}
ReplayWatch::ReplayWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ReplayWatch::~ReplayWatch() = default;
std::string ReplayWatch::url() const {
  return {};
}
void ReplayWatch::seen(const Row& /*row*/) {}
void ReplayWatch::stands(const std::function<LiveStatus()>& /*make*/) {}
void ReplayWatch::serve(const Report& /*report*/, const std::atomic<bool>& /*stop*/) {}

}  // namespace recmeter
