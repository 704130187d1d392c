#include "app/messages.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

MessageForm form_in_use = MessageForm::text;

void log(spdlog::level::level_enum level, std::string_view prefix, std::string_view message) {
  if (form_in_use == MessageForm::text) {
    spdlog::log(level, "recmeter: {}{}", prefix, harmless(message));
    return;
  }
  std::string line = R"({"level":")";
  line += spdlog::level::to_string_view(level).data();
  line += R"(","message":)";
  append_json_string(line, message);
  line += '}';
  spdlog::log(level, line);
}

}  // namespace

void start_messages(MessageForm form) {
  form_in_use = form;
  auto logger = spdlog::stderr_logger_mt("recmeter");
  logger->set_pattern("%v");  // messages carry their own form; patterns do not escape
  spdlog::set_default_logger(std::move(logger));
}

MessageForm message_form() {
  return form_in_use;
}

void say(std::string_view message) {
  log(spdlog::level::info, "", message);
}
void warn(std::string_view message) {
  log(spdlog::level::warn, "warning: ", message);
}
void complain(std::string_view message) {
  log(spdlog::level::err, "", message);
}

std::string harmless(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

}  // namespace recmeter
