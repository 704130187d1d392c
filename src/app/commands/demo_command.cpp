// The command `recmeter demo`: generator, broker and attach in one process, and the rolling table of what it finds.
#include <fmt/format.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "app/attach/live_run.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/wall_clock.h"
#include "app/demo/demo_screen.h"
#include "app/demo/demo_traffic.h"
#include "app/run/configuration.h"
#include "app/run/scratch_directory.h"
#include "config/load_config.h"
#include "recmeter/base/check.h"
#include "recmeter/kafka/mock_broker.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

struct DemoCommand {
  std::uint64_t seconds = 0;  // of traffic; 0: until it is interrupted
  std::uint64_t lists_per_second = 200;
  std::string listen;  // host:port; empty: as attach does where nothing is configured
};

constexpr std::chrono::milliseconds look{100};
constexpr std::chrono::seconds settling{6};  // the events that end the log are read, evaluated and shown in far less

// Short windows and horizons, so that a visitor sees them fill, mature and become final, and that the page has the 16 final
// windows of an assessment within a minute.
constexpr std::string_view configuration = R"(
name: demo
inputs: [{topic: impressions}, {topic: feedback}]
join:
  horizons: [5s]
  same_list: 8s
  assemble: 1s
  actions: {click: {gain: 1}, purchase: {gain: 3, after: click}}
time: {allowed_lateness: 1s, idle_after: 10s}
windows: [{name: 2s, size: 2s}]
segments: [[variant]]
metrics: {cutoffs: [10], names: [precision, mrr, ndcg_list, {name: action_rate, action: click}, distinct_items]}
kafka: {start: earliest}
state: {checkpoint_every: 500ms}
publish: {every: 1s}
experiments:
  - name: ranker-B
    arms: {key: variant, values: [A, B], control: A}
    start: {start}
    duration: 28d
    min_duration: 2m
    every: 1m
    primary: [{metric: "precision@10", mde: 0.05}]
    secondary: [{metric: "ndcg_list@10", mde: 0.05}, {metric: "action_rate{action=click}", mde: 0.05}]
)";

// The experiment begins with the minute that has begun, so that its first look is there within that minute.
std::string configuration_from(EventTime start) {
  constexpr std::string_view place = "{start}";
  std::string text(configuration);
  const std::int64_t minute_ms = start.ms - start.ms % one_minute.ms;
  return text.replace(text.find(place), place.size(), render_utc(EventTime{minute_ms}));
}

Config configured(const std::string& brokers, const std::string& state, EventTime start) {
  auto config = load_config(configuration_from(start), "demo", process_context());
  RECMETER_CHECK(config.has_value(), "the demonstration's own configuration is sound");
  config->kafka.brokers = brokers;
  config->state.dir = state;
  return std::move(*config);
}

std::string heading_of(const DemoCommand& command) {
  return fmt::format(
      "Generated traffic, {} lists a second, through a broker in this process; B is made better than A.\n"
      "One record in 200 comes twice, and one in 1,000 is broken: on purpose, to be counted.\n"
      "Windows of 2 s, horizon 5 s. Provisional rows still change; final ones never do. {}\n\n",
      command.lists_per_second, command.seconds == 0 ? "Ctrl-C ends it." : fmt::format("Ends after {} s.", command.seconds));
}

// Ends the run when the user does, or some time after the traffic has ended.
void wait_for_the_end(const DemoTraffic& traffic, const std::atomic<bool>& interrupted, std::atomic<bool>& stop) {
  auto end = std::chrono::steady_clock::time_point::max();
  while (!stop && !interrupted && std::chrono::steady_clock::now() < end) {
    if (traffic.is_over() && end == std::chrono::steady_clock::time_point::max()) {
      end = std::chrono::steady_clock::now() + settling;
    }
    std::this_thread::sleep_for(look);
  }
  stop = true;
}

ExitCode demonstrate(const DemoCommand& command, const Config& config, EventTime start,
                     const std::atomic<bool>& interrupted) {
  DemoTraffic traffic({.brokers = config.kafka.brokers,
                       .impressions = "impressions",
                       .feedback = "feedback",
                       .lists_per_second = command.lists_per_second,
                       .span = command.seconds == 0
                                   ? std::nullopt
                                   : std::optional(Duration{static_cast<std::int64_t>(command.seconds) * 1000}),
                       .start = start});
  DemoScreen screen(heading_of(command));
  SeenRows publisher;
  std::atomic<bool> stop = false;
  std::thread end([&] { wait_for_the_end(traffic, interrupted, stop); });
  const auto report = attach(config,
                             {.threads = 1,
                              .publisher = &publisher,
                              .seen = [&](const SharedRow& row) { screen.show(row->row); },
                              .watched_at = [&](const std::string& url) { screen.watched_at(url); }},
                             stop);
  stop = true;
  end.join();
  const std::size_t finals = screen.finish();
  const auto truth = traffic.end();
  if (!report) return report_error(report.error());
  if (!truth) return report_error(truth.error());
  say(Notice::run_ended, fmt::format("{} events read, {} final rows", report->events.read, finals));
  if (*truth) std::fputs(("\nWhat was built in:\n" + generate::truth_text(**truth)).c_str(), stderr);
  return ExitCode::ok;
}

ExitCode run_demo(const DemoCommand& command, const std::atomic<bool>& interrupted) {
  auto broker = kafka::MockBroker::start();
  if (!broker) return report_error(broker.error());
  for (const char* topic : {"impressions", "feedback"}) {
    if (const auto made = (*broker)->make_topic(topic, 2); !made) return report_error(made.error());
  }
  const auto scratch = ScratchDirectory::make("demo");
  if (!scratch) return report_error(scratch.error());
  const EventTime start = wall_clock();
  Config config = configured((*broker)->address(), scratch->path() + "/state", start);
  if (!command.listen.empty()) {
    config.publish.http.is_written = true;
    if (const auto listens = listen_at(command.listen, config.publish.http); !listens) return report_error(listens.error());
  }
  return demonstrate(command, config, start, interrupted);
}

Command define_demo(CLI::App& parser) {
  const auto command = std::make_shared<DemoCommand>();
  CLI::App* sub = parser.add_subcommand("demo", "See it work: generated traffic, a broker and attach in one process");
  sub->add_option("--seconds", command->seconds, "How long; 0, the default: until Ctrl-C")
      ->type_name("N")
      ->check(CLI::Range(0, 86'400).description(""));
  sub->add_option("--rate", command->lists_per_second, "Lists a second, 1 to 20000; 200 by default")
      ->type_name("N")
      ->check(CLI::Range(1, 20'000).description(""));
  sub->add_option("--listen", command->listen, "Address of the dashboard; 127.0.0.1:8080 by default")->type_name("HOST:PORT");
  return {sub, [command](const std::atomic<bool>& stop) { return run_demo(*command, stop); }};
}

const CommandRegistration demo_registration(CommandPlace::demo, define_demo);

}  // namespace

}  // namespace recmeter
