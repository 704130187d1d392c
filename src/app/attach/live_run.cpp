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
#include "app/attach/reload.h"
#include "app/attach/state_opening.h"
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
#include "recmeter/rocksdb/state_directory.h"

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

Result<std::unique_ptr<RowPublisher>> publishers_of(const Config& config, const file::TellLost& lost) {
  auto publishers = std::make_unique<Publishers>();
  if (const auto& spec = config.publish.file)
    publishers->add("file " + spec->path,
                    file::row_file(spec->path, {.rotate = spec->rotate, .provisional = spec->provisional, .lost = lost}));
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
                    file::row_file(experiments.file,
                                   {.rotate = file::never_rotated, .setting = "publish.experiments.file", .lost = lost}),
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

Result<std::unique_ptr<DeadLetters>> dead_letters_of(const Config& config, const file::TellLost& lost) {
  if (!config.dead_letter) return nullptr;
  if (!config.dead_letter->file.empty()) return file::letter_file(config.dead_letter->file, lost);
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

// What of a configuration an attach runs. Errors: config_invalid.
Result<Config> live_config(Config config) {
  config.spec.metrics.left_out = config.publish.http.is_on;
  keep_parts(config.spec);
  if (std::erase_if(config.spec.windows, std::mem_fn(&WindowSpec::is_whole)) > 0 && config.windows_are_written) {
    if (config.spec.windows.empty()) {
      return failure(
          Errc::config_invalid,
          "windows: the only one has `size: all`, and topics have no end; add one, such as {name: hour, size: 1h}");
    }
    say(Notice::run_started, "windows: the one with `size: all` is left out, since topics have no end");
  }
  if (const auto topics = topics_of(config); !topics) return tl::unexpected(topics.error());
  return config;
}

// A store that has failed may hang or abort when it is closed: the program ends around it.
void end_if_failed(const StateStore& store) {
  const auto condition = store.condition();
  if (condition) return;
  complain(condition.error());
  std::_Exit(static_cast<int>(exit_code_of(condition.error().code)));
}

// The runs of one attach, one after the other: of topics with more partitions, of a configuration that was read anew.
class Attaching {
 public:
  Attaching(Config config, const AttachWiring& wiring, const std::atomic<bool>& stop)
      : config_(std::move(config)), wiring_(wiring), stop_(stop), around_(config_, wiring.seen, stop, wiring.hangups) {}

  Result<Report> run();

 private:
  Result<void> watch(bool may_wait);
  Result<void> open();
  [[nodiscard]] AttachOptions options_for(const std::vector<MessageSchemas>& forms, DeadLetters* dead_letters) const;
  Result<Report> once(bool rebuild);
  bool is_to_go_on(const Result<Report>& report);
  bool hung_up(RowPublisher* publisher, DeadLetters* letters);
  bool take(const std::optional<Config>& loaded);
  void begin_anew();

  Config config_;
  const AttachWiring& wiring_;
  const std::atomic<bool>& stop_;
  LiveHost around_;
  std::optional<NewState> state_;
  std::unique_ptr<StateStore> store_;
  std::unique_ptr<Monitor> monitor_;  // reads the store
  std::optional<ThreadPool> pool_;
  bool is_outgrown_ = false;
  std::optional<Config> next_;    // to begin anew with
  std::optional<Config> before_;  // that was there before, until a run has begun with the one after it
};

// Nobody watches where an address that nobody has chosen is taken. `may_wait`: one that is taken may get free.
Result<void> Attaching::watch(bool may_wait) {
  const PublishSpec::Http& http = config_.publish.http;
  if (!http.is_on || monitor_) return {};
  auto monitor = Monitor::start(config_, config_.state.dir, config_.state.keep_results);
  if (!monitor) {
    const Error& error = monitor.error();
    if (error.code == Errc::output_failed && may_wait) return {};
    const bool is_chosen = http.is_written || !http.probes.empty();
    if (error.code != Errc::output_failed || is_chosen) return tl::unexpected(error);
    warn(Notice::page_unavailable, error.context + "; nobody can watch (publish.http.listen: off says so)");
    return {};
  }
  monitor_ = std::move(*monitor);
  const std::string probes = monitor_->probes_url();
  say(Notice::page_ready, "dashboard: " + monitor_->url() + (probes.empty() ? "" : "; probes: " + probes));
  around_.watched_by(monitor_.get());
  if (wiring_.watched_at) wiring_.watched_at(monitor_->url());
  return {};
}

// Who watches is answered before there is a state. Whoever still has the state may have the address, too.
Result<void> Attaching::open() {
  if (auto watched = watch(rocksdb_state::holder_of(config_.state.dir).has_value()); !watched) return watched;
  const LiveMemory memory = live_memory(config_.state.memory);
  auto store = open_state(config_, static_cast<std::size_t>(memory.store), held_state_patience, around_, stop_, [this] {
    state_.emplace(config_.state.dir);
    if (monitor_) monitor_->show_message("");  // it waits for nothing any more
  });
  if (!store) return tl::unexpected(std::move(store).error());
  store_ = std::move(*store);
  if (auto upgraded = upgrade_row_archive(*store_); !upgraded) {
    return tl::unexpected(in_directory(upgraded.error(), config_.state.dir));
  }
  around_.remember_in(config_.state.dir, memory.joined);
  auto watched = watch(false);
  if (watched && monitor_) watched = monitor_->opened(*store_);
  end_if_failed(*store_);
  if (!watched) state_->refuse(watched.error(), *store_);
  return watched;
}

AttachOptions Attaching::options_for(const std::vector<MessageSchemas>& forms, DeadLetters* dead_letters) const {
  const Config& config = config_;
  AttachOptions options{
      .decoders = {},
      .shards = std::min<std::size_t>(pool_->threads(), 256),
      .unkept_bytes_max = static_cast<std::size_t>(live_memory(config.state.memory).unkept),
      .align = config.kafka.align,
      .checkpoint_every = config.state.checkpoint_every,
      .publish_every = config.publish.every,
      .keep_results = config.state.keep_results,
      .keep_sums = config.spec.attribution ? config.spec.attribution->keep : Duration{0},
      // Which lists stand where is known only once they are final.
      .wants_provisional = (wiring_.wants_provisional || around_.monitor() != nullptr) && !config.spec.lanes.is_wanted(),
      .dead_letters = dead_letters,
      .program = std::string(build_facts().version),
      .memory = around_.memory()};
  if (config.dead_letter) {
    options.letter_fates = {config.dead_letter->invalid, config.dead_letter->future, config.dead_letter->late};
  }
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    options.decoders.push_back(decoder_for(config, config.inputs[i], forms[i]));
  }
  return options;
}

// A run of partitions as they are when it begins: until it is to end, or there are more of them. Until it has begun it waits
// for brokers, which a SIGHUP ends.
Result<Report> Attaching::once(bool rebuild) {
  around_.before_run();
  is_outgrown_ = false;
  Hangups* const hangups = wiring_.hangups;
  const std::atomic<bool>& wakes = hangups == nullptr ? stop_ : hangups->wakes();
  if (hangups != nullptr) hangups->await(true);
  const Config& config = config_;
  const auto topics = topics_of(config);
  if (!topics) return tl::unexpected(topics.error());
  const auto plans = attach_plans(*store_, config, process_context(), rebuild);
  if (!plans) return tl::unexpected(in_directory(plans.error(), config.state.dir));
  if (!plans->notice.empty()) say(Notice::configuration_changed, plans->notice);
  const auto checkpoint = checkpoint_in(*store_);
  if (!checkpoint) return tl::unexpected(in_directory(checkpoint.error(), config.state.dir));
  // Those who watch are told why it does not begin; later they have the status.
  const auto is_open = std::make_shared<std::atomic<bool>>(false);
  const auto tell = [this, is_open](Notice notice, std::string_view text) {
    *is_open ? warn(notice, text) : around_.tell(notice, text);
  };
  const auto forms = forms_of(config, tell);
  if (!forms) return tl::unexpected(forms.error());
  auto opened = follow_topics(config, topics->names, positions_of(*checkpoint), wall_clock(), tell, wakes);
  if (!opened) return tl::unexpected(std::move(opened).error());
  *is_open = true;
  const file::TellLost lost = [this](const file::LostFile& file) { around_.lost(file); };
  std::unique_ptr<RowPublisher> configured;
  if (wiring_.publisher == nullptr) {
    if (config.publish.kafka && !*checkpoint && !wiring_.overwrite) {
      const auto unwritten = check_is_unwritten(config, wakes, [&] { around_.alive(RunMode::hold); });
      if (!unwritten) return tl::unexpected(unwritten.error());
    }
    auto publishers = publishers_of(config, lost);
    if (!publishers) return tl::unexpected(std::move(publishers).error());
    configured = std::move(*publishers);
  }
  RowPublisher& publisher = wiring_.publisher == nullptr ? *configured : *wiring_.publisher;
  const auto dead_letters = dead_letters_of(config, lost);
  if (!dead_letters) return tl::unexpected(dead_letters.error());

  std::vector<AttachInput> inputs = inputs_of(config, *topics, *forms, std::move(opened->inputs), stop_);
  std::vector<std::string> partitions;
  for (const AttachInput& input : inputs) partitions.emplace_back(input.partition.source->name());
  auto member = GroupMember::join(config, topics->names, partitions);
  if (!member) return tl::unexpected(std::move(member).error());
  around_.begin(&*member, noting(std::move(opened->note_brokers), *forms),
                [&] { return hung_up(&publisher, dead_letters->get()); });
  if (hangups != nullptr) hangups->await(false);
  AttachOptions options = options_for(*forms, dead_letters->get());
  say(Notice::run_started, std::to_string(inputs.size()) + " partitions; " +
                               (*checkpoint ? "going on from " : "a new state in ") + config.state.dir);
  auto report = attach(plans->generations, std::move(inputs), std::move(options), *store_, *pool_, publisher, around_);
  is_outgrown_ = member->is_outgrown();
  if (report && !is_outgrown_ && !around_.begins_anew()) {
    if (wiring_.ended) wiring_.ended(*report);
    member->leave();
  }
  if (!report) return tl::unexpected(in_directory(report.error(), config.state.dir));
  return report;
}

// SIGHUP while a run goes on: whether it is to begin anew. Without a publisher there is none yet.
bool Attaching::hung_up(RowPublisher* publisher, DeadLetters* letters) {
  const auto loaded = wiring_.load_again ? wiring_.load_again() : std::nullopt;
  const auto try_to = [](const Result<void>& done) {
    if (!done) warn(Notice::configuration_kept, done.error().context + "; what was there before continues");
  };
  if (publisher != nullptr) try_to(publisher->reopen());
  if (letters != nullptr) try_to(letters->reopen());
  const bool is_anew = take(loaded);
  const Config& newest = next_ ? *next_ : config_;
  if (monitor_) try_to(monitor_->reload(newest.publish.http));
  return is_anew;
}

// A configuration that was read anew: whether a run is to begin with it.
bool Attaching::take(const std::optional<Config>& loaded) {
  if (!loaded) {
    warn(Notice::configuration_kept, "the configuration is bad; the one before continues");
    return false;
  }
  auto now = live_config(*loaded);
  if (!now) {
    warn(Notice::configuration_kept, now.error().context + "; the configuration before continues");
    return false;
  }
  const Reload reload = reload_of(config_, *now);
  if (!reload.refused.empty()) {
    std::string places;
    for (const std::string& place : reload.refused) places += (places.empty() ? "" : ", ") + place;
    warn(Notice::configuration_kept, places +
                                         ": which rows there are, or what they mean, changes at a restart alone; the "
                                         "configuration before continues, whole");
    return false;
  }
  say(Notice::configuration_read, text_of(reload));
  Config taken = reloaded(config_, std::move(*now));
  if (reload.anew.empty()) {
    config_.publish.http = taken.publish.http;
    config_.written = std::move(taken.written);
    return false;
  }
  next_ = std::move(taken);
  return true;
}

void Attaching::begin_anew() {
  before_ = std::exchange(config_, std::move(*next_));
  next_.reset();
  around_.watch_disks_of(config_);
  if (monitor_) monitor_->keep_for(config_.state.keep_results);
  pool_.emplace(thread_count(wiring_.threads.value_or(config_.threads)));
}

// After a run that has ended: whether another begins.
bool Attaching::is_to_go_on(const Result<Report>& report) {
  if (stop_) return false;
  // SIGHUP came while it waited to begin.
  if (!report && report.error().code == Errc::interrupted && wiring_.hangups != nullptr) {
    if (wiring_.hangups->take() && hung_up(nullptr, nullptr)) begin_anew();
    return true;
  }
  if (!report && !around_.has_begun() && before_) {
    warn(Notice::configuration_kept, report.error().context + "; the configuration before continues");
    next_ = std::exchange(before_, std::nullopt);
    begin_anew();
    before_.reset();
    if (monitor_) static_cast<void>(monitor_->reload(config_.publish.http));
    return true;
  }
  if (!report) return false;
  before_.reset();
  if (next_) {
    begin_anew();
    return true;
  }
  if (is_outgrown_) say(Notice::partitions_added, "the topics have more partitions than before; all are read");
  return is_outgrown_;
}

Result<Report> Attaching::run() {
  if (auto opened = open(); !opened) return tl::unexpected(std::move(opened).error());
  pool_.emplace(thread_count(wiring_.threads.value_or(config_.threads)));
  for (bool rebuild = wiring_.rebuild;; rebuild = false) {
    auto report = once(rebuild);
    end_if_failed(*store_);
    if (!is_to_go_on(report)) {
      if (!report) state_->refuse(report.error(), *store_);
      return report;
    }
  }
}

}  // namespace

