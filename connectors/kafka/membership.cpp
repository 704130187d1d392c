#include "recmeter/kafka/membership.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "kafka/assignment.h"
#include "kafka/client_conf.h"
#include "kafka/connection.h"
#include "recmeter/base/fail_point.h"

namespace recmeter::kafka {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_ms = 100;
constexpr std::int64_t poll_interval_ms = 300'000;         // as librdkafka has it
constexpr std::int64_t heartbeat_ms = 3'000;               // likewise
constexpr int members_wait_ms = 3000;                      // who else is a member
constexpr std::chrono::milliseconds patience{3000};        // a group that settles needs nobody's attention
constexpr std::chrono::milliseconds patience_asked{5000};  // between two questions to the broker
constexpr std::chrono::milliseconds anew_max{60000};       // between two times that this one joins anew
constexpr std::chrono::milliseconds patience_free{500};    // while another is there before this one joins
constexpr std::chrono::milliseconds leave_max{3000};
constexpr std::chrono::milliseconds end_max{8000};  // a question, leave_max, and as long again for a broker that is slow
constexpr int back_max = 3;                         // comings back of a member that was fenced, within:
constexpr std::chrono::minutes back_within{10};
constexpr std::chrono::milliseconds settling{5000};     // of a group whose member's session has run out
constexpr std::chrono::milliseconds tell_every{10000};  // how long is left

constexpr std::size_t uuid_length = 36;

std::string name_of(const rd_kafka_topic_partition_t& partition) {
  return std::string(partition.topic) + "/" + std::to_string(partition.partition);
}

std::set<std::string> names_of(const rd_kafka_topic_partition_list_t* list) {
  std::set<std::string> names;
  for (int i = 0; list != nullptr && i < list->cnt; ++i) names.insert(name_of(list->elems[i]));
  return names;
}

// The first few of them.
std::string enumerated(const std::vector<std::string>& names) {
  constexpr std::size_t some = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(some, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > some ? text + " and " + std::to_string(names.size() - some) + " more" : text;
}

struct GroupsDeleter {
  void operator()(const struct rd_kafka_group_list* groups) const { rd_kafka_group_list_destroy(groups); }
};

}  // namespace

class Membership::Impl {
 public:
  Impl(ClientOptions client, MembershipOptions options)
      : client_(std::move(client)), options_(std::move(options)), session_(options_.session.ms) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();

  // `self`: the thread's share in this.
  Result<void> open(std::shared_ptr<Impl> self);
  Result<Standing> standing() const;
  std::string refusal() const {
    const std::lock_guard lock(mutex_);
    return dealt_here() == Standing::waiting ? refusal_ : "";
  }
  void commit(std::map<std::string, std::int64_t> positions) {
    const std::lock_guard lock(mutex_);
    to_commit_ = std::move(positions);
  }
  void end(bool leaves);

 private:
  static void on_rebalance(rd_kafka_t* handle, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list, void* self);
  void rebalanced(rd_kafka_resp_err_t code, const rd_kafka_topic_partition_list_t* list);
  Result<void> open_client();
  void refuse(rd_kafka_resp_err_t code);
  bool come_back();
  void join_when_free();
  void subscribe();
  void serve();
  void poll();
  void commit();
  void look_at_assignment();
  void look_at_others();
  void look_at_topics();
  [[nodiscard]] Standing dealt() const;
  [[nodiscard]] Standing dealt_here() const;  // with mutex_ held
  // Other members that hold, or may be given, what is read.
  struct Others {
    std::string text;           // who they are and what they hold; "" for nobody
    bool come_first = false;    // one of them, in the order of members' ids
    bool is_dealt_out = false;  // the group has settled: nobody is given more
  };
  [[nodiscard]] std::optional<Others> others() const;
  [[nodiscard]] std::optional<bool> topics_have_more() const;
  void yield_to(const Others& others);
  void join_anew(const std::string& why);
  void fail(const std::string& why, Errc code = Errc::input_unreadable);
  void tell(Notice notice, const std::string& text);
  void leave_group();
  void close();

  ClientOptions client_;
  MembershipOptions options_;
  std::string instance_id_;
  std::chrono::milliseconds session_;  // after so long a member that is dead is none
  rd_kafka_t* handle_ = nullptr;
  std::atomic<bool> ends_ = false;
  std::atomic<bool> leaves_ = false;
  std::atomic<bool> has_grown_ = false;  // what is assigned besides what is read is there

