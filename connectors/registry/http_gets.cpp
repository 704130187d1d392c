#include "registry/http_gets.h"

#include <algorithm>

#include "recmeter/base/check.h"

namespace recmeter::registry {
namespace {

constexpr long connect_ms = 5'000;
constexpr long answer_ms = 10'000;

// Where to look; of a client certificate that a server wants or refuses it says nothing but that the connection ended.
std::string remedy_of(CURLcode code, bool is_tls) {
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION: return "check `registry.ca` and the host in `registry.url`";
    case CURLE_SSL_CACERT_BADFILE: return "check `registry.ca`: a readable PEM file";
    case CURLE_SSL_CERTPROBLEM:
      return "check `registry.certificate` and `registry.key`: readable PEM files that belong together, without passphrase";
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      if (is_tls) return "check `registry.url`, and if clients need certificates `registry.certificate` and `registry.key`";
      break;
    default: break;
  }
  return "check `registry.url` and the network";
}

}  // namespace

struct HttpGets::Get {
  HttpGets* all;
  std::size_t tag;
  Easy easy;
  HttpReply reply = {};
  std::array<char, CURL_ERROR_SIZE> cause = {};
};

std::size_t HttpGets::append(char* bytes, std::size_t /*one*/, std::size_t size, void* to) {
  auto& get = *static_cast<Get*>(to);
  if (get.reply.body.size() + size > reply_bytes_max) {
    get.reply.is_too_large = true;
    return 0;
  }
  if (get.all->bytes_ + size > replies_bytes_max) return 0;
  get.all->bytes_ += size;
  get.reply.body.append(bytes, size);
  return size;
}

HttpGets::HttpGets(const RegistryOptions& options) : options_(options), multi_(curl_multi_init(), &curl_multi_cleanup) {
  RECMETER_CHECK(multi_ != nullptr, "libcurl cannot start: out of memory");
}

HttpGets::~HttpGets() {
  for (const Get& get : under_way_) curl_multi_remove_handle(multi_.get(), get.easy.get());
}

HttpGets::Easy HttpGets::new_easy() const {
  Easy easy(curl_easy_init(), &curl_easy_cleanup);
  RECMETER_CHECK(easy != nullptr, "libcurl cannot start: out of memory");
  CURL* const curl = easy.get();
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, answer_ms);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "recmeter");
  if (!options_.ca.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, options_.ca.c_str());
  if (!options_.certificate.empty()) {
    curl_easy_setopt(curl, CURLOPT_SSLCERT, options_.certificate.c_str());
    curl_easy_setopt(curl, CURLOPT_SSLKEY, options_.key.c_str());
    curl_easy_setopt(curl, CURLOPT_KEYPASSWD, "");  // or a key with a passphrase is asked for at the terminal
  }
  if (options_.user.empty()) return easy;
  curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
  curl_easy_setopt(curl, CURLOPT_USERNAME, options_.user.c_str());
  curl_easy_setopt(curl, CURLOPT_PASSWORD, options_.password.c_str());
  return easy;
}

void HttpGets::start(std::size_t tag, const std::string& path) {
  Easy easy(nullptr, &curl_easy_cleanup);
  if (idle_.empty()) {
    easy = new_easy();
  } else {
    easy = std::move(idle_.back());
    idle_.pop_back();
  }
  Get& get = under_way_.emplace_back(Get{.all = this, .tag = tag, .easy = std::move(easy)});
  CURL* const curl = get.easy.get();
  curl_easy_setopt(curl, CURLOPT_URL, (options_.url + path).c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &get);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, get.cause.data());
  RECMETER_CHECK(curl_multi_add_handle(multi_.get(), curl) == CURLM_OK, "libcurl takes no question");
}

std::vector<HttpGets::Ended> HttpGets::wait(std::chrono::milliseconds most) {
  int running = 0;
  curl_multi_perform(multi_.get(), &running);
  if (static_cast<std::size_t>(running) == under_way_.size()) {
    curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(most.count()), nullptr);
    curl_multi_perform(multi_.get(), &running);
  }
  std::vector<Ended> ended;
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const auto get = std::ranges::find(under_way_, message->easy_handle, [](const Get& one) { return one.easy.get(); });
    RECMETER_CHECK(get != under_way_.end(), "what ends was under way");
    const CURLcode code = message->data.result;
    CURL* const curl = get->easy.get();
    curl_multi_remove_handle(multi_.get(), curl);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, nullptr);
    bytes_ -= get->reply.body.size();
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &get->reply.status);
    if (get->reply.is_too_large) get->reply.body.clear();
    if (code == CURLE_OK || get->reply.is_too_large) {
      ended.push_back({get->tag, std::move(get->reply)});
    } else {
      const std::string cause = get->cause.front() == '\0' ? curl_easy_strerror(code) : get->cause.data();
      const std::string remedy = remedy_of(code, options_.url.starts_with("https://"));
      ended.push_back({get->tag, failure(Errc::input_unreadable, cause + "; " + remedy)});
    }
    idle_.push_back(std::move(get->easy));
    under_way_.erase(get);
  }
  return ended;
}

void HttpGets::wake() {
  curl_multi_wakeup(multi_.get());
}

std::string HttpGets::escaped(std::string_view text) {
  const std::unique_ptr<char, decltype(&curl_free)> escaped(
      curl_easy_escape(nullptr, text.data(), static_cast<int>(text.size())), &curl_free);
  return escaped == nullptr ? std::string() : escaped.get();
}

}  // namespace recmeter::registry
