#include <algorithm>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "recmeter/event/schema_bounds.h"
#include "recmeter/registry/schema_registry.h"
#include "registry/http_gets.h"
#include "registry/question.h"

namespace recmeter::registry {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t side_by_side_max = 16;
constexpr std::chrono::milliseconds between_questions{10};  // at most 100 a second
constexpr std::chrono::seconds first_pause{1};
constexpr std::chrono::seconds longest_pause{60};
constexpr std::chrono::milliseconds longest_wait{500};

class Client final : public SchemaRegistry {
 public:
  explicit Client(RegistryOptions options)
      : options_(std::move(options)), server_(options_), thread_([this](const std::stop_token& stop) { work(stop); }) {}
  ~Client() override {
    thread_.request_stop();
    server_.wake();
  }

  [[nodiscard]] Standing want(SchemaId id) override;
  [[nodiscard]] std::shared_ptr<const KnownSchema> find(SchemaId id) const override;
  void wait(std::chrono::milliseconds most) override;
  [[nodiscard]] std::string complaint() const override;
  [[nodiscard]] std::uint64_t answers() const override {
    const std::scoped_lock lock(mutex_);
    return answers_;
  }
  [[nodiscard]] Counts counts() const override {
    const std::scoped_lock lock(mutex_);
    return {.is_up = complaint_.empty(), .asked = open_, .unknown = unknown_};
  }

 private:
  struct Entry {
    Standing standing = Standing::asked;
    Clock::time_point answered;
    std::shared_ptr<const KnownSchema> schema;
    std::list<std::string>::iterator use;  // of `schema`, in uses_
    std::size_t bytes = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  void work(const std::stop_token& stop);
  // Asks what may be asked now; for how long there is nothing more to do.
  [[nodiscard]] std::chrono::milliseconds start_questions();
  void take(HttpGets::Ended ended, const std::stop_token& stop);
  void answered(const Question& question);
  void failed(const std::string& name, const std::string& cause, const std::stop_token& stop);
  void say_that_it_is_busy();
  // Each with the mutex held.
  void forget_unknown();
  void forget_texts(const Entry& besides);
  [[nodiscard]] std::string busy_text() const;

  const RegistryOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable answered_;
  Entries entries_;
  std::deque<std::string> queue_;  // ids that are asked for, and not yet
  std::size_t open_ = 0;           // entries that are asked for
  Clock::time_point open_since_;   // some are
  std::size_t unknown_ = 0;
  std::deque<std::pair<std::string, Clock::time_point>> unknowns_;  // oldest first; some are not unknown any more
  mutable std::list<std::string> uses_;                             // known ids, the latest used last
  std::size_t text_bytes_ = 0;
  std::uint64_t answers_ = 0;
  std::string complaint_;

  // The thread's own.
  std::map<std::size_t, Question> questions_;  // that have begun, by tag
  std::deque<std::size_t> ready_;              // of these, those whose next path may be asked
  std::size_t next_tag_ = 0;
  Clock::time_point next_start_;
  std::optional<Clock::time_point> again_at_;  // it is in trouble; then one question is asked
  std::chrono::seconds pause_ = first_pause;
  bool has_said_busy_ = false;

  HttpGets server_;
  std::jthread thread_;  // the last: it uses all of these
};

SchemaRegistry::Standing Client::want(SchemaId id) {
  const std::scoped_lock lock(mutex_);
  auto [entry, is_new] = entries_.try_emplace(std::string(id));
  Entry& wanted = entry->second;
  const bool is_old = wanted.standing == Standing::unknown && Clock::now() - wanted.answered >= options_.unknown_holds;
  if (is_old) --unknown_;
  if (is_new || is_old) {
    wanted.standing = Standing::asked;
    if (open_++ == 0) open_since_ = Clock::now();
    queue_.push_back(entry->first);
    server_.wake();
  }
  return wanted.standing;
}

std::shared_ptr<const KnownSchema> Client::find(SchemaId id) const {
  const std::scoped_lock lock(mutex_);
  const auto entry = entries_.find(id);
  if (entry == entries_.end() || entry->second.schema == nullptr) return nullptr;
  uses_.splice(uses_.end(), uses_, entry->second.use);
  return entry->second.schema;
}

void Client::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, most);
}

std::string Client::complaint() const {
  const std::scoped_lock lock(mutex_);
  return complaint_.empty() ? busy_text() : complaint_;
}

std::string Client::busy_text() const {
  if (open_ == 0 || Clock::now() - open_since_ < options_.busy_after) return {};
  return "the schema registry " + options_.url + " is asked for " + std::to_string(open_) +
         " schemas, at most 100 a second: records of schemas that are not known yet are not read until it has answered";
}

void Client::work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto idle = start_questions();
    for (HttpGets::Ended& ended : server_.wait(idle)) take(std::move(ended), stop);
    say_that_it_is_busy();
  }
}

