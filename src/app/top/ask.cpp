#include "app/top/ask.h"

#include <utility>

#include "app/top/model.h"

namespace recmeter::top {

namespace {

constexpr int ok = 200;
constexpr int unauthorized = 401;

}  // namespace

Result<http::GetOptions> get_options(const EvaluatorAddress& evaluator, const std::atomic<bool>& stop) {
  http::GetOptions options{.ca_file = evaluator.ca_file, .stop = &stop};
  if (evaluator.token_file.empty()) return options;
  auto token = http::read_token_file(evaluator.token_file);
  if (!token) return tl::unexpected(std::move(token).error());
  options.token = std::move(*token);
  return options;
}

Result<std::string> ask(std::string url, const std::string& path, const http::GetOptions& options) {
  while (url.ends_with('/')) url.pop_back();
  auto fetched = http::get(url + path, options);
  if (!fetched) return tl::unexpected(std::move(fetched).error());
  if (fetched->status == ok) return std::move(fetched->body);
  const std::string place = url + path.substr(0, path.find('?'));
  if (fetched->status == unauthorized) {
    return failure(Errc::config_invalid,
                   place + (options.token.empty() ? " requires a token; name its file: --token-file FILE"
                                                  : " does not take this token; see --token-file"));
  }
  const std::string detail = problem_detail(fetched->body);
  return failure(Errc::input_unreadable, place + " answers with " + std::to_string(fetched->status) +
                                             (detail.empty() ? "; check that the URL is recmeter's" : ": " + detail));
}

}  // namespace recmeter::top
