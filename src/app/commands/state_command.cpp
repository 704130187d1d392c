// The commands `recmeter state info` and `recmeter state check`: what a state directory holds, and whether it is sound.
// [I2]. They change nothing.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/attach/connection_check.h"
#include "app/attach/state_check.h"
#include "app/attach/state_text.h"
#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/standard_output.h"
#include "app/run/configuration.h"
#include "config/load_config.h"
#include "recmeter/rocksdb/open_store.h"
#include "recmeter/rocksdb/state_directory.h"

namespace recmeter {

namespace {

struct StateCommand {
  std::string directory;
  std::string format;  // "": text, or JSON where messages are
  bool check = false;  // instead of info
  std::string config;  // of check; "": the one that made the state
};

constexpr std::size_t cache = 32U << 20U;

Result<StateFacts> facts_of(const StateCommand& command, const Config* config) {
  const std::string& directory = command.directory;
  if (const auto holder = rocksdb_state::holder_of(directory)) {
    return failure(Errc::state_in_use,
                   "the state is in use by " + *holder + "; stop that first, then look again: " + directory);
  }
  const auto format = rocksdb_state::format_of(directory);
  if (!format) return tl::unexpected(format.error());
  const auto store = rocksdb_state::open_store(directory, {.memory = cache, .create = false, .read_only = true});
  if (!store) return tl::unexpected(store.error());
  if (command.check) {
    if (auto sound = rocksdb_state::verify_files(directory); !sound) return tl::unexpected(std::move(sound).error());
  }
  auto survey = command.check ? check_state(**store, process_context(), config) : survey_of(**store);
  if (survey) {
    return StateFacts{.directory = directory,
                      .format = *format,
                      .bytes = rocksdb_state::bytes_on_disk(directory),
                      .survey = std::move(*survey)};
  }
  Error error = std::move(survey).error();
  // What cannot be read is no error of the machine here: there is nothing to go on from either way.
  if (error.code == Errc::storage_failed) error.code = Errc::state_unusable;
  if (error.context.find(directory) == std::string::npos) error.context += ": " + directory;
  return tl::unexpected(std::move(error));
}

ExitCode run_state(const StateCommand& command) {
  std::optional<Config> config;
  if (!command.config.empty()) {
    config = configuration_from(command.config, check_live);
    if (!config) return ExitCode::usage;
  }
  const auto facts = facts_of(command, config ? &*config : nullptr);
  if (!facts) {
    complain(facts.error());
    return exit_code_of(facts.error().code);
  }
  if (command.check) {
    if (facts->survey.panes.damaged > 0) {
      warn(Notice::panes_damaged,
           std::to_string(facts->survey.panes.damaged) +
               " sealed panes are damaged; attach makes them anew of the journal of events: " + command.directory);
    }
    say(Notice::state_sound, "the state is sound: " + std::to_string(facts->survey.journal.events) + " events, " +
                                 std::to_string(facts->survey.rows.waiting + facts->survey.looks.waiting) +
                                 " rows to be published: " + command.directory);
    return ExitCode::ok;
  }
  const bool json = command.format == "json" || (command.format.empty() && message_form() == MessageForm::json);
  return print(json ? state_json(*facts) : state_text(*facts));
}

Command define_state(CLI::App& parser) {
  const auto command = std::make_shared<StateCommand>();
  CLI::App* sub =
      parser.add_subcommand("state", "Inspect a state directory: what it holds (info), whether it is sound (check)");
  sub->require_subcommand(1);
  CLI::App* info = sub->add_subcommand("info", "Show what a state holds: positions, watermark, journal, unpublished rows");
  CLI::App* check = sub->add_subcommand("check", "Check whether a state is sound: every file, event and row is read");
  for (CLI::App* each : {info, check}) {
    each->add_option("DIR", command->directory, "The state.dir of an attach that is not running")->type_name("")->required();
    each->footer("Nothing is changed. Exit codes: 0 sound; 2 usage; 4 in use, damaged, or no state of this recmeter.");
  }
  info->add_option("-f,--format", command->format, "text, or json (as --json does)")
      ->type_name("FORMAT")
      ->check(one_of_words({"text", "json"}));
  check
      ->add_option("-c,--config", command->config,
                   "The configuration that attach would have; default: the one that made the state")
      ->type_name("FILE");
  check->callback([command] { command->check = true; });
  return {sub, [command](const std::atomic<bool>& /*stop*/) { return run_state(*command); }};
}

const CommandRegistration state_registration(CommandPlace::state, define_state);

}  // namespace

}  // namespace recmeter
