// Any target is what a client asks for. An answer must come, of a status that the contract has, and be what it says it is:
// JSON where it is called JSON, and a reader's words in it only as a string.
#include <simdjson.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "app/monitor/api.h"
#include "http/target.h"
#include "unit/monitor/shown_run.h"

namespace {

using namespace recmeter;

void require(bool claim, const char* what, std::string_view target) {
  if (claim) return;
  std::fprintf(stderr, "api_fuzz: %s: %.*s\n", what, static_cast<int>(target.size()), target.data());
  std::abort();
}

// Some final windows, some kept, some open, of two variants.
class Shown {
 public:
  Shown() : events_(std::make_shared<http::EventRing>(1, http::EventRing::Bounds{})) {
    for (std::int64_t n = 0; n < 6; ++n) {
      for (const char* variant : {"", "A", "B"}) run_.show(test::minute_row(n, variant));
    }
    run_.keep();
    for (const char* variant : {"", "A", "B"}) run_.show(test::minute_row(6, variant, Stage::provisional, 0.35));
    run_.stands(test::ShownRun::status_at(EventTime{test::zero_ms + 36 * test::minute_ms}));
    api_ = std::make_unique<Api>(run_.schema, ApiOptions{.snapshot = [this] { return run_.snapshot.snapshot(); },
                                                         .kept = &run_.store,
                                                         .events = events_,
                                                         .now = [] { return EventTime{test::zero_ms}; },
                                                         .state_bytes = [] { return std::uint64_t{4096}; },
                                                         .server_counts = {}});
  }
  http::Response ask(const http::Request& request) { return api_->handle(request); }

 private:
  test::ShownRun run_;
  std::shared_ptr<http::EventRing> events_;
  std::unique_ptr<Api> api_;
};

void check(std::string_view text) {
  static Shown shown;
  static const std::set<int> statuses{200, 304, 400, 404, 406, 503};
  const auto target = http::parse_target(text);
  if (!target) return;
  http::Request request;
  request.path = target->path;
  request.query = target->query;
  const http::Response response = shown.ask(request);
  require(statuses.contains(response.status), "a status that the contract has", text);
  if (response.status >= 400) require(response.content_type == "application/problem+json", "a problem says what it is", text);
  if (response.content_type.find("json") == std::string_view::npos || !response.body) return;
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  require(parser.parse(simdjson::padded_string(*response.body)).get(document) == simdjson::SUCCESS, "JSON is JSON", text);
  require(document.is_object() || document.is_array(), "a document", text);
}

}  // namespace

// As it is; and as the query of each document.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text);
  for (const std::string_view path : {"series", "compare", "windows", "status", "definitions"}) {
    check("/api/v1/" + std::string(path) + "?" + std::string(text));
  }
  return 0;
}
