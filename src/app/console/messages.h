// Messages: what the program tells a person, or with --json a program, on standard error. Results never go there.
//
// Texts may hold paths and other input: what could break the line or steer a terminal is escaped. Thread safety: as the
// logger beneath it, safe from any thread. As JSON each is an object on a line with `ts`, `level`, `code` and `message`.
#pragma once

#include <string>
#include <string_view>

#include "recmeter/base/error.h"
#include "recmeter/base/notice.h"

namespace recmeter {

enum class MessageForm { text, json };

// Call once, before the first message.
void start_messages(MessageForm form);
[[nodiscard]] MessageForm message_form();

// From here on messages as text begin with the time: those of a program that runs on.
void date_messages();

void say(Notice notice, std::string_view message);
void warn(Notice notice, std::string_view message);
void complain(Notice notice, std::string_view message);
void complain(const Error& error);

// A message as JSON whose matter is more than a sentence, as a line: `json` stands under `key`.
[[nodiscard]] std::string json_message(std::string_view level, std::string_view code, std::string_view key,
                                       std::string_view json);

// `text` for one line of a terminal: control characters (C0, DEL, C1), bytes that are no UTF-8, line separators and marks
// that turn the direction of writing appear as \xNN.
[[nodiscard]] std::string harmless(std::string_view text);

}  // namespace recmeter
