#include "app/console/messages.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

MessageForm form_in_use = MessageForm::text;
std::atomic<bool> are_dated = false;

// Bytes of the UTF-8 character that `text` begins with; 0: it begins with none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t bytes = lead >= 0xc2 && lead < 0xe0   ? 2
                            : lead >= 0xe0 && lead < 0xf0 ? 3
                            : lead >= 0xf0 && lead < 0xf5 ? 4
                                                          : 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  const bool is_overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool is_none = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);  // surrogates, too large
  return is_overlong || is_none ? 0 : bytes;
}

bool is_harmless(std::string_view character) {
  if (character.size() == 1) return character[0] >= 0x20 && character[0] != 0x7f;
  if (character.size() == 2) return character >= "\xc2\xa0";                     // C1 lies below
  if (character >= "\xe2\x80\xa8" && character <= "\xe2\x80\xae") return false;  // U+2028 to U+202E
  return character < "\xe2\x81\xa6" || character > "\xe2\x81\xa9";               // U+2066 to U+2069
}

std::string now_utc() {
  using namespace std::chrono;
  const auto now = floor<milliseconds>(system_clock::now());
  const auto whole = floor<seconds>(now);
  return fmt::format("{:%FT%T}.{:03}Z", whole, (now - whole).count());
}

void log(spdlog::level::level_enum level, std::string_view prefix, std::string_view code, std::string_view message) {
  if (form_in_use == MessageForm::text) {
    spdlog::log(level, "{}recmeter: {}{}", are_dated ? now_utc() + " " : "", prefix, harmless(message));
    return;
  }
  std::string text;
  append_json_string(text, message);
  std::string line = json_message(spdlog::level::to_string_view(level).data(), code, "message", text);
  line.pop_back();  // the logger ends it
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

void date_messages() {
  are_dated = true;
}

void say(Notice notice, std::string_view message) {
  log(spdlog::level::info, "", to_string(notice), message);
}
void warn(Notice notice, std::string_view message) {
  log(spdlog::level::warn, "warning: ", to_string(notice), message);
}
void complain(Notice notice, std::string_view message) {
  log(spdlog::level::err, "", to_string(notice), message);
}
void complain(const Error& error) {
  log(spdlog::level::err, "", to_string(error.code), error.context);
}

std::string json_message(std::string_view level, std::string_view code, std::string_view key, std::string_view json) {
  return fmt::format(R"({{"ts":"{}","level":"{}","code":"{}","{}":{}}})"
                     "\n",
                     now_utc(), level, code, key, json);
}

std::string harmless(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes > 0 && is_harmless(text.substr(0, bytes))) {
      out += text.substr(0, bytes);
    } else {
      for (const char c : text.substr(0, std::max<std::size_t>(bytes, 1))) {
        const auto byte = static_cast<unsigned char>(c);
        out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      }
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

}  // namespace recmeter