  mutable std::mutex mutex_;
  std::set<std::string> assigned_;
  std::map<std::string, std::int64_t> to_commit_;
  std::optional<Error> failed_;
  std::string refusal_;  // since it was a member last

  std::condition_variable ended_;
  bool has_ended_ = false;  // the thread
  std::optional<Clock::time_point> end_asked_;

  // The thread's own.
  Clock::time_point changed_ = Clock::now();
  Clock::time_point asked_ = Clock::now() - patience_asked;
  std::string told_;
  bool was_member_ = false;
  Clock::time_point anew_ = Clock::now();  // not before
  Clock::duration anew_after_ = patience_asked;
  Clock::time_point joined_ = Clock::now();
  bool has_held_all_ = false;  // since then
  int times_back_ = 0;         // since the first of them
  Clock::time_point first_back_;
};

Membership::Impl::~Impl() {
  if (handle_ != nullptr) rd_kafka_destroy(handle_);
}

Result<void> Membership::Impl::open(std::shared_ptr<Impl> self) {
  if (auto opened = open_client(); !opened) return opened;
  std::thread([self = std::move(self)] { self->serve(); }).detach();
  return {};
}

Result<void> Membership::Impl::open_client() {
  ClientConf conf(client_);
  conf.set("group.id", options_.group);
  const auto chosen = client_.properties.find("group.instance.id");
  instance_id_ = chosen == client_.properties.end() ? options_.instance_id : chosen->second;
  conf.set("group.instance.id", instance_id_);
  const std::int64_t session = options_.session.ms;
  conf.set("session.timeout.ms", std::to_string(session));
  // The client takes none that is longer than the one, and says that it lives by the other.
  if (!conf.has("max.poll.interval.ms"))
    conf.set("max.poll.interval.ms", std::to_string(std::max(poll_interval_ms, session)));
  if (!conf.has("heartbeat.interval.ms")) {
    conf.set("heartbeat.interval.ms", std::to_string(std::min(heartbeat_ms, session / 3)));
  }
  conf.set("partition.assignment.strategy", "range");
  conf.set("enable.auto.commit", "false");
  conf.set("enable.auto.offset.store", "false");
  conf.set("allow.auto.create.topics", "false");
  rd_kafka_conf_set_opaque(conf.get(), this);
  rd_kafka_conf_set_rebalance_cb(conf.get(), &Impl::on_rebalance);
  rd_kafka_conf_set_error_cb(conf.get(), [](rd_kafka_t*, int, const char*, void*) {});
  auto opened = conf.open(RD_KAFKA_CONSUMER);
  if (!opened) return tl::unexpected(std::move(opened).error());
  handle_ = *opened;
  rd_kafka_poll_set_consumer(handle_);
  return {};
}

// A member that joins takes partitions away from the one that runs: so not beside another. One that was killed is gone when
// its session has run out; one that is there longer runs.
void Membership::Impl::join_when_free() {
  const auto begun = Clock::now();
  const auto give_up = begun + session_ + settling;
  auto answered = begun;
  auto next_told = begun;
  while (!ends_) {
    const auto found = others();
    const auto now = Clock::now();
    if (found ? found->text.empty() : now - answered >= settling) {
      if (next_told != begun) {
        tell(Notice::group_complete, "kafka.group " + options_.group + ": no other member is left; reading begins");
      }
      return subscribe();
    }
    if (found) answered = now;
    if (found && now >= give_up) return yield_to(*found);
    if (found && now >= next_told) {
      const auto left = std::chrono::ceil<std::chrono::seconds>(give_up - now).count();
      tell(Notice::group_incomplete, "kafka.group " + options_.group + ": " + found->text + "; waiting " +
                                         std::to_string(left) +
                                         " s at most: if it was killed, the broker removes it by then and reading begins; if "
                                         "it is running, it continues and this one ends");
      next_told = now + tell_every;
    }
    for (auto until = now + patience_free; !ends_ && Clock::now() < until;) poll();
  }
}

void Membership::Impl::subscribe() {
  const PartitionList topics(rd_kafka_topic_partition_list_new(static_cast<int>(options_.topics.size())));
  for (const std::string& topic : options_.topics) {
    rd_kafka_topic_partition_list_add(topics.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
  }
  joined_ = Clock::now();
  const rd_kafka_resp_err_t code = rd_kafka_subscribe(handle_, topics.get());
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  fail("kafka.group " + options_.group + " cannot be joined: " + rd_kafka_err2str(code));
}

void Membership::Impl::on_rebalance(rd_kafka_t* handle, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                                    void* self) {
  static_cast<Impl*>(self)->rebalanced(code, list);
  // What is assigned is not fetched by this client: it takes an empty list in its place.
  const PartitionList none(rd_kafka_topic_partition_list_new(0));
  rd_kafka_assign(handle, code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS ? none.get() : nullptr);
}

void Membership::Impl::rebalanced(rd_kafka_resp_err_t code, const rd_kafka_topic_partition_list_t* list) {
  const std::lock_guard lock(mutex_);
  assigned_ = code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS ? names_of(list) : std::set<std::string>();
  has_grown_ = false;
  if (code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
    was_member_ = true;
    refusal_.clear();
  }
  changed_ = Clock::now();
  if (rd_kafka_assignment_lost(handle_) == 0) return;
  // It was out of the group, where another may have gone on meanwhile: it comes back as a new one.
  joined_ = changed_;
  has_held_all_ = false;
}

void Membership::Impl::serve() {
  join_when_free();
  while (!ends_) {
    poll();
    commit();
    look_at_assignment();
  }
  close();
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  ended_.notify_all();
}

void Membership::Impl::close() {
  if (handle_ == nullptr) return;
  commit();
  if (leaves_) leave_group();
  rd_kafka_consumer_close(handle_);
  rd_kafka_destroy(handle_);
  handle_ = nullptr;
}

void Membership::Impl::poll() {
  rd_kafka_message_t* const message = rd_kafka_consumer_poll(handle_, poll_ms);
  if (message != nullptr) {
    if (message->err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED) refuse(message->err);
    if (message->err == RD_KAFKA_RESP_ERR_INVALID_SESSION_TIMEOUT) {
      fail("kafka.session: the brokers take none of " + std::to_string(session_.count()) + " ms (" +
               rd_kafka_err2str(message->err) +
               "). Choose one between their group.min.session.timeout.ms and group.max.session.timeout.ms",
           Errc::config_invalid);
    }
    rd_kafka_message_destroy(message);
  }
  std::array<char, 512> reason{};
  const rd_kafka_resp_err_t fatal = rd_kafka_fatal_error(handle_, reason.data(), reason.size());
  if (fatal == RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID && come_back()) return;
  if (fatal != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail("kafka.group " + options_.group + ": this member is no longer in it (" + without_secrets(reason.data(), client_) +
         "). If another process has the same group.instance.id, end it, or give each its own in kafka.properties");
  }
}

// At first that is a mistake to be mended; a right that was there before may come back.
void Membership::Impl::refuse(rd_kafka_resp_err_t code) {
  const std::string what = "kafka.group " + options_.group + ": not allowed (" + rd_kafka_err2str(code) + ")";
  if (!was_member_) return fail(what + ". Get permission to read with this group, or name another");
  const std::lock_guard lock(mutex_);
  refusal_ = what + "; reading waits until it is. Give back the right to read with this group";
}

// A commit that the client put off while its coordinator was away comes with the member's id of before, and fences it: with
// an id that is this state's alone that is no other process. False: it is one, or may be.
bool Membership::Impl::come_back() {
  if (instance_id_ != options_.instance_id) return false;
  const auto now = Clock::now();
  if (times_back_ == 0 || now - first_back_ > back_within) {
    times_back_ = 0;
    first_back_ = now;
  }
  if (++times_back_ > back_max) return false;
  rd_kafka_destroy(handle_);
  handle_ = nullptr;
  {
    const std::lock_guard lock(mutex_);
    assigned_.clear();
    changed_ = now;
  }
  has_held_all_ = false;
  if (auto opened = open_client(); !opened) {
    fail(opened.error().context);
    ends_ = true;
    return true;
  }
  subscribe();
  return true;
}

// Not while it joins: a static member whose id the broker has just replaced would be fenced, and librdkafka gives up then.
void Membership::Impl::commit() {
  if (dealt() == Standing::waiting) return;
  std::map<std::string, std::int64_t> positions;
  {
    const std::lock_guard lock(mutex_);
    positions.swap(to_commit_);
  }
  if (positions.empty()) return;
  const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(positions.size())));
  for (const auto& [name, offset] : positions) {
    const std::size_t slash = name.rfind('/');
    std::int32_t partition = 0;
    std::from_chars(name.data() + slash + 1, name.data() + name.size(), partition);
    rd_kafka_topic_partition_list_add(list.get(), name.substr(0, slash).c_str(), partition)->offset = offset;
  }
  fail_point("before_commit");
  rd_kafka_commit(handle_, list.get(), 1);  // nobody depends on it, so nobody asks what became of it
  fail_point("after_commit");
}

