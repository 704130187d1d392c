// HttpGets: questions to one server, several side by side, by libcurl, whose connections it keeps.
// Thread safety: none, but for wake().
#pragma once

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/registry/schema_registry.h"

namespace recmeter::registry {

struct HttpReply {
  long status = 0;
  std::string body;
  bool is_too_large = false;  // more than reply_bytes_max, of which nothing is kept
};

inline constexpr std::size_t reply_bytes_max = std::size_t{4} << 20;     // of one answer
inline constexpr std::size_t replies_bytes_max = std::size_t{16} << 20;  // of all that are under way

class HttpGets {
 public:
  struct Ended {
    std::size_t tag = 0;
    Result<HttpReply> reply;  // errors: input_unreadable, with cause and remedy
  };

  explicit HttpGets(const RegistryOptions& options);
  HttpGets(const HttpGets&) = delete;
  HttpGets& operator=(const HttpGets&) = delete;
  ~HttpGets();

  // Each ends after 10 s at most.
  void start(std::size_t tag, const std::string& path);
  [[nodiscard]] std::size_t under_way() const { return under_way_.size(); }
  // Those that have ended; if there are none, waits for one, for wake(), or so long.
  [[nodiscard]] std::vector<Ended> wait(std::chrono::milliseconds most);
  // From any thread: the wait that is, or the next one, ends.
  void wake();
  // As a part of a path.
  [[nodiscard]] static std::string escaped(std::string_view text);

 private:
  struct Get;
  using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

  [[nodiscard]] Easy new_easy() const;
  static std::size_t append(char* bytes, std::size_t one, std::size_t size, void* to);

  RegistryOptions options_;
  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_;
  std::vector<Easy> idle_;
  std::list<Get> under_way_;
  std::size_t bytes_ = 0;  // of their answers so far
};

}  // namespace recmeter::registry
