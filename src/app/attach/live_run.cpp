#include "app/attach/live_run.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "app/attach/attach_plans.h"
#include "app/attach/connection_check.h"
#include "app/attach/group_member.h"
#include "app/attach/live_host.h"
#include "app/attach/new_state.h"
#include "app/attach/publishers.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/version.h"
#include "app/console/wall_clock.h"
#include "app/monitor/monitor.h"
#include "app/run/configuration.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "app/run/topic_inputs.h"
#include "app/run/tzdata.h"
#include "config/live_memory.h"
#include "config/load_config.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/file/letter_file.h"
#include "recmeter/file/row_file.h"
#include "recmeter/kafka/letter_topic.h"
#include "recmeter/kafka/row_topic.h"
#include "recmeter/live/attach.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/result/render.h"
#include "recmeter/rocksdb/open_store.h"

namespace recmeter {

namespace {

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
  if (topics.names.empty()) return failure(Errc::config_invalid, "there is nothing to read: name topics under `inputs`");
  return topics;
}

Result<std::unique_ptr<RowPublisher>> publishers_of(const Config& config) {
  auto publishers = std::make_unique<Publishers>();
  if (const auto& spec = config.publish.file)
    publishers->add("file " + spec->path,
                    file::row_file(spec->path, {.rotate = spec->rotate, .provisional = spec->provisional}));
  if (config.publish.kafka) {
    auto topic = kafka::row_topic({.brokers = config.kafka.brokers, .properties = config.kafka.properties},
                                  config.publish.kafka->topic);
    if (!topic) return tl::unexpected(std::move(topic).error());
    publishers->add("topic " + config.publish.kafka->topic, std::move(*topic));
  }
  if (!config.publish.file && !config.publish.kafka) publishers->add("standard output", rows_on_standard_output());
  const PublishSpec::Experiments& experiments = config.publish.experiments;
  if (!experiments.file.empty()) {
    publishers->add("experiments to file " + experiments.file,
                    file::row_file(experiments.file, {.rotate = file::never_rotated, .setting = "publish.experiments.file"}),
                    RowKind::experiment);
  }
  if (!experiments.topic.empty()) {
    auto topic =
        kafka::row_topic({.brokers = config.kafka.brokers, .properties = config.kafka.properties}, experiments.topic);
    if (!topic) return tl::unexpected(std::move(topic).error());
    publishers->add("experiments to topic " + experiments.topic, std::move(*topic), RowKind::experiment);
  }
  return publishers;
}

// A new state may know less than the one that published what the topic holds, and would put worse rows over good ones.
Result<void> check_is_unwritten(const Config& config, const std::atomic<bool>& stop, const std::function<void()>& alive) {
  const std::string& topic = config.publish.kafka->topic;
  const auto holds = kafka::holds_final_rows({.brokers = config.kafka.brokers, .properties = config.kafka.properties}, topic,
                                             render_key_start(config.spec.name), stop, alive);
  if (!holds && holds.error().code == Errc::interrupted) return tl::unexpected(holds.error());
  if (!holds) {
    return failure(holds.error().code, "with a new state, publish.kafka.topic must not hold rows of " + config.spec.name +
                                           ", and it cannot be read: " + holds.error().context +
                                           " Or run attach --overwrite, which publishes without looking");
  }
  if (!*holds) return {};
  return failure(
      Errc::state_unusable,
      "publish.kafka.topic " + topic + " holds final rows of " + config.spec.name +
          " that this new state did not make, and worse ones could replace them. Restore the state that made them, name "
          "another topic or evaluator (name), or run attach --overwrite to publish over them; the new state: " +
          config.state.dir);
}

Result<std::unique_ptr<DeadLetters>> dead_letters_of(const Config& config) {
  if (!config.dead_letter) return nullptr;
  if (!config.dead_letter->file.empty()) return file::letter_file(config.dead_letter->file);
  return kafka::letter_topic({.brokers = config.kafka.brokers, .properties = config.kafka.properties},
                             config.dead_letter->topic, config.spec.name);
}

std::map<std::string, TopicPosition> positions_of(const std::optional<Checkpoint>& checkpoint) {
  std::map<std::string, TopicPosition> positions;
  if (!checkpoint) return positions;
  for (std::size_t p = 0; p < checkpoint->positions.size(); ++p) {
    positions[checkpoint->sequencer.partitions[p].name] = {.next_offset = checkpoint->positions[p].next_offset,
                                                           .last_record = checkpoint->positions[p].last_record};
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

// Null where nothing is to be listened on. An address that nobody has chosen may be taken: then nobody watches.
Result<std::unique_ptr<Monitor>> monitor_of(const Config& config, const StateStore& store) {
  if (!config.publish.http.is_on) return nullptr;
  auto monitor = Monitor::start(config, &store, config.state.dir, config.state.keep_results);
  if (monitor) {
    const std::string probes = (*monitor)->probes_url();
    say(Notice::page_ready, "dashboard: " + (*monitor)->url() + (probes.empty() ? "" : "; probes: " + probes));
    return monitor;
  }
  const bool is_chosen = config.publish.http.is_written || !config.publish.http.probes.empty();
  if (monitor.error().code != Errc::output_failed || is_chosen) return monitor;
  warn(Notice::page_unavailable, monitor.error().context + "; nobody can watch (publish.http.listen: off says so)");
  return nullptr;
}

// Of "topic/7" 7.
std::uint32_t partition_number(std::string_view name) {
  std::uint32_t number = 0;
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) std::from_chars(name.data() + slash + 1, name.data() + name.size(), number);
  return number;
}

// Topics that are partitioned alike have equally many partitions, and a user's events in those of one number.
bool are_partitioned_alike(const Config& config, const Topics& topics, const std::vector<TopicInput>& opened) {
  std::vector<std::size_t> counts(topics.names.size());
  for (const TopicInput& partition : opened) ++counts[partition.topic];
  return config.spec.join.key.by == JoinKey::By::user &&
         std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to()) == counts.end();
}

std::vector<AttachInput> inputs_of(const Config& config, const Topics& topics, const std::vector<MessageSchemas>& forms,
                                   std::vector<TopicInput> opened, const std::atomic<bool>& stop) {
  const bool has_units = are_partitioned_alike(config, topics, opened);
  std::vector<AttachInput> inputs;
  for (TopicInput& partition : opened) {
    const std::size_t input = topics.input_of[partition.topic];
    const InputSpec& spec = config.inputs[input];
    const UnitNumber unit{has_units ? partition_number(partition.source->name()) : 0};
    if (forms[input].wait) partition.source = forms[input].wait(std::move(partition.source), Going::on, stop);
    inputs.push_back(
        {.partition = {.source = std::move(partition.source), .decoder = input, .lateness = spec.allowed_lateness},
         .idle_after = spec.idle_after,
         .unit = unit});
  }
  return inputs;
}

Result<std::vector<MessageSchemas>> forms_of(const Config& config, const Tell& tell) {
  std::vector<MessageSchemas> forms;
  for (const InputSpec& input : config.inputs) {
    auto form = open_messages(input, tell);
    if (!form) return tl::unexpected(std::move(form).error());
    forms.push_back(std::move(*form));
  }
  return forms;
}

// What a schema registry keeps from being read is said where brokers answer.
std::function<void(RunStatus&)> noting(std::function<void(RunStatus&)> brokers, const std::vector<MessageSchemas>& forms) {
  return [brokers = std::move(brokers), forms](RunStatus& status) {
    brokers(status);
    status.registries.clear();
    for (const MessageSchemas& form : forms) {
      if (status.unreachable.empty() && form.complaint) status.unreachable = form.complaint();
      if (!form.registry) continue;
      RegistryStatus registry = form.registry();
      const bool is_new = std::ranges::find(status.registries, registry.url, &RegistryStatus::url) == status.registries.end();
      if (is_new) status.registries.push_back(std::move(registry));
    }
  };
}

// A run of partitions as they are when it begins: until it is to end, or there are more of them.
Result<Report> attach_once(const Config& config, const AttachWiring& wiring, const Topics& topics, StateStore& store,
                           Executor& pool, LiveHost& around, bool rebuild, const std::atomic<bool>& stop, bool& is_outgrown) {
  const auto plans = attach_plans(store, config, process_context(), rebuild);
  if (!plans) return tl::unexpected(in_directory(plans.error(), config.state.dir));
  if (!plans->notice.empty()) say(Notice::configuration_changed, plans->notice);
  const auto checkpoint = checkpoint_in(store);
  if (!checkpoint) return tl::unexpected(in_directory(checkpoint.error(), config.state.dir));
  // Those who watch are told why it does not begin; later they have the status.
  const auto is_open = std::make_shared<std::atomic<bool>>(false);
  const auto tell = [&around, is_open](Notice notice, std::string_view text) {
    *is_open ? warn(notice, text) : around.tell(notice, text);
  };
  const auto forms = forms_of(config, tell);
  if (!forms) return tl::unexpected(forms.error());
  auto opened = follow_topics(config, topics.names, positions_of(*checkpoint), wall_clock(), tell, stop);
  if (!opened) return tl::unexpected(std::move(opened).error());
  *is_open = true;
  std::unique_ptr<RowPublisher> configured;
  if (wiring.publisher == nullptr) {
    if (config.publish.kafka && !*checkpoint && !wiring.overwrite) {
      const auto unwritten = check_is_unwritten(config, stop, [&] { around.alive(RunMode::hold); });
      if (!unwritten) return tl::unexpected(unwritten.error());
    }
    auto publishers = publishers_of(config);
    if (!publishers) return tl::unexpected(std::move(publishers).error());
    configured = std::move(*publishers);
  }
  RowPublisher& publisher = wiring.publisher == nullptr ? *configured : *wiring.publisher;
  const auto dead_letters = dead_letters_of(config);
  if (!dead_letters) return tl::unexpected(dead_letters.error());

  std::vector<AttachInput> inputs = inputs_of(config, topics, *forms, std::move(opened->inputs), stop);
  std::vector<std::string> partitions;
  for (const AttachInput& input : inputs) partitions.emplace_back(input.partition.source->name());
  auto member = GroupMember::join(config, topics.names, partitions);
  if (!member) return tl::unexpected(std::move(member).error());
  around.begin(&*member, noting(std::move(opened->note_brokers), *forms));
  AttachOptions options{
      .decoders = {},
      .shards = std::min<std::size_t>(pool.threads(), 256),
      .unkept_bytes_max = static_cast<std::size_t>(live_memory(config.state.memory).unkept),
      .align = config.kafka.align,
      .checkpoint_every = config.state.checkpoint_every,
      .publish_every = config.publish.every,
      .keep_results = config.state.keep_results,
      // Which lists stand where is known only once they are final.
      .wants_provisional = (wiring.wants_provisional || around.monitor() != nullptr) && !config.spec.lanes.is_wanted(),
      .dead_letters = dead_letters->get(),
      .program = std::string(build_facts().version),
      .memory = around.memory()};
  if (config.dead_letter) {
    options.letter_fates = {config.dead_letter->invalid, config.dead_letter->future, config.dead_letter->late};
  }
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    options.decoders.push_back(decoder_for(config, config.inputs[i], (*forms)[i]));
  }
  say(Notice::run_started, std::to_string(inputs.size()) + " partitions; " +
                               (*checkpoint ? "going on from " : "a new state in ") + config.state.dir);
  auto report = attach(plans->generations, std::move(inputs), std::move(options), store, pool, publisher, around);
  is_outgrown = member->is_outgrown();
  if (report && !is_outgrown) member->leave();
  if (!report) return tl::unexpected(in_directory(report.error(), config.state.dir));
  return report;
}