void Membership::Impl::look_at_assignment() {
  const Standing dealt = this->dealt();
  if (dealt == Standing::waiting) return look_at_others();
  if (!told_.empty()) {
    tell(Notice::group_complete, "kafka.group " + options_.group + ": this instance holds all partitions; reading continues");
    told_.clear();
  }
  has_held_all_ = true;
  if (dealt == Standing::outgrown) return look_at_topics();
  anew_after_ = patience_asked;
}

// Says who holds what is missing, once. Of two that have joined at a time the second by id yields; and if the other has held
// all, which is not to be seen, the one that has not. What nobody holds will not be dealt to this one, a static member that
// was given what it had when it was here before: only a new member makes the group deal anew.
void Membership::Impl::look_at_others() {
  if (const std::string refused = refusal(); !refused.empty()) {
    if (refused != std::exchange(told_, refused)) tell(Notice::read_refused, refused);
    return;
  }
  const auto now = Clock::now();
  if (now - changed_ < patience || now - asked_ < patience_asked) return;
  asked_ = now;
  const auto found = others();
  if (!found) return;
  const auto yields_after = (session_ + settling) * (found->come_first ? 1 : 2);
  if (!found->text.empty() && !has_held_all_ && now - joined_ >= yields_after) return yield_to(*found);
  if (found->text.empty() && found->is_dealt_out) return join_anew("nobody holds the others");
  const std::string text = "kafka.group " + options_.group +
                           (found->text.empty() ? " has not assigned its partitions yet; reading waits"
                                                : ": " + found->text +
                                                      "; reading waits until this instance holds all partitions. End the "
                                                      "other, or give this one a group of its own");
  if (text != std::exchange(told_, text)) tell(Notice::group_incomplete, text);
}

