// Api: what a run shows of itself over HTTP: the page, rows for charts and scripts, comparisons, the stream, how it is doing,
// and metrics for Prometheus. [I6]; docs/openapi.yaml has the whole contract.
//
// Reads snapshots and the kept results, never the run: the run does not wait for it. Thread safety: called on the server's
// thread, one call at a time; open() and embed() on any.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/metrics_page.h"
#include "app/monitor/published_schema.h"
#include "app/monitor/row_request.h"
#include "recmeter/http/handler.h"
#include "recmeter/http/server_counts.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct ApiOptions {
  std::function<std::shared_ptr<const LiveSnapshot>()> snapshot;
  const StateStore* kept = nullptr;                   // results; null: none are kept
  bool is_opening = false;                            // they are there with open()
  std::shared_ptr<http::EventRing> events;            // of the stream
  std::function<EventTime()> now;                     // the reader's clock
  std::function<std::uint64_t()> state_bytes;         // on disk; empty: there is no state
  std::function<http::ServerCounts()> server_counts;  // empty: none
  std::size_t series_max = exposed_series_max;        // for Prometheus
  std::vector<std::string> embed = {};                // origins whose pages may show this one in a frame
};

// What stands on the port for probes: /livez and /readyz as Api answers them, but without the reasons, which may name topics
// and files: whoever reaches that port needs no token. Thread safety: as Api, on a thread of its own.
class Probes final : public http::Handler {
 public:
  Probes(std::function<std::shared_ptr<const LiveSnapshot>()> snapshot, std::function<EventTime()> now)
      : snapshot_(std::move(snapshot)), now_(std::move(now)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) noexcept override;

 private:
  std::function<std::shared_ptr<const LiveSnapshot>()> snapshot_;
  std::function<EventTime()> now_;
};

class Api final : public http::Handler {
 public:
  // `schema` outlives it.
  Api(const PublishedSchema& schema, ApiOptions options);

  // What was asked with ApiOptions::is_opening can be answered from now on. Once; `kept` outlives it.
  void open(const StateStore& kept);
  // Instead of ApiOptions::embed.
  void embed(std::vector<std::string> origins);

  [[nodiscard]] http::Response handle(const http::Request& request) noexcept override;
  [[nodiscard]] http::Snapshot snapshot() noexcept override;

 private:
  [[nodiscard]] Result<std::string> series(Parameters& parameters) const;
  [[nodiscard]] Result<std::string> compare(Parameters& parameters) const;
  [[nodiscard]] Result<std::string> windows(Parameters& parameters) const;
  [[nodiscard]] Result<std::string> experiments(Parameters& parameters) const;
  [[nodiscard]] http::Response experiment(const http::Request& request) const;
  [[nodiscard]] http::Response why(const http::Request& request) const;
  [[nodiscard]] http::Response answer(const http::Request& request,
                                      Result<std::string> (Api::*document)(Parameters&) const) const;
  // Parts that need the kept results.
  [[nodiscard]] http::Response answer_of_rows(const http::Request& request,
                                              Result<std::string> (Api::*document)(Parameters&) const) const;
  [[nodiscard]] http::Response page() const;
  [[nodiscard]] http::Response metrics(const http::Request& request) const;
  [[nodiscard]] http::Response health(bool is_ready) const;
  [[nodiscard]] std::string definitions() const;

  const PublishedSchema& schema_;
  ApiOptions options_;
  std::atomic<bool> is_open_;
  std::atomic<std::shared_ptr<const std::vector<std::string>>> embed_;
  http::Body page_;  // null: there is none with charts
};

}  // namespace recmeter
