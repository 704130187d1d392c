#include "app/state_command.h"

#include <utility>

#include "app/messages.h"
#include "app/standard_output.h"
#include "app/state_text.h"
#include "recmeter/rocksdb/open_store.h"
#include "recmeter/rocksdb/state_directory.h"

namespace recmeter {

namespace {

constexpr std::size_t cache = 32U << 20U;

Result<StateFacts> facts_of(const StateCommand& command) {
  const std::string& directory = command.directory;
  if (const auto holder = rocksdb_state::holder_of(directory)) {
    return failure(Errc::state_unusable,
                   "the state is in use by " + *holder + "; stop that first, then look again: " + directory);
  }
  const auto store = rocksdb_state::open_store(directory, {.memory = cache, .create = false, .read_only = true});
  if (!store) return tl::unexpected(store.error());
  if (command.check) {
    if (auto sound = rocksdb_state::verify_files(directory); !sound) return tl::unexpected(std::move(sound).error());
  }
  auto survey = survey_of(**store);
  if (survey) {
    return StateFacts{.directory = directory,
                      .format = rocksdb_state::format_version,
                      .bytes = rocksdb_state::bytes_on_disk(directory),
                      .survey = std::move(*survey)};
  }
  Error error = std::move(survey).error();
  // What cannot be read is no error of the machine here: there is nothing to go on from either way.
  if (error.code == Errc::storage_failed) error.code = Errc::state_unusable;
  if (error.context.find(directory) == std::string::npos) error.context += ": " + directory;
  return tl::unexpected(std::move(error));
}

}  // namespace

ExitCode run_state(const StateCommand& command) {
  const auto facts = facts_of(command);
  if (!facts) {
    complain(facts.error());
    return exit_code_of(facts.error().code);
  }
  if (command.check) {
    say(Notice::state_sound, "the state is sound: " + std::to_string(facts->survey.journal.events) + " events, " +
                                 std::to_string(facts->survey.rows_waiting) + " rows to be published: " + command.directory);
    return ExitCode::ok;
  }
  const bool json = command.format == "json" || (command.format.empty() && message_form() == MessageForm::json);
  return print(json ? state_json(*facts) : state_text(*facts));
}

}  // namespace recmeter