// More is assigned than is read: either there is more now, or it was there when this member was given its place.
void Membership::Impl::look_at_topics() {
  if (has_grown_ || Clock::now() < anew_) return;
  const auto more = topics_have_more();
  if (!more) return;
  if (!*more) return join_anew("the topics have no others");
  has_grown_ = true;
}

// Where that does not help, seldom.
void Membership::Impl::join_anew(const std::string& why) {
  const auto now = Clock::now();
  if (now < anew_) return;
  anew_after_ = std::min<Clock::duration>(anew_after_ * 2, anew_max);
  anew_ = now + anew_after_;
  std::size_t held = 0;
  {
    const std::lock_guard lock(mutex_);
    held = assigned_.size();
  }
  const std::string text = "kafka.group " + options_.group + " has given this instance " + std::to_string(held) +
                           " partitions, as it had them before, and " + std::to_string(options_.partitions.size()) +
                           " are read; " + why + "; it leaves the group and joins anew";
  if (text != std::exchange(told_, text)) tell(Notice::group_incomplete, text);
  leave_group();
  subscribe();
}

Membership::Standing Membership::Impl::dealt() const {
  const std::lock_guard lock(mutex_);
  return dealt_here();
}

Membership::Standing Membership::Impl::dealt_here() const {
  if (!std::includes(assigned_.begin(), assigned_.end(), options_.partitions.begin(), options_.partitions.end())) {
    return Standing::waiting;
  }
  return assigned_.size() > options_.partitions.size() ? Standing::outgrown : Standing::holds_all;
}

// Than are read. Nothing when the broker does not say.
std::optional<bool> Membership::Impl::topics_have_more() const {
  std::size_t there = 0;
  for (const std::string& name : options_.topics) {
    const TopicHandle topic(rd_kafka_topic_new(handle_, name.c_str(), nullptr));
    const struct rd_kafka_metadata* answer = nullptr;
    const rd_kafka_resp_err_t code = rd_kafka_metadata(handle_, 0, topic.get(), &answer, members_wait_ms);
    const Metadata metadata(answer);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR || metadata->topic_cnt != 1) return std::nullopt;
    if (metadata->topics[0].err != RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
    there += static_cast<std::size_t>(metadata->topics[0].partition_cnt);
  }
  return there > options_.partitions.size();
}