std::chrono::milliseconds Client::start_questions() {
  const auto until = [](Clock::time_point then, Clock::time_point now) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(then - now);
    return std::clamp(left, std::chrono::milliseconds(0), longest_wait);
  };
  const std::scoped_lock lock(mutex_);
  while ((!ready_.empty() || !queue_.empty()) && server_.under_way() < (again_at_ ? 1 : side_by_side_max)) {
    const auto now = Clock::now();
    const auto then = std::max(next_start_, again_at_.value_or(next_start_));
    if (then > now) return until(then, now);
    next_start_ = now + between_questions;
    if (ready_.empty()) {
      questions_.emplace(next_tag_, Question(queue_.front()));
      queue_.pop_front();
      ready_.push_back(next_tag_++);
    }
    server_.start(ready_.front(), questions_.at(ready_.front()).path());
    ready_.pop_front();
  }
  return longest_wait;
}

void Client::take(HttpGets::Ended ended, const std::stop_token& stop) {
  const auto at = questions_.find(ended.tag);
  Question& question = at->second;
  if (const auto taken = question.take(ended.reply); !taken) {
    failed(question.name(), taken.error().context, stop);
    const std::scoped_lock lock(mutex_);
    queue_.push_back(question.id());  // another may be answered before it is asked for again
    questions_.erase(at);
    return;
  }
  again_at_.reset();
  pause_ = first_pause;
  if (question.path().empty()) {
    answered(question);
    questions_.erase(at);
    return;
  }
  ready_.push_back(ended.tag);
  const std::scoped_lock lock(mutex_);
  ++answers_;
  complaint_.clear();
}

void Client::answered(const Question& question) {
  const std::scoped_lock lock(mutex_);
  Entry& entry = entries_[question.id()];
  entry.answered = Clock::now();
  entry.schema = question.schema();
  entry.standing = entry.schema == nullptr ? Standing::unknown : Standing::known;
  --open_;
  ++answers_;
  complaint_.clear();
  if (entry.schema == nullptr) {
    ++unknown_;
    unknowns_.emplace_back(question.id(), entry.answered);
    forget_unknown();
  } else {
    entry.use = uses_.insert(uses_.end(), question.id());
    for (const KnownSchema::Part& part : entry.schema->parts) entry.bytes += part.name.size() + part.text.size();
    text_bytes_ += entry.bytes;
    forget_texts(entry);
  }
  answered_.notify_all();
}

void Client::forget_unknown() {
  const auto is_one = [this](const auto& remembered) {
    const auto entry = entries_.find(remembered.first);
    return entry != entries_.end() && entry->second.standing == Standing::unknown &&
           entry->second.answered == remembered.second;
  };
  while (!unknowns_.empty() && (unknown_ > options_.unknown_max || !is_one(unknowns_.front()))) {
    if (is_one(unknowns_.front())) {
      entries_.erase(unknowns_.front().first);
      --unknown_;
    }
    unknowns_.pop_front();
  }
}

void Client::forget_texts(const Entry& besides) {
  for (auto use = uses_.begin(); use != uses_.end() && text_bytes_ > schema_texts_in_all_max;) {
    const auto entry = entries_.find(*use);
    if (&entry->second == &besides || entry->second.schema.use_count() > 1) {
      ++use;
      continue;
    }
    text_bytes_ -= entry->second.bytes;
    use = uses_.erase(use);
    entries_.erase(entry);
  }
}

// The first counts of several that fail together.
void Client::failed(const std::string& name, const std::string& cause, const std::stop_token& stop) {
  const auto now = Clock::now();
  const bool is_new = !again_at_;
  if (is_new || *again_at_ <= now) {
    again_at_ = now + pause_;
    pause_ = std::min(2 * pause_, longest_pause);
  }
  std::string said;
  {
    const std::scoped_lock lock(mutex_);
    const bool is_first = complaint_.empty();
    complaint_ = "the schema registry " + options_.url + " cannot be asked for schema " + name + " (" + cause +
                 "): records of schemas that are not known yet are not read until it answers";
    if (is_first) said = complaint_;
  }
  if (!said.empty() && options_.tell && !stop.stop_requested()) options_.tell(Notice::registry_unreachable, said);
}

void Client::say_that_it_is_busy() {
  std::string text;
  {
    const std::scoped_lock lock(mutex_);
    if (open_ == 0) has_said_busy_ = false;
    if (!complaint_.empty() || has_said_busy_) return;
    text = busy_text();
    has_said_busy_ = !text.empty();
  }
  if (!text.empty() && options_.tell) options_.tell(Notice::registry_busy, text);
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
  if (!options.user.empty() && options.url.starts_with("http://") && options.tell) {
    options.tell(Notice::registry_in_clear, "the password for the schema registry " + options.url +
                                                " goes over the network as plain text; write https:// in `registry.url`");
  }
  return std::make_shared<Client>(std::move(options));
}

}  // namespace recmeter::registry
