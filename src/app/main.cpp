// The program: what each command line leads to. [I2].
#include <algorithm>
#include <string_view>

#include "app/commands/command_line.h"
#include "app/console/messages.h"
#include "app/run/interruption.h"

namespace {

using recmeter::MessageForm;

// Known before the parser is done, for what it has to say itself.
MessageForm form_asked_for(int argc, char** argv) {
  const bool json = std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  return json ? MessageForm::json : MessageForm::text;
}

}  // namespace

int main(int argc, char** argv) {
  recmeter::start_messages(form_asked_for(argc, argv));
  return static_cast<int>(recmeter::run_command_line(argc, argv, recmeter::watch_for_interruption()));
}