// Nothing when the broker does not say. By the old call: DescribeConsumerGroups aborts the process when its coordinator goes
// away (confluentinc/librdkafka#4605).
std::optional<Membership::Impl::Others> Membership::Impl::others() const {
  const struct rd_kafka_group_list* answer = nullptr;
  const rd_kafka_resp_err_t code = rd_kafka_list_groups(handle_, options_.group.c_str(), &answer, members_wait_ms);
  const std::unique_ptr<const struct rd_kafka_group_list, GroupsDeleter> groups(answer);
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR && groups->group_cnt == 0) return Others{};
  // In part: where it is known, it does not matter what brokers that are down know.
  if ((code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR__PARTIAL) || groups->group_cnt != 1)
    return std::nullopt;
  const struct rd_kafka_group_info& group = groups->groups[0];
  if (group.err != RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
  const std::unique_ptr<char, decltype(&free)> own(rd_kafka_memberid(handle_), &free);
  Others others;
  others.is_dealt_out = std::string_view(group.state) == "Stable";
  for (int m = 0; m < group.member_cnt; ++m) {
    const struct rd_kafka_group_member_info& member = group.members[m];
    const std::string_view id = member.member_id;
    // Brokers call a static member by its instance and a UUID: so that was this one, perhaps before.
    const bool is_this = id.starts_with(instance_id_ + "-") && id.size() == instance_id_.size() + 1 + uuid_length;
    if (is_this || (own && id == own.get())) continue;
    const auto held = assigned_names(
        {static_cast<const char*>(member.member_assignment), static_cast<std::size_t>(member.member_assignment_size)});
    const bool holds_some =
        std::any_of(held.begin(), held.end(), [&](const std::string& name) { return options_.partitions.contains(name); });
    if (others.is_dealt_out && !holds_some) continue;
    others.text += others.text.empty() ? "" : "; ";
    others.text += std::string("client ") + member.client_id + " at " + member.client_host;
    others.text += held.empty() ? " is a member" : " holds " + enumerated(held);
    others.come_first = others.come_first || (own && id < own.get());
  }
  return others;
}

// And leaves, so that the other goes on at once.
void Membership::Impl::yield_to(const Others& others) {
  fail("kafka.group " + options_.group + ": " + others.text +
       "; it continues, and this one yields. End the other first, or give this one a group of its own");
  leaves_ = true;
  ends_ = true;
}

void Membership::Impl::fail(const std::string& why, Errc code) {
  const std::lock_guard lock(mutex_);
  if (!failed_) failed_ = Error{code, why};
}

void Membership::Impl::tell(Notice notice, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (options_.tell) options_.tell(notice, text);
}

// A static member that only closes keeps its place; one that gives up its topics first does not.
void Membership::Impl::leave_group() {
  const auto give_up = Clock::now() + leave_max;
  rd_kafka_unsubscribe(handle_);
  while (Clock::now() < give_up) {
    rd_kafka_message_t* const message = rd_kafka_consumer_poll(handle_, poll_ms);
    if (message != nullptr) rd_kafka_message_destroy(message);
    const std::unique_ptr<char, decltype(&free)> own(rd_kafka_memberid(handle_), &free);
    if (!own || *own == '\0') return;
  }
}

Result<Membership::Standing> Membership::Impl::standing() const {
  const std::lock_guard lock(mutex_);
  const Standing dealt = dealt_here();
  if (failed_) return tl::unexpected(*failed_);
  return dealt == Standing::outgrown && !has_grown_ ? Standing::holds_all : dealt;
}

// Closing waits until every commit is answered, and a broker that is frozen answers none: then the thread is left behind, and
// with it what it works on.
void Membership::Impl::end(bool leaves) {
  if (leaves) leaves_ = true;
  ends_ = true;
  std::unique_lock lock(mutex_);
  if (!end_asked_) end_asked_ = Clock::now();
  ended_.wait_until(lock, *end_asked_ + end_max, [this] { return has_ended_; });
  options_.tell = nullptr;
}

Result<std::unique_ptr<Membership>> Membership::join(const ClientOptions& client, MembershipOptions options) {
  auto impl = std::make_shared<Impl>(client, std::move(options));
  if (auto opened = impl->open(impl); !opened) return tl::unexpected(std::move(opened).error());
  return std::unique_ptr<Membership>(new Membership(std::move(impl)));
}

Membership::Membership(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Membership::~Membership() {
  impl_->end(false);
}

Result<Membership::Standing> Membership::standing() const {
  return impl_->standing();
}

std::string Membership::refusal() const {
  return impl_->refusal();
}

void Membership::commit(std::map<std::string, std::int64_t> positions) {
  impl_->commit(std::move(positions));
}

void Membership::leave() {
  impl_->end(true);
}

}  // namespace recmeter::kafka
