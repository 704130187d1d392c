#include "app/console/messages.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>

#include "recmeter/base/utf8.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

MessageForm form_in_use = MessageForm::text;
std::atomic<bool> are_dated = false;

bool is_harmless(CodePoint point) {
  const char32_t c = point.value;
  const bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool steers = (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);  // lines, directions of writing
  return point.valid && !is_control && !steers;
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
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string_view character = text.substr(at, point.bytes);
    at += point.bytes;
    if (is_harmless(point)) {
      out += character;
      continue;
    }
    for (const char c : character) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

}  // namespace recmeter