// A store that has failed may hang or abort when it is closed: the program ends around it.
void end_if_failed(const StateStore& store) {
  const auto condition = store.condition();
  if (condition) return;
  complain(condition.error());
  std::_Exit(static_cast<int>(exit_code_of(condition.error().code)));
}

}  // namespace

Result<Report> attach(const Config& given, const AttachWiring& wiring, const std::atomic<bool>& stop) {
  Config config = given;
  config.spec.metrics.left_out = config.publish.http.is_on;
  if (std::erase_if(config.spec.windows, std::mem_fn(&WindowSpec::is_whole)) > 0 && config.windows_are_written) {
    if (config.spec.windows.empty()) {
      return failure(
          Errc::config_invalid,
          "windows: the only one has `size: all`, and topics have no end; add one, such as {name: hour, size: 1h}");
    }
    say(Notice::run_started, "windows: the one with `size: all` is left out, since topics have no end");
  }
  const auto topics = topics_of(config);
  if (!topics) return tl::unexpected(topics.error());
  LiveHost around(config, wiring.seen, stop);
  // Opening a state writes too.
  for (; !around.has_room(); around.wait()) {
    if (stop) return Report{};
  }
  NewState state(config.state.dir);
  const LiveMemory memory = live_memory(config.state.memory);
  auto store = rocksdb_state::open_store(config.state.dir, {.memory = static_cast<std::size_t>(memory.store)});
  if (!store) return tl::unexpected(std::move(store).error());
  if (auto upgraded = upgrade_row_archive(**store); !upgraded) {
    return tl::unexpected(in_directory(upgraded.error(), config.state.dir));
  }
  around.remember_in(config.state.dir, memory.joined);
  const auto monitor = monitor_of(config, **store);
  end_if_failed(**store);
  if (!monitor) {
    state.refuse(monitor.error(), **store);
    return tl::unexpected(monitor.error());
  }
  around.watched_by(monitor->get());
  if (*monitor && wiring.watched_at) wiring.watched_at((*monitor)->url());
  ThreadPool pool(thread_count(wiring.threads.value_or(config.threads)));
  for (bool rebuild = wiring.rebuild;; rebuild = false) {
    bool is_outgrown = false;
    auto report = attach_once(config, wiring, *topics, **store, pool, around, rebuild, stop, is_outgrown);
    end_if_failed(**store);
    if (!report) state.refuse(report.error(), **store);
    if (!report || !is_outgrown || stop) return report;
    say(Notice::partitions_added, "the topics have more partitions than before; all are read");
  }
}

ExitCode run_attach(const AttachCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, check_live);
  if (!config) return ExitCode::usage;
  date_messages();
  std::unique_ptr<file::AtomicFile> report_file;
  if (!command.report.empty()) {
    auto created = file::AtomicFile::create(command.report);
    if (!created) return report_error(created.error());
    report_file = std::move(*created);
  }
  auto report =
      attach(*config, {.threads = command.threads, .rebuild = command.rebuild, .overwrite = command.overwrite}, stop);
  if (!report && report.error().code == Errc::interrupted) return ExitCode::ok;  // before there was anything to finish
  if (!report) return report_error(report.error());
  if (report_file) {
    report->tzdata = tzdata_for(*config);
    if (const auto written = report_file->write(render_json(*report)); !written) return report_error(written.error());
    if (const auto done = report_file->commit(); !done) return report_error(done.error());
  }
  say(Notice::run_ended,
      std::to_string(report->events.read) + " events read, " + std::to_string(report->rows_final) + " final rows");
  return ExitCode::ok;
}

}  // namespace recmeter