Result<Report> attach(const Config& given, const AttachWiring& wiring, const std::atomic<bool>& stop) {
  auto config = live_config(given);
  if (!config) return tl::unexpected(std::move(config).error());
  return Attaching(std::move(*config), wiring, stop).run();
}

ExitCode run_attach(const AttachCommand& command, const std::atomic<bool>& stop) {
  const std::optional<Config> config = configuration_from(command.config, check_live);
  if (!config) return ExitCode::usage;
  date_messages();
  tell_unused_keys(*config);
  std::unique_ptr<file::AtomicFile> report_file;
  if (!command.report.empty()) {
    auto created = file::AtomicFile::create(command.report);
    if (!created) return report_error(created.error());
    report_file = std::move(*created);
  }
  // Brokers may be slow to let it go, and one that was asked to end does so as it is after a while.
  Result<void> written;
  const auto write_report = [&](Report report) {
    if (report_file) {
      report.tzdata = tzdata_for(*config);
      written = report_file->write(render_json(report));
      if (written) written = report_file->commit();
    }
    if (!written) return;
    say(Notice::run_ended,
        std::to_string(report.events.read) + " events read, " + std::to_string(report.rows_final) + " final rows");
  };
  const auto report = attach(*config,
                             {.threads = command.threads,
                              .rebuild = command.rebuild,
                              .overwrite = command.overwrite,
                              .ended = write_report,
                              .hangups = &hangups(),
                              .load_again = [&command] { return configuration_from(command.config, check_live); }},
                             stop);
  if (!report && report.error().code == Errc::interrupted) return ExitCode::ok;  // before there was anything to finish
  if (!report) return report_error(report.error());
  return written ? ExitCode::ok : report_error(written.error());
}

}  // namespace recmeter
