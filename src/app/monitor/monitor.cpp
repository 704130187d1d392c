#include "app/monitor/monitor.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>

#include "app/console/messages.h"
#include "app/console/version.h"
#include "app/console/wall_clock.h"
#include "app/monitor/api.h"
#include "app/monitor/live_snapshot.h"
#include "app/monitor/metrics_page.h"
#include "app/monitor/published_schema.h"
#include "app/monitor/server_options.h"
#include "app/monitor/status_text.h"
#include "recmeter/http/server.h"
#include "recmeter/result/read_row.h"

namespace recmeter {

namespace {

constexpr Duration status_every{5'000};  // as an event

// Files that come and go meanwhile do not matter.
std::uint64_t bytes_in(const std::string& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const auto size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

// The newest final rows that the state keeps, so that they are shown before there are newer ones. Those of the newest window
// of each name and horizon alone; what cannot be read is left out, since it is there to be looked at only.
void show_kept(LiveSnapshotKeeper& snapshot, const StateStore& kept, const std::vector<KeptSeries>& series) {
  std::map<std::pair<std::string, Duration>, EventTime> newest;
  for (const KeptSeries& one : series) {
    if (!one.newest_final) continue;
    EventTime& of = newest.try_emplace({one.series.window, one.series.horizon}, *one.newest_final).first->second;
    of = std::max(of, *one.newest_final);
  }
  for (const KeptSeries& one : series) {
    if (!one.newest_final || *one.newest_final != newest.at({one.series.window, one.series.horizon})) continue;
    const RowArchive::Query query{
        .series = one.series, .from = *one.newest_final, .to = *one.newest_final + Duration{1}, .tenth = 0};
    static_cast<void>(RowArchive::read(kept, query, [&](EventTime, std::string_view json) {
      if (auto row = read_row(json)) snapshot.take_kept(render(std::move(*row)));
      return false;
    }));
  }
}

}  // namespace

struct Monitor::Impl {
  Impl(PublishedSchema given, Duration keep)
      : schema(std::move(given)),
        snapshot(schema, keep),
        events(std::make_shared<http::EventRing>(static_cast<std::uint64_t>(wall_clock().ms), http::EventRing::Bounds{})) {}

  PublishedSchema schema;
  LiveSnapshotKeeper snapshot;
  std::shared_ptr<http::EventRing> events;
  std::string state_directory;
  std::unique_ptr<Api> api;
  std::unique_ptr<Probes> probes;
  PublishSpec::Http served;
  std::unique_ptr<http::Server> server;
  std::unique_ptr<http::Server> probe_server;          // null: there is none
  std::atomic<const http::Server*> serving = nullptr;  // `server`, for its own thread
  EventTime next_status = minus_infinity;              // by the reader's clock

  Result<std::unique_ptr<http::Server>> start_server(const PublishSpec::Http& with) {
    return http::Server::start(server_options(with), *api);
  }
  Result<void> move_to(const PublishSpec::Http& to);
  Result<void> renew_probes(const PublishSpec::Http& to);
  http::ServerOptions server_options(const PublishSpec::Http& with) const {
    http::ServerOptions options = server_options_of(with);
    options.events = events;
    options.tell = warn;
    return options;
  }
};

Result<std::unique_ptr<Monitor>> Monitor::start(const Config& config, const std::string& state_directory, Duration keep) {
  auto schema = published_schema_of(config, std::string(build_facts().version));
  if (!schema) return tl::unexpected(std::move(schema).error());
  if (auto named = check_metric_names(*schema); !named) return tl::unexpected(std::move(named).error());
  auto impl = std::make_unique<Impl>(std::move(*schema), keep);
  impl->snapshot.take_opening(true);
  impl->snapshot.show();
  impl->state_directory = state_directory;
  Impl& of = *impl;
  ApiOptions api{.snapshot = [&of] { return of.snapshot.snapshot(); },
                 .kept = nullptr,
                 .is_opening = true,
                 .events = of.events,
                 .now = wall_clock,
                 .state_bytes = {},
                 .server_counts =
                     [&of] {
                       const http::Server* serving = of.serving.load();
                       return serving == nullptr ? http::ServerCounts() : serving->counts();
                     },
                 .embed = config.publish.http.embed};
  if (!state_directory.empty()) api.state_bytes = [&of] { return bytes_in(of.state_directory); };
  of.probes = std::make_unique<Probes>(api.snapshot, api.now);
  of.api = std::make_unique<Api>(of.schema, std::move(api));
  of.served = config.publish.http;
  const PublishSpec::Http& http = of.served;
  auto server = of.start_server(http);
  if (!server) return tl::unexpected(std::move(server).error());
  if (!http.probes.empty()) {
    auto probe_server = http::Server::start(probe_options_of(http), *of.probes);
    if (!probe_server) return tl::unexpected(std::move(probe_server).error());
    of.probe_server = std::move(*probe_server);
  }
  of.server = std::move(*server);
  of.serving = of.server.get();
  return std::unique_ptr<Monitor>(new Monitor(std::move(impl)));
}

Monitor::Monitor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

// The events of a stream go to one server at a time, so an address is given up before another is taken; where that cannot be
// had, it is taken again.
Result<void> Monitor::Impl::move_to(const PublishSpec::Http& to) {
  serving = nullptr;
  server->stop();
  auto moved = start_server(to);
  auto here = moved ? Result<std::unique_ptr<http::Server>>(std::move(*moved)) : start_server(served);
  if (here) {
    server = std::move(*here);
    serving = server.get();
  }
  return moved ? Result<void>() : tl::unexpected(moved.error());
}

Result<void> Monitor::Impl::renew_probes(const PublishSpec::Http& to) {
  if (to.probes == served.probes) return probe_server ? probe_server->reload(probe_options_of(to)) : Result<void>();
  std::unique_ptr<http::Server> other;
  if (!to.probes.empty()) {
    auto started = http::Server::start(probe_options_of(to), *probes);
    if (!started) return tl::unexpected(std::move(started).error());
    other = std::move(*started);
  }
  if (probe_server) probe_server->stop();
  probe_server = std::move(other);
  served.probes = to.probes;
  return {};
}

Result<void> Monitor::reload(const PublishSpec::Http& http) {
  Impl& of = *impl_;
  const bool moves = address_of(http) != address_of(of.served);
  if (auto done = of.renew_probes(http); !done) return done;
  if (auto done = moves ? of.move_to(http) : of.server->reload(of.server_options(http)); !done) return done;
  of.api->embed(http.embed);
  of.served = http;
  return {};
}

// Clients are gone before what they read is.
Monitor::~Monitor() {
  impl_->server->stop();
  if (impl_->probe_server) impl_->probe_server->stop();
}

std::string Monitor::url() const {
  return impl_->server->url();
}

std::string Monitor::probes_url() const {
  return impl_->probe_server ? impl_->probe_server->url() : "";
}

void Monitor::opening(bool has_room) {
  impl_->snapshot.take_opening(has_room);
  impl_->snapshot.show();
}

Result<void> Monitor::opened(const StateStore& kept) {
  const auto series = RowArchive::series(kept, LiveSnapshotKeeper::series_max);
  if (!series) return tl::unexpected(series.error());
  impl_->snapshot.take_opened(*series);
  show_kept(impl_->snapshot, kept, *series);
  impl_->snapshot.show();
  impl_->api->open(kept);
  return {};
}

void Monitor::keep_for(Duration keep) {
  impl_->snapshot.keep_for(keep);
}

void Monitor::seen(const SharedRow& row) {
  if (impl_->snapshot.take(row)) impl_->events->append("row", row->json);
}

void Monitor::seen(const SharedExperimentRow& row) {
  impl_->snapshot.take(row);
  impl_->events->append("experiment", row->json);
}

void Monitor::status(const RunStatus& status) {
  impl_->snapshot.take(status);
  impl_->snapshot.show();
  if (status.now < impl_->next_status) return;
  impl_->next_status = status.now + status_every;
  impl_->events->append("status", status_json(impl_->schema, *impl_->snapshot.snapshot(), bytes_in(impl_->state_directory)));
}

void Monitor::show_message(std::string_view message) {
  impl_->snapshot.tell(message);
  impl_->snapshot.show();
}

void Monitor::kept() {
  impl_->snapshot.kept();
}

}  // namespace recmeter
