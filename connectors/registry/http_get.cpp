#include "registry/http_get.h"

#include <array>

#include "recmeter/base/check.h"

namespace recmeter::registry {
namespace {

constexpr long connect_ms = 5'000;
constexpr long answer_ms = 10'000;
constexpr std::size_t body_bytes_max = std::size_t{16} << 20;

std::size_t append(char* bytes, std::size_t /*one*/, std::size_t size, void* to) {
  auto& body = *static_cast<std::string*>(to);
  if (body.size() + size > body_bytes_max) return 0;
  body.append(bytes, size);
  return size;
}

// Asked now and then while it waits.
int look(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

}  // namespace

HttpGet::HttpGet(std::string base, const std::string& user, const std::string& password, std::stop_token stop)
    : base_(std::move(base)), stop_(std::move(stop)), curl_(curl_easy_init(), &curl_easy_cleanup) {
  RECMETER_CHECK(curl_ != nullptr, "libcurl cannot start: out of memory");
  CURL* const curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, answer_ms);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &look);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &stop_);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "recmeter");
  if (user.empty()) return;
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
  curl_easy_setopt(curl, CURLOPT_USERNAME, user.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, password.c_str());
}

Result<HttpReply> HttpGet::get(const std::string& path) {
  HttpReply reply;
  std::array<char, CURL_ERROR_SIZE> cause{};
  CURL* const curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_URL, (base_ + path).c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &reply.body);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, cause.data());
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
  if (code != CURLE_OK) {
    return failure(Errc::input_unreadable, cause.front() == '\0' ? curl_easy_strerror(code) : cause.data());
  }
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply.status);
  return reply;
}

std::string HttpGet::escaped(std::string_view text) {
  const std::unique_ptr<char, decltype(&curl_free)> escaped(
      curl_easy_escape(nullptr, text.data(), static_cast<int>(text.size())), &curl_free);
  return escaped == nullptr ? std::string() : escaped.get();
}

}  // namespace recmeter::registry
