// Adds options to a command with the word that stands for their value in the help.
#pragma once

#include <CLI/CLI.hpp>

#include "app/commands/command.h"
#include "app/commands/option_values.h"

namespace recmeter {

struct AddOption {
  CLI::App* command;
  CLI::Option* operator()(const char* names, auto& target, const char* type, const char* help) const {
    return command->add_option(names, target, help)->type_name(type);
  }
};

inline constexpr unsigned threads_max = 1024;  // as in the configuration

inline CLI::Option* add_threads(CLI::App& command, auto& target) {
  return command.add_option("-j,--threads", target, "Threads, 1 to 1024; 0: one a core; by default as configured")
      ->type_name("N")
      ->check(whole_number_up_to(threads_max));
}

}  // namespace recmeter
