// HttpGet: one question at a time to one server, by libcurl, whose connection it keeps.
// Thread safety: none.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"

namespace recmeter::registry {

struct HttpReply {
  long status = 0;
  std::string body;
};

class HttpGet {
 public:
  // `user`: "" for none. `stop` ends a question that is under way.
  HttpGet(std::string base, const std::string& user, const std::string& password, std::stop_token stop);

  // Errors: input_unreadable, with the cause alone. Waits for 10 s at most.
  [[nodiscard]] Result<HttpReply> get(const std::string& path);
  // As a part of a path.
  [[nodiscard]] static std::string escaped(std::string_view text);

 private:
  std::string base_;
  std::stop_token stop_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
};

}  // namespace recmeter::registry
