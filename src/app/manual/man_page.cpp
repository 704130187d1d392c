#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/manual/manual.h"

namespace recmeter::manual {

namespace {

// Text as troff takes it: a hyphen that is to be typed, a backslash, and no line that begins like a request.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else
      out += c;
    at_start = c == '\n';
  }
  return out;
}

std::string heading(std::string_view title, std::string_view version) {
  std::string upper(title);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"\" \"recmeter {}\" \"User Commands\"\n", roff(upper), version);
}

std::string option_text(const Option& option) {
  std::string head;
  for (const std::string& name : option.names) {
    if (!head.empty()) head += ", ";
    head += fmt::format("\\f{}{}\\fR", option.is_positional ? 'I' : 'B', roff(name));
  }
  if (!option.value.empty() && !option.is_positional) head += fmt::format(" \\fI{}\\fR", roff(option.value));
  return fmt::format(".TP\n{}\n{}.\n", head, roff(option.text));
}

void add_options(std::string& page, const std::vector<Option>& options) {
  for (const Option& option : options) page += option_text(option);
}

}  // namespace

std::string main_page(const Manual& manual) {
  std::string page = heading("recmeter", manual.version);
  page += ".SH NAME\nrecmeter \\- measure recommenders on their event logs\n";
  page += ".SH SYNOPSIS\n.B recmeter\n.I COMMAND\n.RI [ OPTIONS ]\n.br\n.B recmeter\n.I COMMAND\n.B \\-\\-help\n";
  page += fmt::format(".SH DESCRIPTION\n{}\n", roff(manual.summary));
  page += ".SH COMMANDS\n";
  for (const CommandPage& command : manual.commands)
    page += fmt::format(".TP\n\\fBrecmeter\\-{}\\fR(1)\n{}.\n", roff(command.name), roff(command.summary));
  page += ".SH OPTIONS\nThese go with every command.\n";
  add_options(page, manual.options);
  page +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nDone.\n"
      ".TP\n1\nFailed: the message says where, why and what to do.\n"
      ".TP\n2\nThe command line or the configuration is wrong.\n"
      ".TP\n3\nDone, but more records were invalid or lost than the configuration allows.\n"
      ".TP\n4\nThe state of an earlier run does not fit.\n"
      ".TP\n130\nInterrupted.\n"
      ".SH EXAMPLES\n"
      "A log of your own, from nothing to a table:\n"
      ".PP\n.nf\n"
      "recmeter infer my.log > my.yaml\n"
      "recmeter doctor \\-\\-config my.yaml my.log\n"
      "recmeter replay \\-\\-config my.yaml my.log\n"
      ".fi\n";
  page += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < manual.commands.size(); ++i) {
    page +=
        fmt::format(".BR recmeter\\-{} (1){}\n", roff(manual.commands[i].name), i + 1 == manual.commands.size() ? "" : ",");
  }
  return page;
}

std::string command_page(const Manual& manual, const CommandPage& command) {
  std::string page = heading("recmeter-" + command.name, manual.version);
  std::string summary = command.summary;
  if (!summary.empty()) summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  page += fmt::format(".SH NAME\nrecmeter\\-{} \\- {}\n", roff(command.name), roff(summary));
  page += fmt::format(".SH SYNOPSIS\n.B recmeter {}\n.RI [ OPTIONS ]\n", roff(command.name));
  for (const Option& option : command.options) {
    if (!option.is_positional) continue;
    page += option.is_required ? fmt::format(".I {}\n", roff(option.names.front()))
                               : fmt::format(".RI [ {} ]\n", roff(option.names.front()));
  }
  page += fmt::format(".SH DESCRIPTION\n{}.\n", roff(command.summary));
  page += ".SH OPTIONS\n";
  add_options(page, command.options);
  add_options(page, manual.options);
  if (!command.notes.empty()) page += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(command.notes));
  page += ".SH SEE ALSO\n.BR recmeter (1)\n";
  return page;
}

}  // namespace recmeter::manual
