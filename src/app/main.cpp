// The program: what each command line leads to. [I2].
#include <algorithm>
#include <string_view>

#include "app/commands/command_line.h"
#include "app/console/messages.h"
#include "app/run/interruption.h"

namespace {

using recmeter::ExitCode;
using recmeter::MessageForm;

// Known before the parser is done, for what it has to say itself.
MessageForm form_asked_for(int argc, char** argv) {
  const bool json = std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  return json ? MessageForm::json : MessageForm::text;
}

// The first word that is no option is the command.
void begin(int argc, char** argv, char** /*environment*/) {
  char** const command = std::find_if(argv + std::min(argc, 1), argv + argc, [](const char* word) { return *word != '-'; });
  recmeter::watch_for_interruption(command != argv + argc && std::string_view(*command) == "attach");
}

// Signals have their meaning before the constructors of libraries run, which take longest of a start. A sanitizer has to come
// before that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
__attribute__((constructor)) void begin_first(int argc, char** argv, char** environment) {
  begin(argc, argv, environment);
}
#else
__attribute__((section(".preinit_array"), used)) void (*const begin_first)(int, char**, char**) = &begin;
#endif

}  // namespace

#ifdef RECMETER_JEMALLOC
// Settings of jemalloc: few arenas, since few threads allocate, and freed pages go back to the system within half
// a second, so that a run takes what is forecast. docs/decisions/0101.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:4,dirty_decay_ms:500,muzzy_decay_ms:0";
}
#endif

int main(int argc, char** argv) {
  recmeter::start_messages(form_asked_for(argc, argv));
  const auto& stop = recmeter::interruption();
  return static_cast<int>(recmeter::exit_code_after(recmeter::run_command_line(argc, argv, stop)));
}
