#include "app/attach_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "app/configuration.h"
#include "app/disk_room.h"
#include "app/messages.h"
#include "app/option_values.h"
#include "app/publishers.h"
#include "app/replay_inputs.h"
#include "app/supervisor.h"
#include "app/thread_pool.h"
#include "app/topic_inputs.h"
#include "recmeter/file/letter_file.h"
#include "recmeter/file/row_file.h"
#include "recmeter/kafka/letter_topic.h"
#include "recmeter/kafka/row_topic.h"
#include "recmeter/pipeline/attach.h"
#include "recmeter/rocksdb/open_store.h"

namespace recmeter {

namespace {

constexpr unsigned threads_max = 1024;           // as in the configuration
constexpr std::chrono::milliseconds nap{10};     // when no partition has anything
constexpr std::size_t state_cache = 64U << 20U;  // the journal is written and hardly read

EventTime wall_clock() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return EventTime{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
}

ExitCode told(const Error& error) {
  complain(error.context);
  return exit_code_of(error.code);
}

// Topics of all inputs, with the input each belongs to.
struct Topics {
  std::vector<std::string> names;
  std::vector<std::size_t> input_of;
};

Result<Topics> topics_of(const Config& config) {
  Topics topics;
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    const InputSpec& input = config.inputs[i];
    if (!input.files.empty()) {
      return failure(Errc::config_invalid, "attach reads topics, and inputs names the file " + input.files.front() +
                                               "; use recmeter replay for files");
    }
    topics.names.insert(topics.names.end(), input.topics.begin(), input.topics.end());
    topics.input_of.resize(topics.names.size(), i);
  }
  if (topics.names.empty()) return failure(Errc::config_invalid, "nothing to attach to: name topics under `inputs`");
  return topics;
}

Result<std::unique_ptr<RowPublisher>> publishers_of(const Config& config) {
  auto publishers = std::make_unique<Publishers>();
  if (const auto& spec = config.publish.file) publishers->add("file " + spec->path, file::row_file(spec->path, spec->rotate));
  if (config.publish.kafka) {
    auto topic = kafka::row_topic({.brokers = config.kafka.brokers, .properties = config.kafka.properties},
                                  config.publish.kafka->topic);
    if (!topic) return tl::unexpected(std::move(topic).error());
    publishers->add("topic " + config.publish.kafka->topic, std::move(*topic));
  }
  if (!config.publish.file && !config.publish.kafka) publishers->add("standard output", rows_on_standard_output());
  return publishers;
}

Result<std::unique_ptr<DeadLetters>> dead_letters_of(const Config& config) {
  if (!config.dead_letter) return nullptr;
  if (!config.dead_letter->file.empty()) return file::letter_file(config.dead_letter->file);
  return kafka::letter_topic({.brokers = config.kafka.brokers, .properties = config.kafka.properties},
                             config.dead_letter->topic, config.spec.name);
}

std::map<std::string, std::int64_t> positions_of(const std::optional<Checkpoint>& checkpoint) {
  std::map<std::string, std::int64_t> positions;
  if (!checkpoint) return positions;
  for (std::size_t p = 0; p < checkpoint->next_offsets.size(); ++p) {
    positions.emplace(checkpoint->sequencer.partitions[p].name, checkpoint->next_offsets[p]);
  }
  return positions;
}

// The pipeline does not know where its state is.
Error in_directory(Error error, const std::string& directory) {
  if (error.code == Errc::state_unusable && error.context.find(directory) == std::string::npos) {
    error.context += ": " + directory;
  }
  return error;
}

DiskRoom room_for(const Config& config, std::function<void(std::string_view)> tell) {
  DiskRoom room(std::move(tell));
  room.watch("state.dir", config.state.dir, state_reserve);
  if (config.publish.file) room.watch("publish.file.path", config.publish.file->path, file_reserve);
  if (config.dead_letter && !config.dead_letter->file.empty())
    room.watch("dead_letter.file", config.dead_letter->file, file_reserve);
  return room;
}

Result<Report> attach_with(const Config& config, std::size_t threads, const std::atomic<bool>& stop) {
  const auto topics = topics_of(config);
  if (!topics) return tl::unexpected(topics.error());
  Supervisor supervisor = Supervisor::of_environment();
  const auto tell = [&supervisor](std::string_view message) {
    warn(message);
    supervisor.status(message);
  };
  DiskRoom room = room_for(config, tell);
  // Opening a state writes too.
  for (; !room.is_left(); std::this_thread::sleep_for(nap)) {
    if (stop) return Report{};
  }
  auto store = rocksdb_state::open_store(config.state.dir, {.memory = state_cache});
  if (!store) return tl::unexpected(std::move(store).error());
  const auto checkpoint = checkpoint_in(**store);
  if (!checkpoint) return tl::unexpected(in_directory(checkpoint.error(), config.state.dir));
  auto opened = follow_topics(config, topics->names, positions_of(*checkpoint), wall_clock(), stop);
  if (!opened) return tl::unexpected(std::move(opened).error());
  auto publishers = publishers_of(config);
  if (!publishers) return tl::unexpected(std::move(publishers).error());
  const auto dead_letters = dead_letters_of(config);
  if (!dead_letters) return tl::unexpected(dead_letters.error());

  std::vector<AttachInput> inputs;
  Duration lateness_max{0};
  for (TopicInput& partition : *opened) {
    const std::size_t input = topics->input_of[partition.topic];
    const InputSpec& spec = config.inputs[input];
    lateness_max = std::max(lateness_max, spec.allowed_lateness);
    inputs.push_back(
        {.partition = {.source = std::move(partition.source), .decoder = input, .lateness = spec.allowed_lateness},
         .idle_after = spec.idle_after});
  }
  const auto plan = EvaluatorPlan::make(config.spec, lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  AttachOptions options{.decoders = {},
                        .shards = std::min<std::size_t>(threads, 256),
                        .align = config.kafka.align,
                        .checkpoint_every = config.state.checkpoint_every,
                        .stop = &stop,
                        .now = wall_clock,
                        .wait = [] { std::this_thread::sleep_for(nap); },
                        .dead_letters = dead_letters->get(),
                        .pulse =
                            [&] {
                              supervisor.alive();
                              if (stop) {
                                supervisor.stopping();
                              } else {
                                supervisor.ready();
                              }
                            },
                        .has_room = [&room] { return room.is_left(); },
                        .tell = tell};
  if (config.dead_letter) {
    options.letter_fates = {config.dead_letter->invalid, config.dead_letter->future, config.dead_letter->late};
  }
  for (const InputSpec& input : config.inputs) options.decoders.push_back(decoder_for(config, input));
  ThreadPool pool(threads);
  say(std::to_string(inputs.size()) + " partitions; " + (*checkpoint ? "going on from " : "a new state in ") +
      config.state.dir);
  auto report = Attach(*plan, std::move(inputs), std::move(options), **store, pool, **publishers).run();
  if (!report && report.error().code == Errc::storage_failed) {
    // A store that has failed may hang or abort when it is closed: the program ends around it.
    complain(report.error().context);
    std::_Exit(static_cast<int>(ExitCode::failed));
  }
  if (!report) return tl::unexpected(in_directory(report.error(), config.state.dir));
  return report;
}

}  // namespace

CLI::App* add_attach_command(CLI::App& app, AttachCommand& command) {
  CLI::App* sub = app.add_subcommand("attach", "Evaluate live topics and publish each window when it is final");
  sub->add_option("-c,--config", command.config, "Configuration (YAML), see recmeter init")->type_name("FILE")->required();
  sub->add_option("-j,--threads", command.threads, "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->type_name("N")
      ->check(whole_number_up_to(threads_max));
  sub->footer(
      "Goes on where the state (state.dir) is. SIGTERM or Ctrl-C: finishes, keeps its state and ends; again: ends at once.\n"
      "Exit codes: 0 ended when asked to; 1 failed; 2 usage or configuration; 4 the state cannot be gone on from.");
  return sub;
}

ExitCode run_attach(const AttachCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config);
  if (!config) return ExitCode::usage;
  unsigned threads = command.threads.value_or(config->threads);
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const auto report = attach_with(*config, threads, stop);
  if (!report) return told(report.error());
  say(std::to_string(report->events.read) + " events read, " + std::to_string(report->rows_final) + " final rows");
  return ExitCode::ok;
}

}  // namespace recmeter
