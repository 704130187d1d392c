#include "kafka/connection.h"
#include "recmeter/base/notice.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kafka/client_conf.h"

namespace recmeter::kafka {

namespace {

// librdkafka fetches while it has fewer messages and fewer bytes of a partition than it is told. Its bytes are those of the
// messages alone, and it has about as many again, or twice as many where messages are short, around each: half of the memory
// is for either. With few messages allowed it sleeps more than it fetches.
constexpr std::size_t bytes_around_message = 350;
constexpr std::size_t messages_least = 1'000;

constexpr std::int64_t silence_us_max = 5'000'000;  // of a broker that was asked something

// Of librdkafka's statistics. Those it has not connected to, having nothing to ask, do not count.
int reachable_in(std::string_view statistics) {
  simdjson::dom::parser parser;
  simdjson::dom::object brokers;
  if (parser.parse(statistics.data(), statistics.size())["brokers"].get(brokers) != simdjson::SUCCESS) return -1;
  int reachable = 0;
  for (const auto& [name, broker] : brokers) {
    std::int64_t node = -1;
    std::string_view state;
    std::uint64_t asked = 0;
    std::int64_t silent_us = 0;
    if (broker["nodeid"].get(node) != simdjson::SUCCESS || broker["state"].get(state) != simdjson::SUCCESS) continue;
    if (broker["waitresp_cnt"].get(asked) != simdjson::SUCCESS) asked = 0;
    if (broker["rxidle"].get(silent_us) != simdjson::SUCCESS) silent_us = 0;
    // An address of kafka.brokers that answered is known as a broker from then on.
    const bool answers = (state == "UP" || state == "UPDATE") && (asked == 0 || silent_us < silence_us_max);
    reachable += node >= 0 && answers ? 1 : 0;
  }
  return reachable;
}

}  // namespace

Result<std::shared_ptr<Connection>> Connection::make(const ClientOptions& client, std::size_t partition_memory, Tell tell) {
  std::shared_ptr<Connection> connection(new Connection(client, std::move(tell)));
  const std::size_t kilobytes = std::clamp<std::size_t>(partition_memory >> 11, 64, 2'097'151);
  const std::size_t messages =
      std::clamp<std::size_t>(partition_memory / 2 / bytes_around_message, messages_least, 10'000'000);
  ClientConf conf(connection->client_);
  conf.set("enable.auto.commit", "false");
  conf.set("enable.partition.eof", "true");
  conf.set("auto.offset.reset", "error");
  conf.set("allow.auto.create.topics", "false");
  conf.set("fetch.wait.max.ms", "50");
  conf.set("queued.min.messages", std::to_string(messages));
  conf.set("queued.max.messages.kbytes", std::to_string(kilobytes));
  conf.set("fetch.message.max.bytes", std::to_string(std::min<std::size_t>(kilobytes << 10, 1 << 20)));
  conf.set("statistics.interval.ms", "1000");
  rd_kafka_conf_set_opaque(conf.get(), connection.get());
  rd_kafka_conf_set_stats_cb(conf.get(), &Connection::on_statistics);
  rd_kafka_conf_set_error_cb(conf.get(), &Connection::on_error);
  auto opened = conf.open(RD_KAFKA_CONSUMER);
  if (!opened) return tl::unexpected(std::move(opened).error());
  connection->handle_ = *opened;
  return connection;
}

Connection::~Connection() {
  if (handle_ != nullptr) rd_kafka_destroy(handle_);
}

void Connection::on_error(rd_kafka_t*, int code, const char* reason, void* self) {
  static_cast<Connection*>(self)->complain(code, reason);
}

// 0: librdkafka frees the text.
int Connection::on_statistics(rd_kafka_t*, char* json, std::size_t size, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  const int reachable = reachable_in({json, size});
  connection.reachable_.store(reachable, std::memory_order_relaxed);
  return 0;
}

std::optional<std::size_t> Connection::brokers_reachable() const {
  serve();
  const int reachable = reachable_.load(std::memory_order_relaxed);
  return reachable < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(reachable));
}

void Connection::complain(int code, const char* reason) {
  outages_.fetch_add(1, std::memory_order_relaxed);
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    // That all brokers are down is said after why.
    if (code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || complaint_.empty()) {
      complaint_ = without_secrets(reason, client_);
      complaint_code_ = code;
    }
    text = complaint_;
  }
  const bool is_worth_it = code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || code == RD_KAFKA_RESP_ERR__AUTHENTICATION ||
                           code == RD_KAFKA_RESP_ERR__SSL;
  if (!is_worth_it || !tell_ || is_down_.exchange(true)) return;
  tell_(Notice::broker_unreachable,
        "no broker of " + client_.brokers + " answers (" + text +
            "); reading waits until one answers. Check that a broker runs, and check kafka.properties");
}

void Connection::tell_of_answer() {
  if (is_down_.exchange(false))
    tell_(Notice::broker_reachable, "a broker of " + client_.brokers + " answers again; reading continues");
}

std::string Connection::complaint() const {
  serve();
  const std::lock_guard lock(mutex_);
  return complaint_;
}

void Connection::refuse(const std::string& topic, const std::string& why) {
  std::string text = topic + ": not allowed (" + why + "); reading waits until it is. Give back the right to read the topic";
  {
    const std::lock_guard lock(mutex_);
    Refusal& refusal = refusals_[topic];
    if (++refusal.partitions > 1) return;
    refusal.text = text;
  }
  if (tell_) tell_(Notice::read_refused, text);
}

void Connection::allow(const std::string& topic) {
  {
    const std::lock_guard lock(mutex_);
    if (--refusals_[topic].partitions > 0) return;
    refusals_.erase(topic);
  }
  if (tell_) tell_(Notice::read_allowed, topic + ": may be read again; reading continues");
}

std::string Connection::refusal() const {
  const std::lock_guard lock(mutex_);
  return refusals_.empty() ? "" : refusals_.rbegin()->second.text;
}

bool Connection::is_refused() const {
  const std::lock_guard lock(mutex_);
  return complaint_code_ == RD_KAFKA_RESP_ERR__AUTHENTICATION || complaint_code_ == RD_KAFKA_RESP_ERR__SSL;
}

}  // namespace recmeter::kafka
