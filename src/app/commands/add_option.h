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

}  // namespace recmeter
