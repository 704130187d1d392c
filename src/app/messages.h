// Messages: what the program tells a person, or with --json a program, on standard error. Results never go there.
//
// Texts may hold paths and other input: what could break the line or steer a terminal is escaped. Thread safety: as the
// logger beneath it, safe from any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter {

enum class MessageForm { text, json };

// Call once, before the first message.
void start_messages(MessageForm form);
[[nodiscard]] MessageForm message_form();

void say(std::string_view message);
void warn(std::string_view message);
void complain(std::string_view message);

// `text` for one line of a terminal: control characters (C0, DEL, C1), bytes that are no UTF-8, line separators and marks
// that turn the direction of writing appear as \xNN.
[[nodiscard]] std::string harmless(std::string_view text);

}  // namespace recmeter
