#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "recmeter/registry/schema_registry.h"
#include "registry/answer.h"
#include "registry/http_get.h"

namespace recmeter::registry {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds unknown_holds{60};
constexpr std::chrono::seconds first_pause{1};
constexpr std::chrono::seconds longest_pause{60};
constexpr std::size_t parts_max = 1000;

// "id 17", or "GUID ...", and where it is asked for.
struct Question {
  std::string name;
  std::string path;
};

Question question_of(SchemaId id) {
  const bool is_guid = id.front() == '\1';
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  std::uint32_t number = 0;
  for (std::size_t i = 1; i < id.size(); ++i) {
    const auto byte = static_cast<unsigned char>(id[i]);
    number = number << 8U | byte;
    if (i == 5 || i == 7 || i == 9 || i == 11) text += '-';
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  if (is_guid) return {"GUID " + text, "/schemas/guids/" + text};
  return {"id " + std::to_string(number), "/schemas/ids/" + std::to_string(number)};
}

std::string cause_of(const HttpReply& reply) {
  if (reply.status == 200) return "its answer is not a schema; check `registry.url`";
  std::string cause = "it answers with status " + std::to_string(reply.status);
  if (reply.status == 401 || reply.status == 403) cause += "; check `registry.user` and `registry.password`";
  if (reply.status == 404) cause += " without an explanation; check `registry.url`";
  return cause;
}

class Client final : public SchemaRegistry {
 public:
  explicit Client(RegistryOptions options)
      : url_(std::move(options.url)),
        tell_(std::move(options.tell)),
        thread_([this, user = options.user, password = options.password](std::stop_token stop) {
          HttpGet server(url_, user, password, stop);
          work(server, stop);
        }) {}

  [[nodiscard]] Standing want(SchemaId id) override;
  [[nodiscard]] std::shared_ptr<const KnownSchema> find(SchemaId id) const override;
  void wait(std::chrono::milliseconds most) override;
  [[nodiscard]] std::string complaint() const override {
    const std::scoped_lock lock(mutex_);
    return complaint_;
  }

 private:
  struct Entry {
    Standing standing = Standing::asked;
    Clock::time_point answered;
    std::shared_ptr<const KnownSchema> schema;
  };
  using Answered = Result<std::shared_ptr<const KnownSchema>>;  // null: unknown

  void work(HttpGet& server, const std::stop_token& stop);
  [[nodiscard]] static Answered ask(HttpGet& server, const std::string& path);
  // Nothing: the registry does not know it. Errors have the cause alone.
  [[nodiscard]] static Result<std::optional<RegistryAnswer>> get(HttpGet& server, const std::string& path);
  [[nodiscard]] static Result<bool> add_parts(HttpGet& server, const RegistryAnswer& of, std::set<std::string>& seen,
                                              KnownSchema& schema);

  const std::string url_;
  const Tell tell_;
  mutable std::mutex mutex_;
  std::condition_variable_any wanted_;
  std::condition_variable_any answered_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::deque<std::string> queue_;
  std::string complaint_;
  std::jthread thread_;  // the last: it uses all of these
};

SchemaRegistry::Standing Client::want(SchemaId id) {
  const std::scoped_lock lock(mutex_);
  auto [entry, is_new] = entries_.try_emplace(std::string(id));
  Standing& standing = entry->second.standing;
  const bool is_old = standing == Standing::unknown && Clock::now() - entry->second.answered >= unknown_holds;
  if (is_new || is_old) {
    standing = Standing::asked;
    queue_.push_back(entry->first);
    wanted_.notify_one();
  }
  return standing;
}

std::shared_ptr<const KnownSchema> Client::find(SchemaId id) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = entries_.find(id);
  return entry == entries_.end() ? nullptr : entry->second.schema;
}

void Client::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, most);
}

void Client::work(HttpGet& server, const std::stop_token& stop) {
  auto pause = first_pause;
  std::unique_lock lock(mutex_);
  // With a question left it waits for none, whether it is to stop or not.
  while (wanted_.wait(lock, stop, [&] { return !queue_.empty(); }) && !stop.stop_requested()) {
    const std::string id = queue_.front();
    queue_.pop_front();
    lock.unlock();
    const Question question = question_of(id);
    const Answered answer = ask(server, question.path);
    lock.lock();
    if (answer) {
      entries_[id] = {*answer == nullptr ? Standing::unknown : Standing::known, Clock::now(), *answer};
      complaint_.clear();
      pause = first_pause;
      answered_.notify_all();
      continue;
    }
    // Another may be answered before it is asked for again.
    queue_.push_back(id);
    const bool is_new = complaint_.empty();
    complaint_ = "the schema registry " + url_ + " cannot be asked for schema " + question.name + " (" +
                 answer.error().context + "): records of schemas that are not known yet are not read until it answers";
    if (is_new && tell_ && !stop.stop_requested()) tell_(Notice::registry_unreachable, complaint_);
    wanted_.wait_for(lock, stop, pause, [] { return false; });
    pause = std::min(2 * pause, longest_pause);
  }
}

Client::Answered Client::ask(HttpGet& server, const std::string& path) {
  auto answer = get(server, path);
  if (!answer) return tl::unexpected(std::move(answer).error());
  if (!*answer) return nullptr;
  auto schema = std::make_shared<KnownSchema>();
  schema->kind = (*answer)->kind;
  std::set<std::string> seen;
  const auto is_whole = add_parts(server, **answer, seen, *schema);
  if (!is_whole) return tl::unexpected(is_whole.error());
  if (!*is_whole) return nullptr;
  schema->parts.push_back({.name = "schema", .text = std::move((*answer)->text)});
  return schema;
}

Result<std::optional<RegistryAnswer>> Client::get(HttpGet& server, const std::string& path) {
  const auto reply = server.get(path);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->status == 404 && says_unknown(reply->body)) return std::nullopt;
  auto answer = reply->status == 200 ? parse_answer(reply->body) : std::nullopt;
  if (!answer) return failure(Errc::input_unreadable, cause_of(*reply));
  return answer;
}

// What a schema refers to, each before those that refer to it. False: some of it is not known.
Result<bool> Client::add_parts(HttpGet& server, const RegistryAnswer& of, std::set<std::string>& seen, KnownSchema& schema) {
  for (const RegistryAnswer::Reference& reference : of.references) {
    if (!seen.insert(reference.name).second) continue;
    if (seen.size() > parts_max) return false;
    auto part = get(server, "/subjects/" + HttpGet::escaped(reference.subject) + "/versions/" + reference.version);
    if (!part) return tl::unexpected(std::move(part).error());
    if (!*part) return false;
    auto below = add_parts(server, **part, seen, schema);
    if (!below || !*below) return below;
    schema.parts.push_back({.name = reference.name, .text = std::move((*part)->text)});
  }
  return true;
}

}  // namespace

Result<std::shared_ptr<SchemaRegistry>> SchemaRegistry::open(RegistryOptions options) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  const bool is_url = options.url.starts_with("http://") || options.url.starts_with("https://");
  if (ready != CURLE_OK || !is_url || options.url.find('@') != std::string::npos) {
    return failure(
        Errc::config_invalid,
        "`registry.url` is no URL of a schema registry; write http:// or https://, host and port, and the name and the "
        "password in `registry.user` and `registry.password`");
  }
  while (options.url.ends_with('/')) options.url.pop_back();
  return std::make_shared<Client>(std::move(options));
}

}  // namespace recmeter::registry
